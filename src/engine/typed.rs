//! A session for one kernel.

use super::{
    Evaluation, HASH_RANGE, HashError, Info, MAX_THREADS, Notation, Outcome, PositionError, Session, Tables,
    TablesError, Weights, kings,
};
use crate::board::Side;
use crate::egdb::{self, Loading, Movement, Prober, Refusal, Shop, Workshop, embedded};
use crate::eval::features::{self, Squares};
use crate::eval::{self, Evaluator, Model, ModelError, Odds};
use crate::movegen::Perft;
use crate::notation::{FenError, HubNumbering, MoveError, diagram, fen, hub, moves};
use crate::position::{Move, Position, Setup};
use crate::referee::{Referee, State, Verdict, count_out_at_once};
use crate::rules::{Game, Rules, Word};
use crate::search::{self, Control, Limits, Options, Searcher, Table, Task};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Entries of the hash table until somebody chooses, as a binary logarithm: 64 MiB.
const DEFAULT_HASH: u32 = 22;

/// A game with the kernel `R`.
pub(super) struct Typed<R: Rules> {
    game: Arc<Game>,
    referee: Referee<R>,
    moves: Vec<Move<Word<R>>>,
    searcher: Searcher<R>,
    /// Made when it is needed: most sessions never search.
    table: Option<Table>,
    hash: u32,
    threads: usize,
    options: Options,
    /// The learned weights of the evaluation, if there are any.
    model: Option<Arc<Model>>,
    /// Endgame tables, if there are any; not looked for before they are needed.
    tables: Option<Option<Arc<Prober<Word<R>>>>>,
}

impl<R: Rules> Typed<R> {
    /// The start of a game whose kernel is `R`.
    pub fn new(game: Game) -> Self {
        let game = Arc::new(game);
        let referee = Referee::new(Arc::clone(&game), fen::start::<R>(&game));
        let searcher = Searcher::new();
        let model = eval::embedded_weights::<R>(game.set);
        Self {
            game,
            referee,
            moves: Vec::new(),
            searcher,
            table: None,
            hash: DEFAULT_HASH,
            threads: 1,
            options: Options::DEFAULT,
            model,
            tables: None,
        }
    }

    /// The legal move that `text` means.
    fn read(&self, text: &str, notation: Notation) -> Result<Move<Word<R>>, MoveError> {
        let (position, legal) = (self.referee.position(), self.referee.legal_moves());
        moves::parse_numbered::<R>(&self.game, notation.numbering(), position, &legal, text)
    }

    /// The moves to choose from.
    fn choices(&self, limits: &Limits, notation: Notation) -> Vec<Move<Word<R>>> {
        let mut choices: Vec<_> =
            limits.searchmoves.iter().filter_map(|text| self.read(text, notation).ok()).collect();
        if choices.is_empty() {
            return self.referee.legal_moves();
        }
        for mv in std::mem::take(&mut choices) {
            if !choices.contains(&mv) {
                choices.push(mv);
            }
        }
        choices
    }

    fn begin(&mut self, state: State<R>) {
        self.referee = Referee::resume(Arc::clone(&self.game), state);
        self.moves.clear();
    }
}

/// The movement rules as endgame tables need them.
fn movement<R: Rules>() -> Movement<Word<R>> {
    Movement::of::<R>(count_out_at_once::<R>)
}

impl<R: Rules> Session for Typed<R> {
    fn game(&self) -> &Game {
        &self.game
    }

    fn set_start(&mut self) {
        self.begin(State::new(fen::start::<R>(&self.game)));
    }

    fn set_fen(&mut self, text: &str) -> Result<(), PositionError> {
        self.begin(read_fen::<R>(&self.game, text)?);
        Ok(())
    }

    fn set_hub(&mut self, position: &str, kings: &str, numbering: HubNumbering) -> Result<(), PositionError> {
        let position = hub::position::<R>(&self.game, numbering, position)?;
        let kings = kings::read::<R>(&self.game, &position, numbering, kings)?;
        self.begin(kings::state::<R>(&self.game, position, kings)?);
        Ok(())
    }

    fn play(&mut self, text: &str, notation: Notation) -> Result<(), MoveError> {
        let mv = self.read(text, notation)?;
        self.referee.play(&mv);
        self.moves.push(mv);
        Ok(())
    }

    fn translate(&self, text: &str, from: Notation, to: Notation) -> Result<String, MoveError> {
        let mv = self.read(text, from)?;
        Ok(write::<R>(&self.game, self.referee.position(), &mv, to))
    }

    fn undo(&mut self) -> bool {
        let undone = self.moves.pop().is_some();
        if let (true, Some(start)) = (undone, self.referee.states().first()) {
            let mut referee = Referee::resume(Arc::clone(&self.game), *start);
            self.moves.iter().for_each(|mv| referee.play(mv));
            self.referee = referee;
        }
        undone
    }

    fn plies(&self) -> usize {
        self.referee.plies()
    }

    fn turn(&self) -> Side {
        self.referee.position().turn
    }

    fn setup(&self) -> Setup {
        Setup::of::<R>(self.referee.position())
    }

    fn fen(&self) -> String {
        fen::write_with_king_moves(&self.game, &self.setup(), kings::of::<R>(self.referee.state()))
    }

    fn hub(&self, numbering: HubNumbering) -> String {
        hub::write_position(&self.game, numbering, &self.setup())
    }

    fn diagram(&self) -> String {
        diagram::text(&self.game, &self.setup())
    }

    fn svg(&self) -> String {
        diagram::svg(&self.game, &self.setup())
    }

    fn legal_moves(&self, notation: Notation) -> Vec<String> {
        let (position, legal) = (self.referee.position(), self.referee.legal_moves());
        let mut texts = match notation {
            Notation::Pdn => moves::write_all::<R>(&self.game, position, &legal, moves::Style::Pdn),
            hub => legal.iter().map(|mv| write::<R>(&self.game, position, mv, hub)).collect(),
        };
        texts.sort_unstable();
        texts.dedup(); // Hub has one text for captures that differ in promotion alone.
        texts
    }

    fn verdict(&self) -> Option<Verdict> {
        self.referee.verdict()
    }

    fn eval(&self) -> Evaluation {
        let position = self.referee.position();
        let evaluator = Evaluator::new::<R>(&self.game, self.model.clone());
        Evaluation { terms: evaluator.terms::<R>(position), score: evaluator.score::<R>(position) }
    }

    fn workshop(&self) -> Result<Box<dyn Workshop>, Refusal> {
        egdb::applies(&self.game)?;
        Ok(Box::new(Shop::new((*self.game).clone(), movement::<R>())))
    }

    fn set_tables(&mut self, wanted: Tables<'_>) -> Result<Loading, TablesError> {
        let tables = match wanted {
            Tables::None => None,
            Tables::Embedded => embedded::tables(&self.game, movement::<R>()),
            Tables::Directory { path, pieces, cache } => {
                egdb::applies(&self.game).map_err(TablesError::Refused)?;
                let found = Prober::open(&self.game, movement::<R>(), path, pieces, cache)
                    .map_err(TablesError::File)?;
                if found.most_pieces() == 0 {
                    embedded::tables(&self.game, movement::<R>())
                } else {
                    Some(Arc::new(found))
                }
            }
        };
        self.tables = Some(tables);
        self.new_game();
        let used = self.tables.iter().flatten().next();
        Ok(used.map(|tables| tables.loading().clone()).unwrap_or_default())
    }

    fn perft(&self, perft: &Perft<'_>, depth: u32) -> u64 {
        perft.count::<R>(self.referee.position(), depth)
    }

    fn divide(&self, perft: &Perft<'_>, depth: u32) -> Vec<(String, u64)> {
        let mut counts = BTreeMap::new();
        for (mv, count) in perft.divide::<R>(self.referee.position(), depth) {
            let text = moves::write_hub::<R>(&self.game, HubNumbering::Standard, &mv);
            *counts.entry(text).or_default() += count;
        }
        counts.into_iter().collect()
    }

    fn set_threads(&mut self, threads: usize) {
        self.threads = threads.clamp(1, MAX_THREADS);
    }

    fn set_hash(&mut self, log2_entries: u32) {
        let size = log2_entries.clamp(*HASH_RANGE.start(), *HASH_RANGE.end());
        if size != std::mem::replace(&mut self.hash, size) {
            self.table = None;
        }
    }

    fn set_weights(&mut self, weights: Weights<'_>) -> Result<(), ModelError> {
        self.model = match weights {
            Weights::Embedded => eval::embedded_weights::<R>(self.game.set),
            Weights::HandMade => None,
            Weights::File(file) => Some(Arc::new(Model::read::<R>(self.game.set, file)?)),
        };
        self.new_game();
        Ok(())
    }

    fn weights(&self) -> Option<Arc<Model>> {
        self.model.clone()
    }

    fn odds(&self) -> Odds {
        let measured = self.model.as_ref().and_then(|model| Odds::of_note(model.note()));
        measured.unwrap_or(Odds::UNMEASURED)
    }

    fn features(&self) -> Option<(usize, usize)> {
        features::applies::<R>().then(|| (features::count::<R>(), features::GENERAL.len()))
    }

    fn features_of(&self, squares: &Squares, list: &mut Vec<(u32, i32)>) -> f32 {
        let position = squares.position::<R>();
        features::each::<R>(&position, |index, value| list.push((index as u32, value)));
        eval::stage::<R>(&position) as f32 / features::full::<R>() as f32
    }

    fn prepare(&mut self) -> Result<(), HashError> {
        self.tables.get_or_insert_with(|| embedded::tables(&self.game, movement::<R>()));
        if self.table.is_some() {
            return Ok(());
        }
        let table = self.table.insert(Table::new(self.hash));
        let (wanted, had) = (self.hash, table.log2_entries());
        if had < wanted { Err(HashError { wanted, had }) } else { Ok(()) }
    }

    fn set_options(&mut self, options: &Options) {
        self.options = options.clone();
    }

    fn clear_hash(&mut self) {
        self.table.iter_mut().for_each(Table::clear);
    }

    fn new_game(&mut self) {
        self.searcher.new_game();
        self.clear_hash();
    }

    fn search(
        &mut self,
        limits: &Limits,
        notation: Notation,
        control: &Control,
        report: &mut dyn FnMut(&Info),
    ) -> Outcome {
        let moves = self.choices(limits, notation);
        let (game, position) = (&self.game, *self.referee.position());
        let table = self.table.get_or_insert_with(|| Table::new(self.hash));
        let mut relay = |news: &search::Info<Word<R>>| {
            if !news.pv.is_empty() {
                report(&info::<R>(game, &position, notation, news));
            }
        };
        let (options, threads) = (&self.options, self.threads);
        let tables = self.tables.get_or_insert_with(|| embedded::tables(game, movement::<R>())).as_deref();
        let task = Task {
            referee: &self.referee,
            moves,
            limits,
            options,
            model: self.model.as_ref(),
            tables,
            threads,
        };
        let found = self.searcher.search(&task, table, control, &mut relay);
        let line: Vec<_> = found.best.into_iter().chain(found.ponder).collect();
        let mut texts = texts::<R>(game, &position, notation, &line).into_iter();
        Outcome {
            best: texts.next(),
            ponder: texts.next(),
            info: info::<R>(game, &position, notation, &found.info),
        }
    }
}

/// The state of a FEN.
fn read_fen<R: Rules>(game: &Game, text: &str) -> Result<State<R>, PositionError> {
    let (setup, kings) = fen::parse_with_king_moves(game, text)?;
    let position = setup.check::<R>().map_err(|error| FenError::Impossible(fen::faults(game, &error)))?;
    kings::state::<R>(game, position, kings)
}

/// The moves of a line of play from `position`.
fn texts<R: Rules>(
    game: &Game,
    position: &Position<Word<R>>,
    notation: Notation,
    line: &[Move<Word<R>>],
) -> Vec<String> {
    let mut at = *position;
    line.iter()
        .map(|mv| {
            let before = at;
            at = before.make(mv);
            write::<R>(game, &before, mv, notation)
        })
        .collect()
}

/// A move that is legal in `position`.
fn write<R: Rules>(
    game: &Game,
    position: &Position<Word<R>>,
    mv: &Move<Word<R>>,
    notation: Notation,
) -> String {
    match notation {
        Notation::Pdn => moves::write::<R>(game, position, mv, moves::Style::Pdn),
        Notation::Hub(numbering) => moves::write_hub::<R>(game, numbering, mv),
        Notation::HubInOrder(numbering) => moves::write_hub_in_order::<R>(game, numbering, position, mv),
    }
}

fn info<R: Rules>(
    game: &Game,
    position: &Position<Word<R>>,
    notation: Notation,
    info: &search::Info<Word<R>>,
) -> Info {
    Info {
        multipv: info.multipv,
        lines: info.lines,
        depth: info.depth,
        seldepth: info.seldepth,
        mean_depth: info.mean_depth,
        score: info.score,
        bound: info.bound,
        hashfull: info.hashfull,
        nodes: info.nodes,
        time: info.time,
        pv: texts::<R>(game, position, notation, &info.pv),
    }
}
