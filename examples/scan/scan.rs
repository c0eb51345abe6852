//! scan.rs - the keep masks of all data files whose deletes are in one Puffin file.
//!
//! rustc --edition 2024 examples/scan/scan.rs -L build -l dv -C link-args=-Wl,-rpath,$PWD/build

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{null, null_mut};

// [declare]
// What is used of `include/dv.h`; a status is an `int32_t`, a handle a pointer.
unsafe extern "C" {
    fn dv_last_error() -> *const c_char;
    fn dv_source_path(path: *const c_char, out: *mut *mut c_void) -> i32;
    fn dv_source_free(source: *mut c_void);
    fn dv_puffin_open(source: *const c_void, out: *mut *mut c_void) -> i32;
    fn dv_puffin_keep_masks(
        puffin: *const c_void,
        indices: *const usize,
        lengths: *const i64,
        count: usize,
        out: *mut u8,
        out_size: usize,
    ) -> i32;
    fn dv_puffin_free(puffin: *mut c_void);
}
// [declare]

/// An opened Puffin file, and the source that it reads from.
struct PuffinFile {
    source: *mut c_void,
    puffin: *mut c_void,
}

impl PuffinFile {
    fn open(path: &str) -> Result<PuffinFile, String> {
        let path = CString::new(path).map_err(|e| e.to_string())?;
        let mut file = PuffinFile {
            source: null_mut(),
            puffin: null_mut(),
        };
        check(unsafe { dv_source_path(path.as_ptr(), &mut file.source) })?;
        check(unsafe { dv_puffin_open(file.source, &mut file.puffin) })?;
        Ok(file)
    }

    // [masks]
    /// The masks of the first vectors, `rows[i]` rows of number i: each from a multiple of 64 bytes on.
    fn keep_masks(&self, rows: &[i64]) -> Result<Vec<u8>, String> {
        let mut masks = vec![0; rows.iter().map(|&rows| padded(rows)).sum()];
        let (out, size) = (masks.as_mut_ptr(), masks.len());
        check(unsafe { dv_puffin_keep_masks(self.puffin, null(), rows.as_ptr(), rows.len(), out, size) })?;
        Ok(masks)
    }
    // [masks]
}

impl Drop for PuffinFile {
    fn drop(&mut self) {
        unsafe { dv_puffin_free(self.puffin) };
        unsafe { dv_source_free(self.source) }; // handles may be null, and go in any order
    }
}

/// The bytes from one mask to the next.
fn padded(rows: i64) -> usize {
    (rows as usize).div_ceil(512) * 64
}

/// A failed call's line of text.
fn check(status: i32) -> Result<(), String> {
    if status == 0 {
        return Ok(());
    }
    let text = unsafe { CStr::from_ptr(dv_last_error()) };
    Err(text.to_string_lossy().into_owned())
}

fn main() -> Result<(), String> {
    let rows = [10, 16, 12];
    let masks = PuffinFile::open("testdata/golden/iceberg/multi_3_files.puffin")?.keep_masks(&rows)?;
    let mut mask = &masks[..];
    for (vector, &rows) in rows.iter().enumerate() {
        let kept = (0..rows as usize).filter(|row| mask[row / 8] >> (row % 8) & 1 == 1);
        let kept: Vec<String> = kept.map(|row| row.to_string()).collect();
        println!("vector {vector} keeps: {}", kept.join(" "));
        mask = &mask[padded(rows)..];
    }
    Ok(())
}
