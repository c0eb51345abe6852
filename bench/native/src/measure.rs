//! Timing: contestants take turns in one process, and the best sample of each counts.

use std::time::{Duration, Instant};

/// What a contestant's time stands for.
#[derive(Clone, Copy, PartialEq)]
pub enum Role {
    /// The call that a table is about.
    Ours,
    /// Another way through libdv to the same result.
    Variant,
    /// A peer's way.
    Peer(Checks),
    /// What the memory alone takes: read the input once, write the output once.
    Limit,
    /// The same with the checksum of the input.
    Floor,
}

impl Role {
    /// A peer, and where `validates`, one that checks as much as libdv does.
    pub fn is_peer(self, validates: bool) -> bool {
        matches!(self, Role::Peer(checks) if !validates || checks != Checks::Bounds)
    }
}

/// How much of its input a peer checks, beyond the frame around it.
#[derive(Clone, Copy, PartialEq)]
pub enum Checks {
    /// That the bitmap stays within its bytes.
    Bounds,
    /// Also that the values are in order, as libdv does.
    Order,
    /// The input is positions: there is nothing to check.
    Nothing,
}

impl Checks {
    /// What peers come with that read a blob.
    pub const OF_BLOBS: [Checks; 2] = [Checks::Bounds, Checks::Order];

    pub fn order(self) -> bool {
        self == Checks::Order
    }
}

/// A buffer that contestants fill; `spoil` makes sure that a result left by another one does not pass.
pub trait Output {
    fn spoil(&mut self);
}

pub struct Contestant<'a, T> {
    pub name: &'static str,
    pub role: Role,
    pub run: Box<dyn FnMut(&mut T) + 'a>,
}

impl<'a, T> Contestant<'a, T> {
    pub fn new(name: &'static str, role: Role, run: impl FnMut(&mut T) + 'a) -> Contestant<'a, T> {
        Contestant {
            name,
            role,
            run: Box::new(run),
        }
    }
}

pub struct Measured {
    pub name: &'static str,
    pub role: Role,
    pub nanos: f64,
}

impl Measured {
    /// The name in the tables.
    pub fn title(&self) -> String {
        match self.role {
            Role::Peer(Checks::Order) => format!("{}, validated", self.name),
            _ => self.name.to_owned(),
        }
    }
}

/// How long to measure.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Per contestant and cell.
    pub time: Duration,
    pub rounds: u32,
}

impl Effort {
    pub const FULL: Effort = Effort {
        time: Duration::from_millis(250),
        rounds: 7,
    };
    pub const QUICK: Effort = Effort {
        time: Duration::from_millis(40),
        rounds: 3,
    };
}

/// A sample shorter than this would measure the clock.
const SAMPLE: Duration = Duration::from_micros(20);
/// One turn runs at least this long, so that caches are the contestant's own.
const TURN: Duration = Duration::from_millis(2);
/// A peer this many times slower than the best peer so far is not run any longer.
const HOPELESS: f64 = 3.0;

/// Lets every contestant show that its result passes `check`, then times them in turns.
pub fn contest<T: Output>(
    what: &str,
    mut contestants: Vec<Contestant<T>>,
    output: &mut T,
    check: impl Fn(&T) -> bool,
    effort: Effort,
) -> Vec<Measured> {
    let mut batches = Vec::with_capacity(contestants.len());
    for contestant in &mut contestants {
        output.spoil();
        let start = Instant::now();
        (contestant.run)(output);
        let once = start.elapsed().max(Duration::from_nanos(20));
        assert!(
            matches!(contestant.role, Role::Limit | Role::Floor) || check(output),
            "{what}: {} came to another result than expected",
            contestant.name
        );
        batches.push((SAMPLE.as_nanos() / once.as_nanos()).clamp(1, 2000) as u32);
    }
    let mut best = vec![f64::INFINITY; contestants.len()];
    let mut live = vec![true; contestants.len()];
    let start = Instant::now();
    for round in 0.. {
        let budget = effort.time * live.iter().filter(|&&live| live).count() as u32;
        if round >= effort.rounds && start.elapsed() >= budget {
            break;
        }
        for index in (0..contestants.len()).filter(|&index| live[index]) {
            best[index] = best[index].min(turn(&mut contestants[index], output, batches[index]));
        }
        drop_hopeless(&contestants, &best, &mut live);
    }
    let named = contestants.iter().zip(best);
    named
        .map(|(contestant, nanos)| Measured {
            name: contestant.name,
            role: contestant.role,
            nanos,
        })
        .collect()
}

/// The best time per call, in ns, of one turn.
fn turn<T>(contestant: &mut Contestant<T>, output: &mut T, batch: u32) -> f64 {
    let turn = Instant::now();
    let mut best = Duration::MAX;
    loop {
        let start = Instant::now();
        for _ in 0..batch {
            (contestant.run)(output);
        }
        best = best.min(start.elapsed());
        if turn.elapsed() >= TURN {
            return best.as_nanos() as f64 / f64::from(batch);
        }
    }
}

fn drop_hopeless<T>(contestants: &[Contestant<T>], best: &[f64], live: &mut [bool]) {
    let fastest = |validates: bool| {
        let rivals = contestants
            .iter()
            .zip(best)
            .filter(|(contestant, _)| contestant.role.is_peer(validates));
        rivals.map(|(_, &nanos)| nanos).fold(f64::INFINITY, f64::min)
    };
    let (of_all, of_validating) = (fastest(false), fastest(true));
    for index in (0..live.len()).filter(|&index| contestants[index].role.is_peer(false)) {
        // One that validates is measured against its like.
        let rival = if contestants[index].role.is_peer(true) {
            of_validating
        } else {
            of_all
        };
        live[index] &= best[index] <= HOPELESS * rival;
    }
}

/// Reads every byte once and leaves no trace but a number.
pub fn read(data: &[u8]) -> u64 {
    let (words, rest) = data.as_chunks::<8>();
    let folded = words.iter().fold(0, |sum: u64, word| sum ^ u64::from_ne_bytes(*word));
    folded ^ rest.iter().fold(0, |sum: u64, &byte| sum ^ u64::from(byte))
}

/// Writes every byte once, as memset does.
pub fn write<T: Copy>(out: &mut [T]) {
    // SAFETY: only used on integers, for which every bit pattern is a value.
    unsafe { std::ptr::write_bytes(std::hint::black_box(out.as_mut_ptr()), 0x5A, out.len()) };
    std::hint::black_box(out);
}

/// Writes every byte once with plain vector stores, which beats memset where the output exceeds the caches.
pub fn store(out: &mut [i64]) {
    std::hint::black_box(&mut *out).fill(0x0123_4567_89AB_CDEF);
    std::hint::black_box(out);
}
