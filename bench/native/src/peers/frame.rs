//! The blob around a bitmap, as an engine without libdv would handle it: length, magic, CRC-32.

const MAGIC: [u8; 4] = [0xD1, 0xD3, 0x39, 0x64];

/// Checks the frame and returns the 64-bit bitmap in it.
pub fn open(blob: &[u8]) -> Option<&[u8]> {
    let (length, rest) = blob.split_first_chunk::<4>()?;
    let (covered, crc) = rest.split_last_chunk::<4>()?;
    if u32::from_be_bytes(*length) as usize != covered.len()
        || !covered.starts_with(&MAGIC)
        || crc32fast::hash(covered) != u32::from_be_bytes(*crc)
    {
        return None;
    }
    Some(&covered[4..])
}

/// Writes a frame around the bitmap that `fill` appends; `size` is how long it will be.
pub fn write(out: &mut Vec<u8>, size: usize, fill: impl FnOnce(&mut Vec<u8>)) {
    out.clear();
    out.reserve(size + 12);
    out.extend_from_slice(&(size as u32 + 4).to_be_bytes());
    out.extend_from_slice(&MAGIC);
    fill(out);
    assert_eq!(out.len(), size + 8, "a bitmap of another size than it said");
    let crc = crc32fast::hash(&out[4..]);
    out.extend_from_slice(&crc.to_be_bytes());
}

/// The number of bitmaps, and what follows.
pub fn count(bitmap: &[u8]) -> Option<(u64, &[u8])> {
    let (count, rest) = bitmap.split_first_chunk()?;
    Some((u64::from_le_bytes(*count), rest))
}

/// One key, and what follows.
pub fn key(bitmap: &[u8]) -> Option<(u32, &[u8])> {
    let (key, rest) = bitmap.split_first_chunk()?;
    Some((u32::from_le_bytes(*key), rest))
}
