//! What checks work with: the engine, the game as Soffio knows it, and positions to try.

use super::lines::{Words, ascending, first_word, quote};
use super::sample::Sample;
use super::talk::{HANDSHAKE, PATIENCE, Search, Talk};
use super::trials::Trial;
use super::{Outcome, Trouble};
use crate::arena::contestant::Contestant;
use crate::engine::{self, Notation, Session};
use crate::notation::HubNumbering;
use crate::rules::Game;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How long nothing must come from an engine without `ping` before it counts as having finished.
const QUIET: Duration = Duration::from_millis(150);

/// Everything that checks share.
pub(super) struct Lab<'a> {
    contestant: &'a Contestant,
    /// The game that is played.
    pub game: &'a Game,
    /// The conversation.
    pub talk: Talk<'a>,
    /// The lines of the last handshake up to `wait`.
    pub declared: Vec<String>,
    /// Whether it answers `ping`; the check of it says so.
    pub pings: bool,
    /// Lines between checks that answer nothing, and after which.
    pub stray: Vec<String>,
    /// Searches of the sample, made when the first check asks for them.
    pub trials: Option<Vec<Trial>>,
    sample: Option<Sample>,
}

impl<'a> Lab<'a> {
    /// Nothing is started yet.
    pub fn new(contestant: &'a Contestant, game: &'a Game, abort: &'a AtomicBool) -> Self {
        Self {
            contestant,
            game,
            talk: Talk::new(abort),
            declared: Vec::new(),
            pings: true,
            stray: Vec::new(),
            trials: None,
            sample: None,
        }
    }

    /// What the engine calls itself.
    pub fn engine(&self) -> String {
        let id = self.lines_of("id").find_map(|line| Words::parse(line).ok());
        let word = |name: &str| id.as_ref().and_then(|words| words.get(name)).map(str::to_owned);
        match (word("name"), word("version")) {
            (Some(name), Some(version)) => format!("{name} {version}"),
            (Some(name), None) => name,
            _ => self.contestant.name.clone(),
        }
    }

    /// The lines of the handshake that begin with a word.
    pub fn lines_of(&self, word: &str) -> impl Iterator<Item = &str> {
        self.declared.iter().map(String::as_str).filter(move |line| first_word(line) == word)
    }

    /// The declaration of a parameter.
    pub fn param(&self, name: &str) -> Option<Words> {
        self.lines_of("param")
            .filter_map(|line| Words::parse(line).ok())
            .find(|of| of.get("name") == Some(name))
    }

    /// The squares as this engine numbers them.
    pub fn numbering(&self) -> HubNumbering {
        self.contestant.quirks.numbering
    }

    /// How moves are told to it.
    pub fn notation(&self) -> Notation {
        Notation::Hub(self.numbering())
    }

    /// A game at its start.
    pub fn session(&self) -> Box<dyn Session> {
        engine::open(self.game.clone())
    }

    /// The `pos` line of the start position.
    pub fn start_line(&self) -> String {
        format!("pos pos={}", self.session().hub(self.numbering()))
    }

    /// Positions to try.
    pub fn sample(&mut self) -> Sample {
        let (game, numbering) = (self.game, self.numbering());
        self.sample.get_or_insert_with(|| Sample::draw(game, numbering)).clone()
    }

    /// Starts a process, and says nothing to it.
    pub fn start(&mut self) -> Outcome {
        self.talk.start(&self.contestant.program)
    }

    /// A process that is ready to play: the one that there is, or a new one.
    pub fn make_ready(&mut self) -> Outcome {
        if !self.talk.is_open() {
            self.start()?;
            self.shake_hands()?;
            self.configure()?;
        }
        self.talk.turn_page();
        Ok(())
    }

    /// From `hub` to `wait`.
    pub fn shake_hands(&mut self) -> Outcome {
        self.talk.send("hub");
        let lines = self.talk.until("wait", HANDSHAKE)?;
        self.declared = lines.into_iter().map(|line| line.text).collect();
        Ok(())
    }

    /// The parameters of this run, and `init`.
    pub fn configure(&mut self) -> Outcome {
        self.talk.turn_page();
        for line in self.settings() {
            self.talk.send(&line);
        }
        self.talk.send("init");
        self.talk.until("ready", self.contestant.patience).map(drop)
    }

    /// The name under which the engine declares the rule set; `None` if it declares no variants.
    ///
    /// # Errors
    /// It plays others only.
    pub fn variant(&self) -> Result<Option<String>, Trouble> {
        if let Some(name) = &self.contestant.quirks.variant {
            return Ok(Some(name.clone()));
        }
        let Some(words) = self.param("variant") else { return Ok(None) };
        let values: Vec<_> = words.get("values").unwrap_or_default().split_whitespace().collect();
        let set = self.game.set;
        let mut names = [set.id].into_iter().chain(set.aliases.iter().copied());
        match names.find(|name| values.contains(name)) {
            Some(name) => Ok(Some(name.to_owned())),
            None => Err(self.talk.trouble(
                &format!("'{}' or another name of it among the values of 'variant'", set.id),
                &quote(&values.join(" ")),
            )),
        }
    }

    /// The `set-param` lines of this run: the rules, no book, as one is not searched, and what the user wants.
    pub fn settings(&self) -> Vec<String> {
        let mut pairs = Vec::new();
        if let Ok(Some(name)) = self.variant() {
            pairs.push(("variant".to_owned(), name));
        }
        if self.param("rule").is_some() {
            pairs.push(("rule".to_owned(), self.rules()));
        }
        if self.param("book").is_some_and(|book| book.get("type") == Some("bool")) {
            pairs.push(("book".to_owned(), "false".to_owned()));
        }
        pairs.extend(self.contestant.params.iter().cloned());
        let quoted = |value: &str| {
            let bare = !value.is_empty() && !value.contains([' ', '\t', '=']);
            if bare { value.to_owned() } else { format!("\"{value}\"") }
        };
        pairs.iter().map(|(name, value)| format!("set-param name={name} value={}", quoted(value))).collect()
    }

    /// The options of the rule set that are not at their defaults.
    fn rules(&self) -> String {
        let default = Game::new(self.game.set).chosen;
        let changed = self.game.chosen.iter().filter(|choice| !default.contains(choice));
        changed.map(|(name, value)| format!("{name}:{value}")).collect::<Vec<_>>().join(" ")
    }

    /// After a check that found nothing wrong: waits until the engine has nothing more to say.
    pub fn settle(&mut self, after: &str) -> Outcome {
        let lines = if self.pings {
            self.talk.send("ping");
            let lines = self.talk.until("pong", PATIENCE);
            if lines.is_err() {
                self.talk.hang_up();
            }
            lines?.into_iter().map(|line| line.text).collect()
        } else {
            self.talk.listen(QUIET)?
        };
        let strays = lines.iter().filter(|line| first_word(line) != "pong");
        self.stray.extend(strays.map(|line| format!("{} after '{after}'", quote(line))));
        Ok(())
    }

    /// Sends lines that have no answer.
    pub fn expect_silence(&mut self, lines: &[&str]) -> Outcome {
        self.talk.turn_page();
        self.talk.send_all(lines);
        let came = self.until_quiet()?;
        match came.iter().find(|line| first_word(line) != "pong") {
            None => Ok(()),
            Some(line) => Err(self.talk.trouble("no answer", &quote(line))),
        }
    }

    /// Sends lines the last of which must be refused, once, and checks that the conversation goes on.
    pub fn expect_error(&mut self, lines: &[&str]) -> Outcome {
        self.talk.turn_page();
        self.talk.send_all(lines);
        let came = self.until_quiet()?;
        let came: Vec<_> = came.iter().filter(|line| first_word(line) != "pong").collect();
        // Nobody splits these lines, so there may be a '=' in the message.
        let refused = |line: &str| {
            line.strip_prefix("error message=").is_some_and(|text| !text.is_empty() && text != "\"\"")
        };
        match came[..] {
            [line] if refused(line) => Ok(()),
            [] => Err(self.talk.trouble("one line 'error message=...'", "nothing")),
            [line, ..] => Err(self.talk.trouble("one line 'error message=...'", &quote(line))),
        }
    }

    /// A search must have ended with a move of a list.
    pub fn expect_move(&self, search: &Search, legal: &[String]) -> Outcome {
        let best = search.best().map(|mv| ascending(&mv));
        if best.as_ref().is_some_and(|mv| legal.contains(mv)) {
            return Ok(());
        }
        let shown = quote(&legal.join(" "));
        Err(self.talk.trouble(&format!("'done move=...' with one of {shown}"), &quote(&search.done.text)))
    }

    /// Everything that comes until the engine has obeyed what was sent, idle.
    fn until_quiet(&mut self) -> Result<Vec<String>, Trouble> {
        if !self.pings {
            return self.talk.listen(QUIET);
        }
        self.talk.send("ping");
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            let line = self.talk.any(deadline, "an answer to 'ping'")?;
            lines.push(line);
            if lines.last().is_some_and(|line| first_word(line) == "pong") {
                return Ok(lines);
            }
        }
    }
}

/// Judges a time in seconds: above `slow` it is not good, above `wrong` it is wrong.
pub(super) fn judge_time(talk: &Talk<'_>, time: f64, slow: f64, wrong: f64, what: &str) -> Outcome {
    let came = format!("{what} after {time:.3} s");
    if time > wrong {
        Err(talk.trouble(&format!("{what} within {slow:.3} s"), &came))
    } else if time > slow {
        Err(talk.oddity(&format!("{what} within {slow:.3} s"), &came))
    } else {
        Ok(())
    }
}

/// The least of several measurements, as a busy machine spoils some; the first that is good enough ends them.
pub(super) fn least(good: f64, mut measure: impl FnMut() -> Result<f64, Trouble>) -> Result<f64, Trouble> {
    const TRIES: usize = 4;
    let mut least = f64::INFINITY;
    for _ in 0..TRIES {
        least = least.min(measure()?);
        if least <= good {
            break;
        }
    }
    Ok(least)
}
