//! What the tasks run on: reproducible sets of deleted rows, and their blobs.

use libdv_abi::{Bytes, Library, Vector};

/// SplitMix64: small, fast, and the same on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform below `bound`; the bias of 2^-64 per value is of no matter here.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

/// How the deleted rows lie.
#[derive(Clone, Copy, PartialEq)]
pub enum Shape {
    /// Every row is deleted with this probability.
    Density(f64),
    /// Runs of 1 to 2,000 deleted rows with gaps of 1 to 8,000 between them.
    Clustered,
    /// Every row is deleted.
    All,
}

/// The shapes of every table, with their labels.
pub const SHAPES: [(&str, Shape); 8] = [
    ("0.01%", Shape::Density(0.0001)),
    ("0.1%", Shape::Density(0.001)),
    ("1%", Shape::Density(0.01)),
    ("5%", Shape::Density(0.05)),
    ("10%", Shape::Density(0.1)),
    ("50%", Shape::Density(0.5)),
    ("clustered", Shape::Clustered),
    ("all", Shape::All),
];

/// The deleted rows below `rows`, ascending.
pub fn positions(shape: Shape, rows: i64, seed: u64) -> Vec<i64> {
    let mut random = Random::new(seed);
    match shape {
        Shape::Density(probability) => {
            let threshold = (probability * 2f64.powi(64)) as u64;
            (0..rows).filter(|_| random.next() < threshold).collect()
        }
        Shape::Clustered => {
            let mut out = Vec::new();
            let mut at = random.below(8000) as i64;
            while at < rows {
                let end = (at + 1 + random.below(2000) as i64).min(rows);
                out.extend(at..end);
                at = end + 1 + random.below(8000) as i64;
            }
            out
        }
        Shape::All => (0..rows).collect(),
    }
}

/// `count` different rows below `rows`, ascending.
pub fn sample(count: usize, rows: i64, seed: u64) -> Vec<i64> {
    let mut random = Random::new(seed);
    let mut out = Vec::new();
    while out.len() < count {
        out.extend((out.len()..count).map(|_| random.below(rows as u64) as i64));
        out.sort_unstable();
        out.dedup();
    }
    out
}

/// The same positions in random order.
pub fn shuffled(positions: &[i64], seed: u64) -> Vec<i64> {
    let mut random = Random::new(seed);
    let mut out = positions.to_vec();
    for last in (1..out.len()).rev() {
        out.swap(last, random.below(last as u64 + 1) as usize);
    }
    out
}

/// One cell of a table: a set of deleted rows, and the blob that libdv writes for it.
pub struct Case {
    pub label: String,
    pub rows: i64,
    pub positions: Vec<i64>,
    pub blob: Bytes,
}

impl Case {
    pub fn new(library: &'static Library, label: &str, rows: i64, positions: Vec<i64>) -> Case {
        let blob = Vector::of(library, &positions)
            .and_then(|vector| vector.serialize())
            .expect("libdv writes a blob");
        Case {
            label: label.to_owned(),
            rows,
            positions,
            blob,
        }
    }

    /// Whether every row is deleted.
    pub fn is_full(&self) -> bool {
        self.positions.len() as i64 == self.rows
    }
}

/// How many 64-bit words hold a mask of `rows` bits.
pub fn words(rows: i64) -> usize {
    (rows as usize).div_ceil(64)
}
