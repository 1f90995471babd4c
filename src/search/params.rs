//! The constants of the search, one line each.
//!
//! Every variant has its own set ([`super::SearchRules::params`]). Each constant can be set by its
//! name while the program runs, for tuning. Units: depths in plies, margins in centipawns, late move
//! reductions (`lmr_`) in 1/1024 of a ply. The ideas and starting values come from
//! chessprogramming.org and from the published tuning of open-source engines; values that are not
//! round were found by `trebuchet spsa`.

/// A constant: its name, its value in standard chess, and the range in which it makes sense.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    pub name: &'static str,
    pub default: i32,
    pub min: i32,
    pub max: i32,
}

macro_rules! params {
    ($($name:ident: $default:literal in $min:literal..=$max:literal, $doc:literal;)+) => {
        /// A set of search constants.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $(#[doc = $doc] pub $name: i32,)+
        }

        impl Params {
            /// The constants of standard chess. Variants change some of them.
            pub const STANDARD: Params = Params { $($name: $default,)+ };

            /// All constants.
            pub const LIST: &'static [Param] = &[$(
                Param { name: stringify!($name), default: $default, min: $min, max: $max },
            )+];

            fn field(&mut self, name: &str) -> Option<(&mut i32, i32, i32)> {
                match name {
                    $(stringify!($name) => Some((&mut self.$name, $min, $max)),)+
                    _ => None,
                }
            }
        }
    };
}

params! {
    aspiration_depth: 5 in 2..=10, "first iteration with an aspiration window";
    aspiration_delta: 16 in 5..=60, "half the first aspiration window, centipawns";
    aspiration_widest: 800 in 100..=2000, "a wider window on one side, in centipawns, becomes the full one";
    aspiration_reduced: 3 in 0..=6, "most plies by which a window is searched less deep after failing high";

    iir_depth: 4 in 2..=8, "least depth of internal iterative reduction";

    rfp_depth: 8 in 4..=14, "greatest depth of reverse futility pruning";
    rfp_margin: 58 in 30..=250, "centipawns per ply of depth";
    rfp_history: 0 in 0..=200, "centipawns less for the full history of the opponent's move";
    rfp_return: 50 in 0..=100, "percent of beta in the score that is returned; the rest is the evaluation";

    mate_lead: 1500 in 300..=20_000, "centipawns of a lead above which reverse futility pruning and razoring stop";

    razor_depth: 3 in 0..=6, "greatest depth of razoring; 0 is never";
    razor_margin: 250 in 100..=600, "centipawns per ply of depth";

    null_depth: 3 in 2..=6, "least depth of a null move";
    null_base: 3 in 2..=6, "reduction of a null move, plies";
    null_depth_divisor: 4 in 2..=8, "plies of depth for one more ply of reduction";
    null_eval_divisor: 204 in 80..=400, "centipawns above beta for one more ply of reduction";
    null_eval_max: 3 in 1..=6, "most plies of reduction for an evaluation above beta";

    probcut_depth: 5 in 3..=8, "least depth of ProbCut";
    probcut_margin: 200 in 80..=600, "centipawns above beta that a capture must reach";
    probcut_improving: 50 in 0..=150, "centipawns less when the evaluation improves";
    probcut_reduction: 4 in 2..=6, "depth by which ProbCut verifies a capture less deep";

    keep_checks_depth: 4 in 1..=20, "least depth at which late move pruning keeps checks";
    lmp_base: 3 in 1..=8, "moves tried at depth 0 before late move pruning";
    futility_depth: 7 in 4..=12, "greatest reduced depth of futility pruning";
    futility_base: 155 in 20..=300, "centipawns at reduced depth 0";
    futility_margin: 99 in 30..=250, "centipawns per ply of reduced depth";
    futility_alpha: 1500 in 300..=3000, "centipawns of alpha above which futility pruning stops";
    pruning_base: 1098 in 0..=2000, "reduction that the reduced depth of pruning assumes, constant part";
    pruning_factor: 657 in 200..=800, "same, times ln(depth) ln(move number)";
    pruning_history_divisor: 10490 in 3000..=20000, "history for one ply less of this reduction";
    history_depth: 4 in 1..=8, "greatest reduced depth of history pruning";
    history_margin: 1466 in 500..=6000, "history below zero per ply of depth";
    see_quiet_margin: 30 in 10..=80, "centipawns a quiet move may lose, times reduced depth squared";
    see_noisy_margin: 51 in 40..=200, "centipawns a capture may lose per ply of depth";

    lmr_depth: 2 in 1..=4, "least depth of late move reductions";
    lmr_root_moves: 3 in 1..=8, "moves that are not reduced at the root";
    lmr_pv_moves: 1 in 1..=8, "same, at other PV nodes";
    lmr_moves: 1 in 1..=8, "same, at all other nodes";
    lmr_quiet_base: 1098 in 0..=2000, "reduction of a quiet move, constant part";
    lmr_quiet_factor: 657 in 200..=800, "same, times ln(depth) ln(move number)";
    lmr_noisy_base: 44 in 0..=1500, "reduction of a capture, constant part";
    lmr_noisy_factor: 258 in 100..=600, "same, times ln(depth) ln(move number)";
    lmr_pv: 560 in 0..=2048, "less at PV nodes";
    lmr_was_pv: 700 in 0..=2048, "less at nodes that were once on the PV";
    lmr_cut_node: 639 in 0..=3072, "more at expected cut-nodes";
    lmr_no_table_move: 1024 in 0..=2048, "more at expected cut-nodes without a table move";
    lmr_not_improving: 1196 in 0..=2048, "more when the evaluation does not improve";
    lmr_noisy_best: 800 in 0..=2048, "more when the table's move is a capture";
    lmr_check: 1740 in 0..=3072, "less for a move that gives check";
    lmr_killer: 1024 in 0..=2048, "less for a killer";
    lmr_cutoffs: 900 in 0..=2048, "more when many children have failed high";
    lmr_many_cutoffs: 3 in 0..=8, "children that have failed high; more of them are many";
    lmr_correction: 0 in 0..=40, "less per centipawn by which the evaluation is corrected";
    lmr_history_divisor: 10490 in 3000..=20000, "history of a quiet move for one ply less";
    lmr_noisy_history_divisor: 10490 in 1000..=20000, "history of a capture for one ply less";
    lmr_deeper: 50 in 10..=120, "centipawns above the best score for a deeper re-search";
    lmr_shallower: 64 in 0..=256, "1/64 centipawns per ply above the best score; below that a re-search is less deep";
    hindsight_reduction: 0 in 0..=8, "a node gets a ply back if its move was reduced by this many plies or more and the opponent's evaluation has not fallen; 0 is never";

    singular_depth: 7 in 5..=10, "least depth of a singular extension";
    singular_entry: 3 in 1..=6, "plies by which the table's entry may be shallower than the node";
    singular_search: 128 in 64..=192, "depth of the search without the table's move, 1/256 of the depth after the move";
    singular_margin: 28 in 4..=48, "1/16 centipawns per ply of depth below the table's score";
    singular_double: 20 in 0..=60, "centipawns below that for a second ply";
    singular_triple: 120 in 40..=300, "centipawns below that for a third ply";
    singular_most: 12 in 4..=32, "moves of one line that may be extended by two plies or more";
    singular_beta: 2 in 0..=4, "plies less if the move is not singular and the table's score is at least beta";
    singular_cut_node: 1 in 0..=3, "plies less if it is not singular at an expected cut-node";

    check_extension: 0 in 0..=1, "plies more after a check";
    extension_line: 2 in 1..=4, "a line is extended up to this multiple of the iteration's depth";

    futility_history: 200 in 50..=1000, "history that is worth one centipawn of futility margin";
    see_quiet_history: 300 in 50..=1000, "history that is worth one centipawn of see_quiet_margin";
    see_noisy_history: 100 in 25..=1000, "history that is worth one centipawn of see_noisy_margin";

    history_bonus: 170 in 50..=400, "history bonus per ply of depth";
    history_bonus_base: 80 in -200..=400, "subtracted from the bonus";
    history_bonus_max: 1800 in 800..=4000, "greatest bonus";
    history_malus: 166 in 50..=400, "history malus per ply of depth";
    history_malus_max: 1500 in 600..=4000, "greatest malus";

    continuation_one: 128 in 0..=256, "weight of the continuation history of the move one ply before, 1/64";
    continuation_two: 64 in 0..=256, "same, two plies before";
    continuation_four: 64 in 0..=256, "same, four plies before";
    continuation_six: 64 in 0..=256, "same, six plies before";
    continuation_gravity: 32 in 0..=64, "how much the other plies' entries draw on an entry's gravity, 1/64";
    bonus_fail_low: 60 in 0..=200, "bonus of the move before a node that fails low, percent of a cutoff's";
    bonus_table: 60 in 0..=200, "bonus of a quiet table move whose score cuts off, percent of a cutoff's";
    bonus_research: 60 in 0..=200, "bonus or malus of a quiet move that is searched again, percent of a cutoff's";

    order_victim: 16 in 4..=40, "history that one centipawn of victim is worth in the order";
    order_see: 40 in 10..=200, "divides a capture's order value: what a good capture may lose in the main search, centipawns";
    order_check: 963 in 0..=16000, "history that a quiet check is worth in the order";

    correction_pawns: 60 in 0..=150, "centipawns at full correction by the pawns";
    correction_pieces: 60 in 0..=150, "centipawns at full correction by a side's pieces";
    correction_move: 50 in 0..=150, "centipawns at full correction by the last moves";
    correction_depth: 8 in 4..=16, "depth at which an error of one centipawn moves a correction by one";
    correction_most: 256 in 64..=512, "greatest change of a correction, which lies within 1024";
    endgame_scale: 40 in 10..=100, "percent of an evaluation that counts with two pieces on the board; all of it from 22 on";
    fifty_moves: 200 in 100..=400, "plies without capture and pawn move at which an evaluation would be worth nothing";

    quiescence_futility: 252 in 50..=400, "centipawns that a capture may gain beyond its victim";

    clock_soft: 50 in 20..=120, "soft limit, thousandths of the time left for the game";
    clock_hard: 280 in 100..=600, "hard limit, same";
    clock_increment: 55 in 20..=100, "percent of the increment that a move spends";
    time_share_base: 230 in 150..=320, "percent of the soft limit if the best move got no nodes";
    time_share: 210 in 100..=300, "percent less if the best move got all nodes";
    time_share_least: 40 in 20..=80, "least percent by the share of nodes";
    time_share_most: 230 in 120..=320, "most percent by the share of nodes";
    time_stability_base: 130 in 100..=200, "percent of the soft limit if the best move is new";
    time_stability: 5 in 0..=12, "percent less per iteration in which it stayed the best";
    time_stable_most: 10 in 4..=20, "iterations that count for this";
    time_falling: 40 in 0..=120, "percent more at most when the score falls";
    time_full_fall: 50 in 20..=150, "centipawns of a fall for all of it";
}

impl Params {
    /// Sets a constant by its name, limited to its range. Returns false if the name is unknown.
    pub fn set(&mut self, name: &str, value: i32) -> bool {
        match self.field(name) {
            Some((field, min, max)) => {
                *field = value.clamp(min, max);
                true
            }
            None => false,
        }
    }

    /// The value of the constant with this name, if there is one.
    pub fn get(&self, name: &str) -> Option<i32> {
        self.clone().field(name).map(|(field, ..)| *field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_is_set_by_name_within_its_range() {
        let mut params = Params::STANDARD;
        assert!(params.set("rfp_margin", 91));
        assert_eq!((params.rfp_margin, params.get("rfp_margin")), (91, Some(91)));
        assert!(params.set("rfp_margin", 100_000));
        assert_eq!(params.rfp_margin, 250);
        assert!(!params.set("no_such_thing", 1));
        assert_eq!(params.get("no_such_thing"), None);
    }

    #[test]
    fn every_default_lies_in_its_range() {
        for param in Params::LIST {
            assert!((param.min..=param.max).contains(&param.default), "{}", param.name);
            assert_eq!(Params::STANDARD.get(param.name), Some(param.default));
        }
    }
}
