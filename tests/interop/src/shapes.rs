//! Sets of positions: every kind of container, every edge between them, one key and many.

/// A set of positions, ascending, with a name for messages.
pub struct Shape {
    pub name: &'static str,
    pub positions: Vec<i64>,
    /// Whether libdv writes a run container for it; delta_kernel, which never optimises, does not.
    pub has_runs: bool,
}

/// How many positions one container covers.
const CONTAINER: i64 = 1 << 16;
/// How many positions one 32-bit bitmap covers.
const KEY: i64 = 1 << 32;
/// The largest position of the contract.
const MAX_POSITION: i64 = 0x7FFF_FFFE_8000_0000;

pub fn shapes() -> Vec<Shape> {
    let mut all = one_key();
    all.extend(many_keys());
    all
}

fn plain(name: &'static str, positions: impl IntoIterator<Item = i64>) -> Shape {
    Shape {
        name,
        positions: positions.into_iter().collect(),
        has_runs: false,
    }
}

fn with_runs(name: &'static str, positions: impl IntoIterator<Item = i64>) -> Shape {
    Shape {
        has_runs: true,
        ..plain(name, positions)
    }
}

fn one_key() -> Vec<Shape> {
    vec![
        plain("first position", [0]),
        plain("last of a container, first of the next", [CONTAINER - 1, CONTAINER]),
        plain("last of the first key", [KEY - 1]),
        plain("largest array", (0..4096).map(|i| i * 3)),
        plain("smallest bitmap", (0..4097).map(|i| i * 3)),
        plain("every second position", (0..100_000).map(|i| i * 2)),
        plain("sparse", every_so_often(2000, 50_000, 1)),
        plain("dense and scattered", every_so_often(200_000, 9, 2)),
        with_runs("four in a row", 10..14),
        with_runs("full container", CONTAINER..2 * CONTAINER),
        with_runs("all but one", (0..3 * CONTAINER).filter(|&i| i != 70_000)),
        with_runs("runs", (0..500).flat_map(|i| i * 1000..i * 1000 + 400)),
        with_runs(
            "array, bitmap and runs",
            (0..1000)
                .map(|i| i * 50)
                .chain((0..30_000).map(|i| CONTAINER + i * 2))
                .chain(2 * CONTAINER..2 * CONTAINER + 50_000)
                .chain([5 * CONTAINER + 17]),
        ),
    ]
}

fn many_keys() -> Vec<Shape> {
    vec![
        plain("second key alone", [KEY, KEY + 7]),
        plain("keys 0 and 1", [5, KEY - 1, KEY, KEY + CONTAINER]),
        plain("keys with gaps", (0..20).map(|i| i * i * KEY + i)),
        plain("array and bitmap under keys 1 and 3", {
            let array = (0..4000).map(|i| KEY + i * 5);
            array.chain((0..9000).map(|i| 3 * KEY + i * 3))
        }),
        with_runs("run under key 2", 2 * KEY - 100..2 * KEY + 100),
        plain("largest position", [0, MAX_POSITION]),
    ]
}

/// `count` positions, each one to `gap` behind the one before it, never two in a row.
fn every_so_often(count: usize, gap: u64, seed: u64) -> Vec<i64> {
    let (mut state, mut at) = (seed, 0);
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        at += 2 + ((state >> 33) % gap) as i64;
        at
    };
    (0..count).map(|_| next()).collect()
}
