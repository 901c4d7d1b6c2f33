//! The engines of a match, from the words that name them.

use super::limits::{Allowance, Clock};
use super::words::{self, Pair, WordError, choice};
use crate::notation::HubNumbering;
use crate::protocol::client::{Captures, Client, Fault, History, Needs, Peer, Quirks};
use crate::protocol::process::Program;
use crate::protocol::{PROTOCOLS, Protocol};
use crate::rules::Game;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long an engine may take to get ready, unless somebody says otherwise: some load large tables.
const PATIENCE: Duration = Duration::from_secs(30);

/// An engine of a match.
#[derive(Clone)]
pub struct Contestant {
    /// What it is called in this match.
    pub name: String,
    /// What limits its searches.
    pub allowance: Allowance,
    /// Whether each game gets a process of its own.
    pub restart: bool,
    /// The words that make it what it is, for the record of the match.
    pub words: Vec<Pair>,
    dialect: &'static dyn Protocol,
    pub(super) program: Program,
    pub(super) params: Vec<(String, String)>,
    pub(super) quirks: Quirks,
    pub(super) patience: Duration,
    peer: Peer,
}

/// The keys of `--engine` besides those of [`Allowance`] and `option.NAME`.
const KEYS: [&str; 18] = [
    "cmd",
    "name",
    "args",
    "dir",
    "proto",
    "addr",
    "connects",
    "asks",
    "restart",
    "patience",
    "variant",
    "numbering",
    "seconds",
    "inc",
    "history",
    "captures",
    "ping",
    "option.NAME",
];

impl Contestant {
    /// The engine of a line of words; `each` are the words of all engines, which its own override.
    ///
    /// # Errors
    /// Names the word that is wrong.
    pub fn parse(line: &str, each: &[Pair]) -> Result<Self, WordError> {
        let own = words::pairs(line)?;
        let inherited = each.iter().filter(|(key, _)| own.iter().all(|(other, _)| other != key));
        let words: Vec<Pair> = inherited.cloned().chain(own.iter().cloned()).collect();
        let value = |key: &str| words.iter().find(|(other, _)| other == key).map(|(_, value)| value.as_str());
        let dialect = find_dialect(value("proto"))?;
        let program = find_program(value("cmd"), value("dir"), value("args"), dialect.name())?;
        let given = ["cmd", "args", "addr"].map(|key| value(key).is_some());
        let peer = Peer {
            running: matches!(given, [false, false, true]),
            own: given == [false; 3],
            ..Peer::default()
        };
        let name = value("name").map_or_else(|| name_of(&program.path), str::to_owned);
        if name.is_empty() || name.chars().any(char::is_control) {
            return Err(WordError::bad("name", &name, "a name"));
        }
        let mut new = Self {
            name,
            allowance: Allowance::default(),
            restart: false,
            words: words.clone(),
            dialect,
            program,
            params: Vec::new(),
            quirks: Quirks::default(),
            patience: PATIENCE,
            peer,
        };
        for (key, value) in &words {
            new.set(key, value)?;
        }
        Ok(new)
    }

    /// Takes a word that is not about the program.
    fn set(&mut self, key: &str, value: &str) -> Result<(), WordError> {
        const SWITCH: [(&str, bool); 2] = [("on", true), ("off", false)];
        if self.allowance.set(key, value)? {
            return Ok(());
        }
        let quirks = &mut self.quirks;
        match key {
            "cmd" | "name" | "args" | "dir" | "proto" => {}
            "addr" | "connects" | "asks" if !self.dialect.is_over_socket() => {
                let why = format!("'{key}=' is for engines that are met over a socket, such as proto=dxp");
                return Err(WordError::Wrong(why));
            }
            "addr" if !is_address(value) => return Err(WordError::bad(key, value, "HOST:PORT")),
            "addr" => self.peer.addr = Some(value.to_owned()),
            "connects" => self.peer.listen = choice(key, value, &SWITCH)?,
            "asks" => self.peer.asks = choice(key, value, &SWITCH)?,
            "restart" => self.restart = choice(key, value, &SWITCH)?,
            "patience" => self.patience = Duration::from_secs(words::count::<u32>(key, value)?.into()),
            "variant" => quirks.variant = Some(value.to_owned()),
            "numbering" => quirks.numbering = choice(key, value, &NUMBERINGS)?,
            "seconds" => quirks.whole_seconds = choice(key, value, &[("whole", true), ("any", false)])?,
            "inc" => quirks.no_increment = !choice(key, value, &SWITCH)?,
            "history" => quirks.history = choice(key, value, &HISTORIES)?,
            "captures" => quirks.captures = choice(key, value, &CAPTURES)?,
            "ping" => quirks.no_ping = !choice(key, value, &SWITCH)?,
            _ => match key.strip_prefix("option.").filter(|name| !name.is_empty()) {
                Some(_) if value.contains('"') => {
                    return Err(WordError::bad(key, value, "a text without quotes"));
                }
                Some(name) => self.params.push((name.to_owned(), value.to_owned())),
                None => return Err(WordError::UnknownKey(key.to_owned(), known_keys())),
            },
        }
        Ok(())
    }

    /// Whether it is met over a socket, and not over its input and output.
    pub fn is_over_socket(&self) -> bool {
        self.dialect.is_over_socket()
    }

    /// Starts the engine and gets it ready to play `game`. Waiting ends when `abort` is set.
    ///
    /// # Errors
    /// [`Fault::Start`] says why it does not get ready.
    pub fn start(&self, game: &Game, abort: &Arc<AtomicBool>) -> Result<Box<dyn Client>, Fault> {
        self.dialect.connect(&Needs {
            game: game.clone(),
            program: self.program.clone(),
            params: self.params.clone(),
            quirks: self.quirks.clone(),
            peer: self.peer.clone(),
            patience: self.patience,
            abort: Arc::clone(abort),
        })
    }
}

const NUMBERINGS: [(&str, HubNumbering); 2] =
    [("standard", HubNumbering::Standard), ("pydraughts", HubNumbering::Pydraughts)];
const HISTORIES: [(&str, History); 3] =
    [("all", History::All), ("reversible", History::Reversible), ("none", History::None)];
const CAPTURES: [(&str, Captures); 3] =
    [("ascending", Captures::Ascending), ("path", Captures::Path), ("short", Captures::Short)];

/// Whether a text is a host and a port.
fn is_address(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
}

/// The keys of `--engine`, for people.
fn known_keys() -> String {
    KEYS.iter().chain(&Allowance::KEYS).copied().collect::<Vec<_>>().join(", ")
}

fn find_dialect(name: Option<&str>) -> Result<&'static dyn Protocol, WordError> {
    let names = || PROTOCOLS.iter().map(|protocol| protocol.name()).collect::<Vec<_>>().join(" or ");
    let name = name.unwrap_or("hub");
    let found = PROTOCOLS.iter().find(|protocol| protocol.name() == name);
    found.copied().ok_or_else(|| WordError::bad("proto", name, names()))
}

/// What starts an engine. Without a command it is this program; without arguments the name of the dialect is the only
/// one, as Hub clients have it. A path is relative to our working directory or, if nothing is there, to the engine's.
fn find_program(
    cmd: Option<&str>,
    dir: Option<&str>,
    args: Option<&str>,
    dialect: &str,
) -> Result<Program, WordError> {
    let dir = dir.map(PathBuf::from);
    if let Some(missing) = dir.as_deref().filter(|dir| !dir.is_dir()) {
        return Err(WordError::bad("dir", &missing.to_string_lossy(), "a directory that exists"));
    }
    let path = match cmd {
        Some("") => return Err(WordError::bad("cmd", "", "a program")),
        Some(cmd) => locate(Path::new(cmd), dir.as_deref()),
        None => std::env::current_exe()
            .map_err(|error| WordError::Wrong(format!("'cmd=' is missing: {error}")))?,
    };
    let args = match args {
        Some(args) => words::split(args)?.into_iter().map(|(word, _)| word.into()).collect(),
        None => vec![dialect.into()],
    };
    Ok(Program { path, args, dir })
}

/// The file of a path with a separator in it; a bare name is left to the system to search.
fn locate(cmd: &Path, dir: Option<&Path>) -> PathBuf {
    if cmd.components().count() < 2 {
        return cmd.to_owned();
    }
    let places = [Some(cmd.to_owned()), dir.map(|dir| dir.join(cmd))];
    let found = places.into_iter().flatten().find(|place| place.exists());
    found.and_then(|place| std::path::absolute(place).ok()).unwrap_or_else(|| cmd.to_owned())
}

fn name_of(program: &Path) -> String {
    let name = program.file_name().map_or_else(|| "engine".into(), |name| name.to_string_lossy());
    name.strip_suffix(std::env::consts::EXE_SUFFIX).unwrap_or(&name).to_owned()
}

/// Two engines at least, each with a limit and a name of its own.
///
/// # Errors
/// What is missing or given twice.
pub fn check(contestants: &[Contestant]) -> Result<(), WordError> {
    if contestants.len() < 2 {
        return Err(WordError::Wrong("a match needs two engines: give --engine twice or more".to_owned()));
    }
    for (index, contestant) in contestants.iter().enumerate() {
        let name = &contestant.name;
        if contestants[..index].iter().any(|other| other.name == *name) {
            return Err(WordError::Wrong(format!("two engines are called '{name}': give them name=")));
        }
        if contestant.allowance.is_open() {
            return Err(WordError::Wrong(format!(
                "nothing limits '{name}': give it tc=, st=, nodes= or depth="
            )));
        }
        contestant
            .dialect
            .check(&Clock::new(contestant.allowance).limits())
            .map_err(|why| WordError::Wrong(format!("'{name}': {why}")))?;
        let short = contestant.allowance.move_time.is_some_and(|time| time < Duration::from_secs(1));
        if short && contestant.quirks.whole_seconds {
            return Err(WordError::Wrong(format!("'{name}' knows whole seconds only: give it st=1 or more")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str, each: &str) -> Result<Contestant, String> {
        let each = words::pairs(each).unwrap();
        Contestant::parse(line, &each).map_err(|error| error.to_string())
    }

    #[test]
    fn words_of_an_engine() {
        let engine = parse(
            "cmd=scan args='hub -x \"a b\"' name='Scan 3.1' option.threads=2 option.book=false nodes=7 seconds=whole \
             inc=off history=reversible captures=short ping=off variant=normal restart=on",
            "nodes=5 tc=1+0.1",
        )
        .unwrap();
        assert_eq!(engine.name, "Scan 3.1");
        assert_eq!(engine.program.args, ["hub", "-x", "a b"]);
        assert_eq!(engine.params, [("threads".into(), "2".into()), ("book".into(), "false".into())]);
        assert_eq!(engine.allowance.describe(), "1+0.1, 7 nodes", "its own words override those of all");
        assert!(engine.restart);
        let quirks = Quirks {
            variant: Some("normal".into()),
            numbering: HubNumbering::Standard,
            whole_seconds: true,
            no_increment: true,
            history: History::Reversible,
            captures: Captures::Short,
            no_ping: true,
        };
        assert_eq!(engine.quirks, quirks);
        let own = parse("depth=1", "").unwrap();
        assert_eq!(own.program.args, ["hub"], "Hub engines are started with their dialect");
        assert_eq!(Ok(own.program.path), std::env::current_exe().map_err(|_| ()));
    }

    #[test]
    fn what_is_refused() {
        for (line, error) in [
            ("cmd=a proto=cecp", "bad value 'cecp' of 'proto': expected hub or uci or dxp"),
            ("cmd=a addr=x:1", "'addr=' is for engines that are met over a socket, such as proto=dxp"),
            ("proto=dxp addr=27531", "bad value '27531' of 'addr': expected HOST:PORT"),
            ("cmd=a dir=/no/such", "bad value '/no/such' of 'dir': expected a directory that exists"),
            ("cmd=a name=", "bad value '' of 'name': expected a name"),
            ("cmd=", "bad value '' of 'cmd': expected a program"),
            ("cmd=a inc=no", "bad value 'no' of 'inc': expected on or off"),
            ("cmd=a args='x", "unterminated quote, column 12"),
        ] {
            assert_eq!(parse(line, "").err().as_deref(), Some(error), "{line}");
        }
        let unknown = parse("cmd=a speed=3", "").err().unwrap();
        assert!(unknown.starts_with("unknown key 'speed': it may be cmd, name,"), "{unknown}");
        let two = |a, b| check(&[parse(a, "").unwrap(), parse(b, "").unwrap()]).unwrap_err().to_string();
        assert_eq!(two("cmd=a nodes=1", "cmd=a nodes=1"), "two engines are called 'a': give them name=");
        assert_eq!(two("cmd=a nodes=1", "cmd=b"), "nothing limits 'b': give it tc=, st=, nodes= or depth=");
        assert_eq!(
            two("cmd=a nodes=1", "name=b proto=dxp tc=1+1"),
            "'b': it speaks DXP, which knows minutes for a game only: give it tc=60 or more"
        );
    }

    #[test]
    fn engines_over_sockets() {
        let peer = |line| parse(line, "").unwrap().peer;
        let at = |addr: &str| Peer { addr: Some(addr.to_owned()), ..Peer::default() };
        assert_eq!(peer("proto=dxp"), Peer { own: true, ..Peer::default() });
        assert_eq!(peer("proto=dxp cmd=a"), Peer::default());
        assert_eq!(peer("proto=dxp addr=h:1"), Peer { running: true, ..at("h:1") });
        assert_eq!(peer("proto=dxp addr=h:1 cmd=a"), at("h:1"));
        assert_eq!(
            peer("proto=dxp addr=h:1 connects=on asks=on"),
            Peer { running: true, listen: true, asks: true, ..at("h:1") }
        );
        assert_eq!(parse("proto=dxp cmd=a", "").unwrap().program.args, ["dxp"]);
    }
}
