//! Unit tests against figures that others have published, each with its source.

use super::classes::Classes;
use super::{
    Estimate, Model, PairTally, Pentanomial, Sample, Sprt, SprtSettings, Tally, elo_of_score, score_of_nelo,
};

/// Half a unit of the last of two decimals.
const TWO_DECIMALS: f64 = 0.005_000_001;

fn sprt([elo0, elo1]: [f64; 2], model: Model) -> Sprt {
    Sprt::new(SprtSettings { elo0, elo1, model, ..Default::default() }).unwrap()
}

#[track_caller]
fn near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value}, published {expected}");
}

#[track_caller]
fn has_llr<const N: usize>(sample: &impl Sample<N>, bounds: [f64; 2], model: Model, expected: f64) {
    near(sprt(bounds, model).llr(sample), expected, TWO_DECIMALS);
}

/// Elo, its error, nElo, its error.
#[track_caller]
fn has_elo<const N: usize>(sample: &impl Sample<N>, expected: [f64; 4]) {
    let estimate = Estimate::of(sample).unwrap();
    let found =
        [estimate.elo, estimate.elo_error.unwrap(), estimate.nelo.unwrap(), estimate.nelo_error.unwrap()];
    for (value, expected) in found.into_iter().zip(expected) {
        near(value, expected, TWO_DECIMALS);
    }
}

fn games(wins: u64, losses: u64, draws: u64) -> Tally {
    Tally { wins, draws, losses }
}

fn los<const N: usize>(sample: &impl Sample<N>) -> f64 {
    100.0 * Estimate::of(sample).unwrap().los
}

#[test]
fn wald_bounds() {
    // Wald 1945: ln(beta / (1 - alpha)) and ln((1 - beta) / alpha); the bounds as printed by fishtest (-2.94, 2.94),
    // fastchess (-2.25, 2.89: <https://github.com/brunocodutra/cinder/pull/781>) and OpenBench (-2.20, 2.20:
    // <https://github.com/kelseyde/hobbes-chess-engine/pull/24>; -3.86, 2.98:
    // <https://github.com/xu-shawn/Serendipity/pull/71>).
    let table = [
        (0.05, 0.05, -2.94, 2.94),
        (0.05, 0.1, -2.25, 2.89),
        (0.1, 0.1, -2.20, 2.20),
        (0.05, 0.02, -3.86, 2.98),
    ];
    for (alpha, beta, lower, upper) in table {
        let test = Sprt::new(SprtSettings { alpha, beta, ..Default::default() }).unwrap();
        near(test.lower(), lower, TWO_DECIMALS);
        near(test.upper(), upper, TWO_DECIMALS);
    }
    near(sprt([0.0, 5.0], Model::Normalized).upper(), 19f64.ln(), 1e-12);
}

#[test]
fn fastchess_sprt_tests() {
    // Disservin/fastchess, app/tests/sprt_test.cpp at 74deac2 (2026-07).
    use Model::{Logistic, Normalized};
    has_llr(&games(36433, 36027, 68692), [0.0, 2.0], Normalized, 0.92);
    has_llr(&games(10871, 10650, 20431), [-1.75, 0.25], Normalized, 2.30);
    has_llr(&games(21404, 21184, 40708), [0.5, 2.5], Logistic, -1.57);
    has_llr(&games(57433, 57030, 106593), [0.0, 2.0], Logistic, -2.59);
    let pairs = |[ll, ld, wl, dd, wd, ww]: [u64; 6]| PairTally { ll, ld, wl, dd, wd, ww };
    has_llr(&pairs([365, 16618, 36029, 200, 16974, 390]), [0.0, 2.0], Normalized, 2.25);
    has_llr(&pairs([127, 4883, 10311, 401, 5150, 104]), [-1.75, 0.25], Normalized, 3.01);
    has_llr(&pairs([223, 9863, 20279, 1000, 10037, 246]), [0.5, 2.5], Logistic, -3.07);
    has_llr(&pairs([871, 26175, 55003, 980, 26678, 821]), [0.0, 2.0], Logistic, -4.98);
    // There the fixed point is left before it has settled, which shows where one class holds all.
    near(sprt([0.0, 10.0], Normalized).llr(&games(4250, 0, 0)), 120.56, 0.03);
    near(sprt([0.0, 5.0], Normalized).llr(&pairs([0, 0, 0, 0, 0, 5550])), 111.82, 0.03);
}

#[test]
fn fastchess_elo_tests() {
    // Disservin/fastchess, app/tests/elo_test.cpp at 74deac2 (2026-07).
    let pairs = |[ll, ld, wl, dd, wd, ww]: [u64; 6]| PairTally { ll, ld, wl, dd, wd, ww };
    let first = Estimate::of(&games(76, 89, 123)).unwrap();
    near(first.nelo.unwrap(), -20.76, TWO_DECIMALS);
    near(first.nelo_error.unwrap(), 40.13, TWO_DECIMALS);
    near(100.0 * first.los, 15.53, TWO_DECIMALS);
    near(first.score, 0.477, 0.0005);
    has_elo(&games(136, 96, 111), [40.70, 30.43, 49.77, 36.77]);
    near(los(&games(136, 96, 111)), 99.60, TWO_DECIMALS);
    let lost = Estimate::of(&games(34, 356, 0)).unwrap();
    near(lost.nelo.unwrap(), -508.44, TWO_DECIMALS);
    near(lost.nelo_error.unwrap(), 34.48, TWO_DECIMALS);
    near(lost.score, 0.087, 0.0005);
    let won = pairs([34, 54, 31, 32, 64, 75]);
    has_elo(&won, [55.58, 27.65, 57.94, 28.28]);
    near(los(&won), 100.0, TWO_DECIMALS);
    let even = pairs([332, 433, 457, 41, 333, 334]);
    has_elo(&even, [-8.64, 10.33, -9.17, 10.96]);
    near(los(&even), 5.05, TWO_DECIMALS);
    has_elo(&pairs([7895, 8757, 5485, 200, 568, 9999]), [-21.04, 2.95, -19.01, 2.65]);
}

#[test]
fn fastchess_reports() {
    // Disservin/fastchess: pull request 515, issue 807, pull request 881, issue 1007 (three of its rows).
    has_elo(&Pentanomial([0, 1, 4, 0, 0]), [-34.86, 62.20, -122.84, 215.34]);
    near(los(&Pentanomial([0, 1, 4, 0, 0])), 13.18, TWO_DECIMALS);
    has_elo(&Pentanomial([30, 6, 18, 0, 6]), [-168.40, 73.37, -170.08, 62.16]);
    has_elo(&Pentanomial([549, 54, 33, 1, 0]), [-517.92, 38.60, -856.15, 19.08]);
    has_elo(&Pentanomial([5, 5, 36, 22, 22]), [101.21, 42.63, 128.22, 50.76]);
    has_elo(&Pentanomial([1, 3, 4, 1, 4]), [53.88, 134.87, 57.12, 133.55]);
    has_elo(&Pentanomial([5, 4, 3, 1, 0]), [-190.85, 131.22, -255.71, 133.55]);
    // <https://chess.stackexchange.com/questions/45881>.
    has_elo(&Pentanomial([4, 3, 34, 42, 117]), [277.00, 40.90, 345.17, 34.05]);
    // <https://github.com/brunocodutra/cinder/pull/727>.
    has_elo(&Pentanomial([50, 287, 610, 387, 73]), [18.04, 8.23, 28.19, 12.84]);
    has_llr(&Pentanomial([50, 287, 610, 387, 73]), [0.0, 5.0], Model::Normalized, 2.97);
    // <https://github.com/lynx-chess/Lynx/pull/1899>.
    has_elo(&Pentanomial([235, 1384, 2521, 1341, 239]), [-1.06, 4.05, -1.67, 6.37]);
    has_llr(&Pentanomial([235, 1384, 2521, 1341, 239]), [-5.0, 0.0], Model::Logistic, 1.69);
}

#[test]
fn one_sided_matches() {
    // Disservin/fastchess pull request 882, where the released program answers NaN (its issue 879).
    let lost = Pentanomial([72, 10, 0, 0, 0]);
    has_elo(&lost, [-600.97, 118.46, -1409.98, 53.17]);
    has_llr(&lost, [-1000.0, -500.0], Model::Normalized, -2.97);
    has_llr(&Pentanomial([77, 1, 0, 0, 0]), [-1000.0, -500.0], Model::Normalized, -2.95);
}

#[test]
fn stockfish_tests_in_normalised_elo() {
    // Pull requests of official-stockfish: Stockfish 4493, 6255, 6285, 6070, 6655, 6109 and Monty 23, 66.
    let table = [
        ([2002, 72968, 180891, 74129, 2034], [0.0, 2.0], 3.22),
        ([24, 7350, 23669, 7717, 28], [0.5, 2.5], 2.94),
        ([317, 12094, 28735, 12231, 319], [-1.75, 0.25], 2.96),
        ([47, 9917, 26934, 10064, 45], [-1.75, 0.25], 2.94),
        ([289, 26459, 62934, 26379, 331], [-1.75, 0.25], 2.94),
        ([118, 38575, 109888, 38432, 122], [-1.75, 0.25], 2.95),
        ([359, 15248, 33575, 15309, 389], [-1.75, 0.25], 2.98),
        ([1145, 40248, 87571, 40027, 1201], [-1.75, 0.25], 3.01),
        ([62, 2806, 6477, 3012, 75], [-1.75, 0.25], 2.95),
        ([81, 563, 1163, 687, 114], [0.0, 4.0], 3.16),
        ([142, 1471, 2953, 1650, 159], [1.0, 5.0], 2.94),
        ([434, 4052, 8304, 4206, 492], [0.0, 4.0], 3.00),
        ([829, 14632, 32502, 15215, 902], [1.0, 5.0], 2.93),
    ];
    for (pairs, bounds, llr) in table {
        has_llr(&Pentanomial(pairs), bounds, Model::Normalized, llr);
    }
}

#[test]
fn stockfish_tests_in_logistic_elo() {
    // Pull requests 2493, 3209 and 3331 of official-stockfish/Stockfish; the last two with 79 to 93 % of draws.
    let table = [
        ([424, 2948, 5832, 3045, 460], [-1.0, 3.0], 2.94),
        ([1284, 17437, 55536, 18085, 1292], [0.0, 2.0], 2.94),
        ([253, 4282, 17604, 4431, 286], [-0.25, 1.25], 2.94),
        ([58, 3302, 33130, 3518, 84], [0.25, 1.25], 2.97),
        ([115, 2196, 11328, 2317, 136], [-0.25, 1.25], 2.94),
        ([14, 1030, 14318, 1163, 19], [0.25, 1.25], 2.93),
    ];
    for (pairs, bounds, llr) in table {
        has_llr(&Pentanomial(pairs), bounds, Model::Logistic, llr);
    }
    // cutechess/cutechess issue 543.
    has_llr(&games(880, 759, 1863), [0.0, 5.0], Model::Logistic, 2.95);
}

#[test]
fn fishtest_elo_of_a_fixed_match() {
    // Pull request 6255 of official-stockfish/Stockfish: "Elo: 2.22 +- 1.3 (95%)", "nElo: 12.00 +- 6.8 (95%)",
    // "PairsRatio: 1.47".
    let pairs = Pentanomial([1, 137, 4659, 203, 0]);
    let estimate = Estimate::of(&pairs).unwrap();
    near(estimate.elo, 2.22, TWO_DECIMALS);
    near(estimate.elo_error.unwrap(), 1.3, 0.05);
    near(estimate.nelo.unwrap(), 12.00, TWO_DECIMALS);
    near(estimate.nelo_error.unwrap(), 6.8, 0.05);
    near(pairs.pairs_ratio().unwrap(), 1.47, TWO_DECIMALS);
}

#[test]
fn fishtest_raw_statistics() {
    // <https://montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712>, a server that runs fishtest.
    const FIVE: f64 = 0.000_005;
    let pairs = PairTally { ll: 13, ld: 37, wl: 27, dd: 23, wd: 25, ww: 3 };
    let estimate = Estimate::of(&pairs).unwrap();
    near(pairs.tally().draw_ratio().unwrap(), 0.42188, FIVE);
    near(pairs.pentanomial().draw_ratio().unwrap(), 0.39062, FIVE);
    near(estimate.score, 0.4375, 1e-12);
    near(estimate.elo, -43.6578, 0.00005);
    near(Classes::observed(&pairs).unwrap().0.variance(), 0.05762, FIVE);
    near(estimate.deviation.powi(2), 0.11523, FIVE);
    near(estimate.deviation, 0.33946, FIVE);
    near(estimate.nelo.unwrap(), -63.97, TWO_DECIMALS);
    let score1 = score_of_nelo(4.0, estimate.deviation);
    let elo1 = elo_of_score(score1).unwrap();
    near(score1, 0.50391, FIVE);
    near(elo1, 2.716, 0.0005);
    near(sprt([0.0, 4.0], Model::Normalized).llr(&pairs), -0.54912, FIVE);
    near(sprt([0.0, elo1], Model::Logistic).llr(&pairs), -0.53772, FIVE);
}

#[test]
fn openbench_reports() {
    // ProgramciDusunur/Potential pull request 140, Ciekce/Stormphrax 339, Yoshie2000/PlentyChess 234.
    has_llr(&Pentanomial([152, 382, 700, 400, 203]), [0.0, 10.0], Model::Normalized, 2.95);
    has_llr(&Pentanomial([443, 5756, 14076, 5863, 418]), [-3.0, 1.0], Model::Normalized, 2.99);
    has_llr(&Pentanomial([49, 1612, 4142, 1824, 44]), [0.0, 3.0], Model::Normalized, 2.93);
}
