//! Right checksums for a zip whose stored entries were changed: without them
//! every change of a content ends at its checksum, and nothing behind is tried.

/// The same zip, in which every stored entry has the checksum of its data.
/// Offsets and sizes are believed where they lie inside, else left alone.
pub(crate) fn mended(zip: &[u8]) -> Vec<u8> {
    let mut mended = zip.to_vec();
    let headers: Vec<usize> =
        zip.windows(4).enumerate().filter(|(_, four)| four == b"PK\x01\x02").map(|(at, _)| at).collect();
    for at in headers {
        let _ = mend(&mut mended, at);
    }
    mended
}

/// Mends the entry whose central header begins at `at` (APPNOTE.TXT, 4.3.12).
fn mend(zip: &mut [u8], at: usize) -> Option<()> {
    let is_stored = number(zip, at + 10, 2)? == 0;
    let (size, local) = (number(zip, at + 20, 4)?, number(zip, at + 42, 4)?);
    if !is_stored {
        return None;
    }
    let from = local.checked_add(30)?.checked_add(number(zip, local + 26, 2)?)? + number(zip, local + 28, 2)?;
    let sum = crc32(zip.get(from..from.checked_add(size)?)?).to_le_bytes();
    zip.get_mut(at + 16..at + 20)?.copy_from_slice(&sum);
    zip.get_mut(local + 14..local + 18)?.copy_from_slice(&sum);
    Some(())
}

fn number(zip: &[u8], at: usize, bytes: usize) -> Option<usize> {
    let field = zip.get(at..at.checked_add(bytes)?)?;
    Some(field.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

/// CRC-32 as zips have it (APPNOTE.TXT, 4.4.7). A bit at a time will do here.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}
