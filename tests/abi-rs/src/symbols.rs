//! The exported functions, one table per section of the header.
//!
//! Each table is resolved as a whole when it is first asked for, so a program needs only the sections
//! that it uses.

use std::ffi::{c_char, c_void};

pub type Status = i32;

/// `dv_bytes`: memory of the library that its receiver frees.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct RawBytes {
    pub data: *mut u8,
    pub size: usize,
}

impl RawBytes {
    pub const EMPTY: RawBytes = RawBytes {
        data: std::ptr::null_mut(),
        size: 0,
    };
}

/// `dv_puffin_blob`.
#[repr(C)]
pub struct PuffinBlob {
    pub kind: *const c_char,
    pub compression_codec: *const c_char,
    pub referenced_data_file: *const c_char,
    pub cardinality: i64,
    pub offset: i64,
    pub length: i64,
    pub snapshot_id: i64,
    pub sequence_number: i64,
}

/// `dv_delta_result`: where a written vector is.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeltaResult {
    pub cardinality: i64,
    pub offset: i32,
    pub size_in_bytes: i32,
}

/// Every handle is opaque; which kind it is, the function's name tells.
pub type Handle = *mut c_void;

macro_rules! table {
    ($(#[$meta:meta])* $table:ident { $(fn $name:ident($($type:ty),*) $(-> $result:ty)?;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        pub struct $table {
            $(pub $name: unsafe extern "C" fn($($type),*) $(-> $result)?,)*
        }

        impl $table {
            pub(crate) fn load(object: &libloading::Library) -> Result<$table, libloading::Error> {
                // SAFETY: the types are those of the header, whose ABI version the loader checks.
                unsafe {
                    Ok($table { $($name: *object.get(concat!(stringify!($name), "\0").as_bytes())?,)* })
                }
            }
        }
    };
}

table! {
    /// Library, deletion vector, sources, sinks and bitmap codecs.
    Core {
        fn dv_abi_version() -> i32;
        fn dv_version() -> *const c_char;
        fn dv_status_name(Status) -> *const c_char;
        fn dv_last_error() -> *const c_char;
        fn dv_live_handles() -> i64;
        fn dv_bytes_free(*mut RawBytes);

        fn dv_new(*mut Handle) -> Status;
        fn dv_copy(Handle, *mut Handle) -> Status;
        fn dv_free(Handle);
        fn dv_set_many(Handle, *const i64, usize) -> Status;
        fn dv_set_range(Handle, i64, i64) -> Status;
        fn dv_or(Handle, Handle) -> Status;
        fn dv_cardinality(Handle, *mut i64) -> Status;
        fn dv_positions(Handle, i64, i64, *mut i64, usize, *mut usize) -> Status;
        fn dv_keep_mask(Handle, i64, i64, *mut u8, usize) -> Status;

        fn dv_source_memory(*const u8, usize, *mut Handle) -> Status;
        fn dv_source_path(*const c_char, *mut Handle) -> Status;
        fn dv_source_free(Handle);
        fn dv_sink_memory(*mut Handle) -> Status;
        fn dv_sink_take(Handle, *mut RawBytes) -> Status;
        fn dv_sink_path(*const c_char, *mut Handle) -> Status;
        fn dv_sink_free(Handle);

        fn dv_serialize(Handle, *mut RawBytes) -> Status;
        fn dv_deserialize(*const u8, usize, i64, *mut Handle) -> Status;
        fn dv_view(*const u8, usize, i64, *mut Handle) -> Status;
        fn dv_blob_keep_mask(*const u8, usize, i64, i64, i64, *mut u8, usize) -> Status;
        fn dv_blob_positions(*const u8, usize, i64, *mut i64, usize, *mut usize) -> Status;
        fn dv_blob_from_positions(*const i64, usize, *mut RawBytes) -> Status;
    }
}

table! {
    /// Puffin files.
    Puffin {
        fn dv_puffin_open(Handle, *mut Handle) -> Status;
        fn dv_puffin_count(Handle, *mut usize) -> Status;
        fn dv_puffin_read(Handle, usize, *mut Handle) -> Status;
        fn dv_puffin_keep_masks(Handle, *const usize, *const i64, usize, *mut u8, usize) -> Status;
        fn dv_puffin_free(Handle);
        fn dv_writer_new(*const c_char, *mut Handle) -> Status;
        fn dv_writer_add(Handle, *const c_char, *const i64, usize, i32, *const c_char) -> Status;
        fn dv_writer_flush(Handle, Handle, *const c_char, *mut RawBytes) -> Status;
        fn dv_writer_free(Handle);
    }
}

table! {
    /// Delta files, inline vectors and descriptors.
    Delta {
        fn dv_delta_writer_new(Handle, *mut Handle) -> Status;
        fn dv_delta_writer_write(Handle, Handle, *mut DeltaResult) -> Status;
        fn dv_delta_writer_finalize(Handle) -> Status;
        fn dv_delta_writer_free(Handle);
        fn dv_delta_read(Handle, i32, i32, i64, *mut Handle) -> Status;
        fn dv_delta_descriptor_new(*const c_char, *const DeltaResult, *mut RawBytes) -> Status;
        fn dv_delta_descriptor_inline(Handle, *mut RawBytes) -> Status;
        fn dv_delta_descriptor_path(*const c_char, *mut RawBytes) -> Status;
        fn dv_delta_descriptor_unique_id(*const c_char, *mut RawBytes) -> Status;
        fn dv_delta_descriptor_read(Handle, *const c_char, *mut Handle) -> Status;
    }
}

table! {
    /// Mumbling bitmaps.
    Mumbling {
        fn mumbling_read(*const u8, usize, *mut Handle) -> Status;
        fn mumbling_free(Handle);
        fn mumbling_positions(Handle, *mut i32, usize, *mut usize) -> Status;
        fn mumbling_keep_mask(Handle, i32, i32, *mut u8, usize) -> Status;
        fn mumbling_from_dv(Handle, *mut RawBytes) -> Status;
    }
}
