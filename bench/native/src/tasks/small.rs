//! T6: small vectors, where a call's fixed cost counts.

use libdv_abi::Library;

use crate::data::{self, Case};

/// Positions per vector, over this many rows.
pub const COUNTS: [usize; 3] = [10, 100, 1000];
pub const ROWS: i64 = 100_000;

pub fn cases(library: &'static Library) -> Vec<Case> {
    let case = |&count: &usize| {
        Case::new(
            library,
            &format!("{count} positions"),
            ROWS,
            data::sample(count, ROWS, 60 + count as u64),
        )
    };
    COUNTS.iter().map(case).collect()
}
