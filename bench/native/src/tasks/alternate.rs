//! T8: small changes and small reads by turns on one large vector.

use std::time::{Duration, Instant};

use libdv_abi::{Library, Vector};

use crate::data::{self, Random};
use crate::measure::{Checks, Effort, Measured, Role};
use crate::peers::cbitmap::Bitmap32;
use crate::peers::croaring;

pub const POSITIONS: usize = 1_000_000;
const ADDED: usize = 100;
const WINDOW: i64 = 4096;
/// Turns per pass; each pass begins with a fresh copy of the vector.
const TURNS: usize = 200;

/// One turn: what is set, and where the mask begins.
struct Turn {
    added: Vec<i64>,
    start: i64,
}

/// The vector over this many rows: bitmap containers at 10 million, arrays at 100 million.
pub const ROWS: [(&str, i64); 2] = [("10^7 rows", 10_000_000), ("10^8 rows", 100_000_000)];

/// The best time per turn, with that of CRoaring's 32-bit API beside it.
pub fn run(library: &'static Library, rows: i64, effort: Effort) -> Vec<Measured> {
    let positions = data::sample(POSITIONS, rows, 80);
    let turns = turns(rows);
    let vector = Vector::of(library, &positions).expect("dv_set_many");
    let bitmap = Bitmap32::of(&narrow(&positions));
    let mut masks = [vec![0; words()], vec![0; words()]];

    let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
    let start = Instant::now();
    for pass in 0.. {
        if pass >= effort.rounds && start.elapsed() >= 2 * effort.time {
            break;
        }
        ours = ours.min(our_pass(&vector, &turns, &mut masks[0]));
        theirs = theirs.min(their_pass(&bitmap, &turns, &mut masks[1]));
        assert!(masks[0] == masks[1], "T8: the last masks differ");
    }
    let nanos = |pass: Duration| pass.as_nanos() as f64 / TURNS as f64;
    vec![
        Measured {
            name: "dv_set_many, dv_keep_mask",
            role: Role::Ours,
            nanos: nanos(ours),
        },
        Measured {
            name: "CRoaring 32",
            role: Role::Peer(Checks::Nothing),
            nanos: nanos(theirs),
        },
    ]
}

fn our_pass(vector: &Vector, turns: &[Turn], mask: &mut [u64]) -> Duration {
    let mut vector = vector.copy().expect("dv_copy");
    // SAFETY: the same memory, seen as bytes.
    let bytes = unsafe { std::slice::from_raw_parts_mut(mask.as_mut_ptr().cast::<u8>(), size_of_val(mask)) };
    let start = Instant::now();
    for turn in turns {
        vector.set_many(&turn.added).expect("dv_set_many");
        vector.keep_mask(turn.start, WINDOW, bytes).expect("dv_keep_mask");
    }
    start.elapsed()
}

fn their_pass(bitmap: &Bitmap32, turns: &[Turn], mask: &mut [u64]) -> Duration {
    let mut bitmap = bitmap.copy();
    let mut scratch = Vec::with_capacity(ADDED);
    let start = Instant::now();
    for turn in turns {
        scratch.clear();
        scratch.extend(turn.added.iter().map(|&position| position as u32));
        bitmap.add_many(&scratch);
        croaring::window(&bitmap, turn.start as u32, mask);
    }
    start.elapsed()
}

fn turns(rows: i64) -> Vec<Turn> {
    let mut random = Random::new(81);
    let mut below = |bound: i64| random.below(bound as u64) as i64;
    let turn = |_| Turn {
        added: (0..ADDED).map(|_| below(rows)).collect(),
        start: below(rows - WINDOW),
    };
    (0..TURNS).map(turn).collect()
}

fn narrow(positions: &[i64]) -> Vec<u32> {
    positions.iter().map(|&position| position as u32).collect()
}

fn words() -> usize {
    data::words(WINDOW)
}
