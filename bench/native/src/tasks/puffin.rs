//! T7: a Puffin file of 1,000 vectors: opened, all of them read and masked.

use libdv_abi::{Library, Puffin, PuffinWriter, Source};
use serde_json::Value;

use super::outputs::Mask;
use crate::data;
use crate::measure::{self, Checks, Contestant, Effort, Measured, Output, Role};
use crate::peers::croaring::{self, Way};

pub const VECTORS: usize = 1000;
pub const ROWS: i64 = 100_000;
pub const POSITIONS: usize = 1000;

/// One mask, filled by turns, and what all of them fold to.
struct Folded {
    mask: Mask,
    fold: u64,
}

impl Folded {
    fn add(&mut self) {
        let (words, rest) = self.mask.bytes().as_chunks::<8>();
        let fold = words.iter().fold(self.fold.rotate_left(1), |fold, word| {
            fold.wrapping_add(u64::from_ne_bytes(*word))
        });
        self.fold = rest
            .iter()
            .fold(fold, |fold, &byte| fold.wrapping_mul(31).wrapping_add(byte.into()));
    }
}

impl Output for Folded {
    fn spoil(&mut self) {
        self.mask.spoil();
        self.fold = 0;
    }
}

pub struct File {
    pub bytes: Vec<u8>,
    fold: u64,
}

/// Writes the file.
pub fn file(library: &'static Library) -> File {
    let mut writer = PuffinWriter::new(library).expect("dv_writer_new");
    let mut out = Folded {
        mask: Mask::of(ROWS),
        fold: 0,
    };
    for index in 0..VECTORS {
        let positions = data::sample(POSITIONS, ROWS, 7000 + index as u64);
        writer
            .add(&format!("s3://warehouse/db/table/data/{index:05}.parquet"), &positions)
            .expect("dv_writer_add");
        out.mask = Mask::without(&positions, ROWS);
        out.add();
    }
    let bytes = writer
        .flush("s3://warehouse/db/table/data/deletes.puffin")
        .expect("dv_writer_flush")
        .to_vec();
    File { bytes, fold: out.fold }
}

pub fn run(library: &'static Library, file: &File, effort: Effort) -> Vec<Measured> {
    let contestants = vec![
        Contestant::new(
            "dv_puffin_open, dv_puffin_read, dv_keep_mask",
            Role::Ours,
            |out: &mut Folded| {
                out.fold = 0;
                // SAFETY: the bytes outlive the source.
                let source = unsafe { Source::memory(library, &file.bytes) }.expect("dv_source_memory");
                let puffin = Puffin::open(&source).expect("dv_puffin_open");
                for index in 0..puffin.count().expect("dv_puffin_count") {
                    let vector = puffin.read(index).expect("dv_puffin_read");
                    vector.keep_mask(0, ROWS, out.mask.bytes_mut()).expect("dv_keep_mask");
                    out.add();
                }
            },
        ),
        theirs(Checks::Bounds, file),
        theirs(Checks::Order, file),
        Contestant::new("memory", Role::Limit, |out: &mut Folded| {
            std::hint::black_box(measure::read(&file.bytes));
            for _ in 0..VECTORS {
                measure::write(&mut out.mask.words);
                out.add();
            }
        }),
    ];
    let mut out = Folded {
        mask: Mask::of(ROWS),
        fold: 0,
    };
    measure::contest("T7", contestants, &mut out, |out| out.fold == file.fold, effort)
}

fn theirs<'a>(checks: Checks, file: &'a File) -> Contestant<'a, Folded> {
    Contestant::new(
        "serde_json, CRoaring 32",
        Role::Peer(checks),
        move |out: &mut Folded| {
            out.fold = 0;
            for (offset, length) in footer(&file.bytes).expect("a good footer") {
                let blob = &file.bytes[offset..offset + length];
                croaring::mask32(blob, checks.order(), Way::Whole, ROWS, &mut out.mask.words);
                out.add();
            }
        },
    )
}

/// Where the vectors lie, from an uncompressed footer.
fn footer(file: &[u8]) -> Option<Vec<(usize, usize)>> {
    let tail = file.len().checked_sub(12)?;
    let size = u32::from_le_bytes(file[tail..tail + 4].try_into().ok()?) as usize;
    let payload = &file[tail.checked_sub(size)?..tail];
    let json: Value = serde_json::from_slice(payload).ok()?;
    let place = |blob: &Value| Some((blob["offset"].as_u64()? as usize, blob["length"].as_u64()? as usize));
    json["blobs"].as_array()?.iter().map(place).collect()
}
