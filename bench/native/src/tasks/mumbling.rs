//! T5: a Mumbling bitmap to the keep mask and to its positions.
//!
//! No native peer reads the format; the Java bench compares with Iceberg.

use libdv_abi::{Bytes, Library, Mumbling, Vector};

use super::outputs::Mask;
use crate::data::{self, Shape};
use crate::measure::{self, Contestant, Effort, Measured, Output, Role};

/// One cell: a bitmap and what it holds.
pub struct Bitmap {
    pub label: String,
    pub rows: i64,
    pub positions: Vec<i64>,
    pub data: Bytes,
}

pub fn bitmaps(library: &'static Library) -> Vec<Bitmap> {
    let mumbling = Mumbling::new(library).expect("the Mumbling functions");
    let bitmap = |label: String, rows, positions: Vec<i64>| {
        let vector = Vector::of(library, &positions).expect("dv_set_many");
        Bitmap {
            label,
            rows,
            data: mumbling.encode(&vector).expect("mumbling_from_dv"),
            positions,
        }
    };
    let mut all = Vec::new();
    for rows in [50_000, 2_097_152] {
        all.push(bitmap(
            format!("{rows} rows, 100 positions"),
            rows,
            data::sample(100, rows, 50),
        ));
        for (label, density) in [("1%", 0.01), ("10%", 0.1), ("50%", 0.5)] {
            let positions = data::positions(Shape::Density(density), rows, 51);
            all.push(bitmap(format!("{rows} rows, {label}"), rows, positions));
        }
        all.push(bitmap(format!("{rows} rows, all"), rows, (0..rows).collect()));
    }
    all
}

/// Read and keep mask through one handle.
pub fn mask(library: &'static Library, bitmap: &Bitmap, effort: Effort) -> Vec<Measured> {
    let mumbling = Mumbling::new(library).expect("the Mumbling functions");
    let expected = Mask::without(&bitmap.positions, bitmap.rows);
    let contestants = vec![
        Contestant::new("mumbling_read, mumbling_keep_mask", Role::Ours, |out: &mut Mask| {
            mumbling
                .keep_mask(&bitmap.data, bitmap.rows as i32, out.bytes_mut())
                .expect("mumbling_keep_mask");
        }),
        Contestant::new("memory", Role::Limit, |out: &mut Mask| {
            std::hint::black_box(measure::read(&bitmap.data));
            measure::write(out.bytes_mut());
        }),
    ];
    let mut out = Mask::of(bitmap.rows);
    let check = |mask: &Mask| mask.bytes() == expected.bytes();
    measure::contest(&format!("T5 {}", bitmap.label), contestants, &mut out, check, effort)
}

struct Narrow(Vec<i32>);

impl Output for Narrow {
    fn spoil(&mut self) {
        self.0.fill(-1);
    }
}

/// Read and positions through one handle.
pub fn positions(library: &'static Library, bitmap: &Bitmap, effort: Effort) -> Vec<Measured> {
    let mumbling = Mumbling::new(library).expect("the Mumbling functions");
    let expected: Vec<i32> = bitmap.positions.iter().map(|&position| position as i32).collect();
    let contestants = vec![
        Contestant::new("mumbling_read, mumbling_positions", Role::Ours, |out: &mut Narrow| {
            let count = mumbling
                .positions(&bitmap.data, &mut out.0)
                .expect("mumbling_positions");
            assert_eq!(count, expected.len());
        }),
        Contestant::new("memory", Role::Limit, |out: &mut Narrow| {
            std::hint::black_box(measure::read(&bitmap.data));
            measure::write(&mut out.0);
        }),
    ];
    let mut out = Narrow(vec![0; expected.len()]);
    let what = format!("T5 positions {}", bitmap.label);
    measure::contest(&what, contestants, &mut out, |out| out.0 == expected, effort)
}
