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

/// One mask, filled by turns, or all of them; and what they fold to.
struct Folded {
    mask: Mask,
    all: Vec<u8>,
    fold: u64,
}

/// The bytes of a mask, and those from one to the next where they come in one piece.
const SIZE: usize = (ROWS as usize).div_ceil(8);
const PADDED: usize = SIZE.next_multiple_of(64);

impl Folded {
    fn room() -> Folded {
        Folded {
            mask: Mask::of(ROWS),
            all: vec![0; VECTORS * PADDED],
            fold: 0,
        }
    }

    fn add(&mut self) {
        self.fold = folded(self.fold, self.mask.bytes());
    }

    /// Adds the first of those that came in one piece.
    fn add_all(&mut self, count: usize) {
        let masks = self.all.chunks_exact(PADDED).take(count);
        self.fold = masks.fold(self.fold, |fold, mask| folded(fold, &mask[..SIZE]));
    }
}

fn folded(fold: u64, mask: &[u8]) -> u64 {
    let (words, rest) = mask.as_chunks::<8>();
    let fold = words.iter().fold(fold.rotate_left(1), |fold, word| {
        fold.wrapping_add(u64::from_ne_bytes(*word))
    });
    rest.iter()
        .fold(fold, |fold, &byte| fold.wrapping_mul(31).wrapping_add(byte.into()))
}

impl Output for Folded {
    fn spoil(&mut self) {
        self.mask.spoil();
        self.all.fill(0x5A);
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
    let mut out = Folded::room();
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
        at_once(
            "dv_puffin_open, dv_puffin_keep_masks",
            Role::Ours,
            library,
            file,
            VECTORS,
        ),
        at_once("dv_puffin_keep_masks, 8 at a time", Role::Variant, library, file, 8),
        Contestant::new(
            "dv_puffin_open, dv_puffin_read, dv_keep_mask",
            Role::Variant,
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
    let mut out = Folded::room();
    measure::contest("T7", contestants, &mut out, |out| out.fold == file.fold, effort)
}

/// The masks of so many vectors per call: of all of them, or of what stays in the cache until it is used.
fn at_once<'a>(
    name: &'static str,
    role: Role,
    library: &'static Library,
    file: &'a File,
    vectors: usize,
) -> Contestant<'a, Folded> {
    let indices: Vec<usize> = (0..VECTORS).collect();
    let lengths = vec![ROWS; vectors];
    Contestant::new(name, role, move |out: &mut Folded| {
        out.fold = 0;
        // SAFETY: the bytes outlive the source.
        let source = unsafe { Source::memory(library, &file.bytes) }.expect("dv_source_memory");
        let puffin = Puffin::open(&source).expect("dv_puffin_open");
        for some in indices.chunks(vectors) {
            puffin
                .keep_masks(some, &lengths[..some.len()], &mut out.all)
                .expect("dv_puffin_keep_masks");
            out.add_all(some.len());
        }
    })
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
