//! Corrects the checksums of a zip with changed contents. Otherwise every changed content
//! is refused at its checksum, and the code after it is never reached.

/// Corrects the checksum of each stored entry whose offset and size are inside of the zip.
pub(crate) fn corrected(zip: &[u8]) -> Vec<u8> {
    let mut corrected = zip.to_vec();
    let headers: Vec<usize> =
        zip.windows(4).enumerate().filter(|(_, four)| four == b"PK\x01\x02").map(|(at, _)| at).collect();
    for at in headers {
        let _ = correct(&mut corrected, at);
    }
    corrected
}

/// Corrects the entry whose central header starts at `at` (APPNOTE.TXT, 4.3.12).
fn correct(zip: &mut [u8], at: usize) -> Option<()> {
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

/// The CRC-32 of zips (APPNOTE.TXT, 4.4.7), bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}
