//! What a call, a handle, the library itself cost, and how two threads share it.

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::time::{Duration, Instant};

use libdv_abi::{Library, Vector};

use crate::data::{self, Case, Shape};
use crate::measure::Effort;

/// One line of the costs table. `target` is what the project promises; empty where it promises nothing.
pub struct Cost {
    pub name: String,
    pub value: f64,
    pub unit: &'static str,
    pub target: &'static str,
}

pub fn run(library: &'static Library, effort: Effort) -> Vec<Cost> {
    let mut costs = vec![call(library, effort)];
    costs.extend(opening(library, effort));
    costs.push(threads(library, effort));
    costs.extend(loading(library.path()));
    costs.extend(size(library.path()));
    costs
}

fn cost(name: impl Into<String>, value: f64, unit: &'static str, target: &'static str) -> Cost {
    Cost {
        name: name.into(),
        value,
        unit,
        target,
    }
}

/// The best time of `run`, in ns, over as many samples as the effort allows.
fn best(effort: Effort, repeat: u32, mut run: impl FnMut()) -> f64 {
    let (start, mut best) = (Instant::now(), Duration::MAX);
    while start.elapsed() < effort.time {
        let sample = Instant::now();
        (0..repeat).for_each(|_| run());
        best = best.min(sample.elapsed());
    }
    best.as_nanos() as f64 / f64::from(repeat)
}

/// `dv_cardinality` does next to nothing: what is left is the way in and out.
fn call(library: &'static Library, effort: Effort) -> Cost {
    let vector = Vector::of(library, &[1, 2, 3]).expect("dv_set_many");
    let nanos = best(effort, 1000, || {
        black_box(vector.cardinality().expect("dv_cardinality"));
    });
    cost("one call (dv_cardinality)", nanos, "ns", "< 150")
}

/// Opening and freeing a view: a fixed part, then the checks of the bytes.
fn opening(library: &'static Library, effort: Effort) -> Vec<Cost> {
    let shapes = [(10, 100_000), (100_000, 10_000_000), (1_000_000, 10_000_000)];
    let open = |(count, rows): (usize, i64)| {
        let case = Case::new(library, "", rows, data::sample(count, rows, 90));
        let nanos = best(effort, 10, || {
            // SAFETY: the blob outlives the vector.
            drop(black_box(
                unsafe { Vector::view(library, &case.blob, count as i64) }.expect("dv_view"),
            ));
        });
        let name = format!("dv_view and dv_free, {count} positions in {} bytes", case.blob.len());
        cost(name, nanos, "ns", "")
    };
    shapes.map(open).into()
}

/// Two threads that read two vectors, against one that reads one. Short rounds find two idle processors even
/// on a machine that has other work.
fn threads(library: &'static Library, effort: Effort) -> Cost {
    let vectors = [91, 92]
        .map(|seed| Vector::of(library, &data::positions(Shape::Density(0.05), ROWS, seed)).expect("dv_set_many"));
    let (begun, done) = (AtomicU32::new(0), AtomicU32::new(0));
    let (alone, together) = std::thread::scope(|scope| {
        scope.spawn(|| follow(&vectors[1], &begun, &done));
        let times = lead(&vectors[0], &begun, &done, effort);
        begun.store(OVER, Release);
        times
    });
    let scaling = 2.0 * alone.as_secs_f64() / together.as_secs_f64();
    cost("two threads on two vectors, against one", scaling, "x", ">= 1.7")
}

const ROWS: i64 = 10_000_000;
const OVER: u32 = u32::MAX;

/// Scans alone and together by turns, and returns the best times of both.
fn lead(vector: &Vector, begun: &AtomicU32, done: &AtomicU32, effort: Effort) -> (Duration, Duration) {
    let mut mask = vec![0; ROWS as usize / 8];
    let (mut alone, mut together) = (Duration::MAX, Duration::MAX);
    let start = Instant::now();
    for round in 1.. {
        if start.elapsed() >= 10 * effort.time {
            break;
        }
        let scan = Instant::now();
        vector.keep_mask(0, ROWS, &mut mask).expect("dv_keep_mask");
        alone = alone.min(scan.elapsed());

        let both = Instant::now();
        begun.store(round, Release);
        vector.keep_mask(0, ROWS, &mut mask).expect("dv_keep_mask");
        while done.load(Acquire) != round {
            std::hint::spin_loop();
        }
        together = together.min(both.elapsed());
    }
    (alone, together)
}

/// Scans once per round that the leader begins.
fn follow(vector: &Vector, begun: &AtomicU32, done: &AtomicU32) {
    let mut mask = vec![0; ROWS as usize / 8];
    let mut last = 0;
    loop {
        let round = begun.load(Acquire);
        if round == OVER {
            return;
        }
        if round != last {
            vector.keep_mask(0, ROWS, &mut mask).expect("dv_keep_mask");
            last = round;
            done.store(round, Release);
        }
        std::hint::spin_loop();
    }
}

/// The argument that makes this program load the library, print how long it took in ns, and end.
pub const PROBE: &str = "--probe-load";

/// Loading, in a fresh process each time, up to and with the first call.
fn loading(library: &Path) -> Option<Cost> {
    let program = std::env::current_exe().ok()?;
    let probe = || {
        let output = Command::new(&program)
            .arg(PROBE)
            .env("LIBDV_LIBRARY", library)
            .output()
            .ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse::<f64>().ok()
    };
    let nanos = (0..15).filter_map(|_| probe()).fold(f64::INFINITY, f64::min);
    Some(cost("load the library and make one call", nanos / 1e6, "ms", "<= 10"))
}

/// The other side of [`loading`].
pub fn probe_load() {
    let start = Instant::now();
    let library = Library::open().expect("the library loads");
    drop(black_box(Vector::new(library).expect("dv_new")));
    println!("{}", start.elapsed().as_nanos());
}

/// The file as built, and stripped where there is a `strip`.
fn size(library: &Path) -> Vec<Cost> {
    let megabytes = |path: &Path| std::fs::metadata(path).ok().map(|file| file.len() as f64 / 1e6);
    let mut costs = Vec::new();
    costs.extend(megabytes(library).map(|size| cost("libdv.so as built", size, "MB", "")));
    let stripped = std::env::temp_dir().join(format!("libdv-stripped-{}.so", std::process::id()));
    let done = Command::new("strip").arg("-o").arg(&stripped).arg(library).status();
    if done.is_ok_and(|status| status.success()) {
        costs.extend(megabytes(&stripped).map(|size| cost("libdv.so stripped", size, "MB", "<= 6")));
    }
    let _ = std::fs::remove_file(&stripped);
    costs
}

/// Blob to mask from 10^4 to 10^8 rows at 1%: the time per row should not grow.
pub fn growth(library: &'static Library, effort: Effort) -> Vec<Cost> {
    let step = |power: u32| {
        let rows = 10i64.pow(power);
        let case = Case::new(library, "", rows, data::positions(Shape::Density(0.01), rows, 95));
        let mut mask = vec![0; (rows as usize).div_ceil(8)];
        let nanos = best(effort, 1, || {
            library
                .blob_keep_mask(&case.blob, case.positions.len() as i64, 0, rows, &mut mask)
                .expect("dv_blob_keep_mask");
        });
        cost(
            format!("dv_blob_keep_mask, 10^{power} rows, 1%"),
            nanos / rows as f64 * 1000.0,
            "ps/row",
            "",
        )
    };
    (4..=8).map(step).collect()
}
