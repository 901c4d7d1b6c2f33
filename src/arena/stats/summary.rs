//! The report of a match in words, each line as fastchess prints it.
//!
//! What does not exist is `n/a`, where fastchess prints `nan`; infinity is `inf`, as there.

use super::{Estimate, PairTally, Sample, Sprt, Tally};

/// `Elo: 4.00 +/- 5.68, nElo: 10.71 +/- 15.23`: logistic and normalised Elo with half their intervals of 95 %.
pub fn elo<const N: usize>(sample: &impl Sample<N>) -> String {
    let estimate = Estimate::of(sample);
    let field = |value: fn(Estimate) -> Option<f64>| two_decimals(estimate.and_then(value));
    let [elo, elo_error] = [field(|estimate| Some(estimate.elo)), field(|estimate| estimate.elo_error)];
    let [nelo, nelo_error] = [field(|estimate| estimate.nelo), field(|estimate| estimate.nelo_error)];
    format!("Elo: {elo} +/- {elo_error}, nElo: {nelo} +/- {nelo_error}")
}

/// `LOS: 91.59 %, DrawRatio: 74.80 %, PairsRatio: 1.21`, where the draws are pairs that ended 1-1.
pub fn pair_ratios(pairs: &PairTally) -> String {
    let pentanomial = pairs.pentanomial();
    let ratios = los_and_draws(pairs, pentanomial.draw_ratio());
    format!("{ratios}, PairsRatio: {}", two_decimals(pentanomial.pairs_ratio()))
}

/// `LOS: 91.59 %, DrawRatio: 74.80 %`, where the draws are games.
pub fn game_ratios(games: &Tally) -> String {
    los_and_draws(games, games.draw_ratio())
}

fn los_and_draws<const N: usize>(sample: &impl Sample<N>, draw_ratio: Option<f64>) -> String {
    let los = Estimate::of(sample).map(|estimate| estimate.los);
    format!("LOS: {}, DrawRatio: {}", percentage(los), percentage(draw_ratio))
}

/// `Games: 2000, Wins: 182, Losses: 159, Draws: 1659, Points: 1011.5 (50.58 %)`.
pub fn games(games: &Tally) -> String {
    let Tally { wins, draws, losses } = games;
    let (all, points, score) = (games.games(), games.points(), percentage(games.score()));
    format!("Games: {all}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {points:.1} ({score})")
}

/// `Ptnml(0-2): [5, 109, 748, 134, 4], WL/DD Ratio: 0.06`.
pub fn pentanomial(pairs: &PairTally) -> String {
    let ratio = two_decimals(pairs.wl_dd_ratio());
    format!("Ptnml(0-2): {:?}, WL/DD Ratio: {ratio}", pairs.pentanomial().0)
}

/// `LLR: 0.39 (13.3%) (-2.94, 2.94) [0.00, 2.50]`: the ratio, how far to a bound, the bounds, the hypotheses.
pub fn sprt(test: &Sprt, llr: f64) -> String {
    let settings = test.settings();
    let [ratio, progress] = [clean(llr, 2), clean(100.0 * test.progress(llr), 1)];
    let [lower, upper, elo0, elo1] =
        [test.lower(), test.upper(), settings.elo0, settings.elo1].map(|value| clean(value, 2));
    format!("LLR: {ratio} ({progress}%) ({lower}, {upper}) [{elo0}, {elo1}]")
}

/// The lines of a match of pairs, each with its line end; `played` may hold games of unfinished pairs besides.
pub fn pair_report(pairs: &PairTally, played: &Tally, test: Option<&Sprt>) -> String {
    let lines = [elo(pairs), pair_ratios(pairs), games(played), pentanomial(pairs)];
    report(lines, test.map(|test| sprt(test, test.llr(pairs))))
}

/// The lines of a match of single games, each with its line end.
pub fn game_report(played: &Tally, test: Option<&Sprt>) -> String {
    report([elo(played), game_ratios(played), games(played)], test.map(|test| sprt(test, test.llr(played))))
}

fn report(lines: impl IntoIterator<Item = String>, last: Option<String>) -> String {
    lines.into_iter().chain(last).map(|line| line + "\n").collect()
}

fn two_decimals(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| clean(value, 2))
}

fn percentage(share: Option<f64>) -> String {
    share.map_or_else(|| "n/a".to_owned(), |share| format!("{:.2} %", 100.0 * share))
}

/// With so many decimals, and no sign before a zero.
fn clean(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.chars().all(|c| c == '0' || c == '.') => zero.to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Model, SprtSettings};
    use super::*;

    fn test(elo0: f64, elo1: f64, beta: f64) -> Sprt {
        let settings = SprtSettings { elo0, elo1, alpha: 0.05, beta, model: Model::Normalized };
        Sprt::new(settings).unwrap()
    }

    #[test]
    fn a_fastchess_report_word_for_word() {
        // <https://ijccrl.com/2-fastchess-test-sprt-wordfish-base-vs-wordfish-dev>; the split of the 748 pairs
        // follows from 1659 draws.
        let pairs = PairTally { ll: 5, ld: 109, wl: 40, dd: 708, wd: 134, ww: 4 };
        let expected = "Elo: 4.00 +/- 5.68, nElo: 10.71 +/- 15.23\n\
                        LOS: 91.59 %, DrawRatio: 74.80 %, PairsRatio: 1.21\n\
                        Games: 2000, Wins: 182, Losses: 159, Draws: 1659, Points: 1011.5 (50.58 %)\n\
                        Ptnml(0-2): [5, 109, 748, 134, 4], WL/DD Ratio: 0.06\n\
                        LLR: 0.39 (13.3%) (-2.94, 2.94) [0.00, 2.50]\n";
        assert_eq!(pair_report(&pairs, &pairs.tally(), Some(&test(0.0, 2.5, 0.05))), expected);
    }

    #[test]
    fn another_with_unequal_errors() {
        // <https://github.com/brunocodutra/cinder/pull/781>; alpha 0.05, beta 0.10.
        let pairs = PairTally { ll: 191, ld: 1695, wl: 1540, dd: 1759, wd: 1840, ww: 238 };
        let expected = "Elo: 5.72 +/- 3.40, nElo: 9.51 +/- 5.65\n\
                        LOS: 99.95 %, DrawRatio: 45.42 %, PairsRatio: 1.10\n\
                        Games: 14526, Wins: 3856, Losses: 3617, Draws: 7053, Points: 7382.5 (50.82 %)\n\
                        Ptnml(0-2): [191, 1695, 3299, 1840, 238], WL/DD Ratio: 0.88\n\
                        LLR: 2.89 (100.1%) (-2.25, 2.89) [0.00, 3.00]\n";
        assert_eq!(pair_report(&pairs, &pairs.tally(), Some(&test(0.0, 3.0, 0.1))), expected);
    }

    #[test]
    fn nothing_played() {
        let expected = "Elo: n/a +/- n/a, nElo: n/a +/- n/a\n\
                        LOS: n/a, DrawRatio: n/a, PairsRatio: n/a\n\
                        Games: 0, Wins: 0, Losses: 0, Draws: 0, Points: 0.0 (n/a)\n\
                        Ptnml(0-2): [0, 0, 0, 0, 0], WL/DD Ratio: n/a\n\
                        LLR: 0.00 (0.0%) (-2.94, 2.94) [0.00, 5.00]\n";
        assert_eq!(
            pair_report(&PairTally::default(), &Tally::default(), Some(&test(0.0, 5.0, 0.05))),
            expected
        );
    }

    #[test]
    fn all_won() {
        let played = Tally { wins: 3, ..Default::default() };
        let expected = "Elo: inf +/- n/a, nElo: inf +/- n/a\n\
                        LOS: 100.00 %, DrawRatio: 0.00 %\n\
                        Games: 3, Wins: 3, Losses: 0, Draws: 0, Points: 3.0 (100.00 %)\n";
        assert_eq!(game_report(&played, None), expected);
    }

    #[test]
    fn no_sign_before_a_zero() {
        assert_eq!(
            [clean(-0.001, 2), clean(-0.0, 1), clean(-0.01, 2), clean(0.0, 0)],
            ["0.00", "0.0", "-0.01", "0"]
        );
    }
}
