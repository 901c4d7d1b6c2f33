//! `soffio dxp`.

use super::usage::number;
use super::{Common, Failure};
use crate::board::Side;
use crate::engine::{HASH_RANGE, MAX_THREADS};
use crate::protocol::dxp::{self, ADDRESS, Place, Plan, Role, Settings};
use crate::protocol::output::Output;
use crate::rules::Game;
use crate::search::Limits;
use clap::{Args, ValueEnum};
use std::io;
use std::time::Duration;

/// Most memory for the hash table, in MiB: entries have 16 bytes.
const MAX_HASH: u32 = 1 << (*HASH_RANGE.end() - 16);
/// What GAMEREQ has room for, in minutes and in moves.
const MOST: u32 = 999;

#[derive(Debug, Args)]
pub(super) struct DxpArgs {
    /// Wait there for programs that connect, one after the other [default: 127.0.0.1:27531]
    #[arg(long, value_name = "HOST:PORT", conflicts_with = "connect")]
    listen: Option<String>,
    /// Connect to a program that waits there
    #[arg(long, value_name = "HOST:PORT")]
    connect: Option<String>,
    /// Whether to ask for games, or to be asked [default: initiator with --connect, else follower]
    #[arg(long)]
    role: Option<RoleName>,
    /// End with the first connection
    #[arg(long)]
    once: bool,
    /// Initiator: how many games, with colours in turn
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=1_000_000u32))]
    games: u32,
    /// Initiator: minutes of each side for a game
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number(1..=MOST))]
    minutes: u32,
    /// Initiator: moves of each side, after which a game may be ended; 0 is no limit
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number(0..=MOST))]
    moves: u32,
    /// Initiator: our side in the first game
    #[arg(long, default_value = "white")]
    side: SideName,
    /// Initiator: where games begin [default: the start]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Seconds a move at most, besides the clock of the game
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    move_time: Option<Duration>,
    /// Nodes a move at most
    #[arg(long, value_name = "N", value_parser = number(1..=u64::MAX))]
    nodes: Option<u64>,
    /// Depth of a search at most, in plies
    #[arg(long, value_name = "PLIES", value_parser = number(1..=u32::MAX))]
    depth: Option<u32>,
    /// Threads of the search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=MAX_THREADS))]
    threads: usize,
    /// Memory for the hash table; rounded down to a power of two
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = number(1..=MAX_HASH))]
    hash: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RoleName {
    /// Asks for games
    Initiator,
    /// Is asked
    Follower,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SideName {
    /// White
    White,
    /// Black
    Black,
}

/// Plays over DXP; what goes on is told on standard output.
pub(super) fn run(common: &Common<'_>, args: &DxpArgs) -> Result<(), Failure> {
    let game = common.game_or("international")?;
    dxp::check_game(&game).map_err(Failure::Usage)?;
    let settings = args.settings(&game)?;
    dxp::serve(&game, &settings, Output::new(Box::new(io::stdout()))).map_err(Failure::Engine)
}

impl DxpArgs {
    fn settings(&self, game: &Game) -> Result<Settings, Failure> {
        let initiator = self.role.map_or(self.connect.is_some(), |role| role == RoleName::Initiator);
        if let Some(fen) = &self.fen {
            crate::engine::open(game.clone()).set_fen(fen)?;
        }
        let plan = Plan {
            games: self.games,
            side: if self.side == SideName::White { Side::White } else { Side::Black },
            time: Duration::from_secs(60 * u64::from(self.minutes)),
            moves: self.moves,
            fen: self.fen.clone(),
        };
        Ok(Settings {
            place: match (&self.connect, &self.listen) {
                (Some(address), _) => Place::Connect(address.clone()),
                (None, listen) => Place::Listen(listen.clone().unwrap_or_else(|| ADDRESS.to_owned())),
            },
            role: if initiator { Role::Initiator(plan) } else { Role::Follower },
            limits: Limits {
                move_time: self.move_time,
                nodes: self.nodes,
                depth: self.depth,
                ..Limits::default()
            },
            threads: self.threads,
            hash: Some(self.hash.ilog2() + 16),
            once: self.once,
        })
    }
}

/// A time of more than nothing, up to a day.
fn seconds(text: &str) -> Result<Duration, String> {
    const DAY: f64 = 86_400.0;
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0 && *seconds <= DAY);
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("expected seconds, more than 0 and at most {DAY}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for bad in ["0", "-1", "nan", "inf", "x", "", "1e9"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
