//! Builds zips byte by byte, so that every field can be wrong.

use std::io::Write;

/// An entry. The fields are the claims of its headers.
#[derive(Clone)]
pub(super) struct Entry {
    pub name: Vec<u8>,
    /// The name in the local header.
    pub local_name: Vec<u8>,
    pub data: Vec<u8>,
    pub method: u16,
    pub flags: u16,
    pub local_flags: u16,
    pub crc: u32,
    pub size: u32,
    /// Checksum and sizes in the local header. Default: the real ones.
    pub local: Option<[u32; 3]>,
    /// Bytes after the data, such as a descriptor.
    pub after: Vec<u8>,
    pub extra: Vec<u8>,
    pub mode: u32,
    /// The system in "version made by": 3 is Unix, 0 is DOS.
    pub system: u8,
    pub disk: u16,
}

impl Entry {
    pub(super) fn stored(name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Self {
        let (name, content) = (name.as_ref().to_vec(), content.as_ref());
        Self {
            local_name: name.clone(),
            name,
            data: content.to_vec(),
            method: 0,
            flags: 0,
            local_flags: 0,
            crc: rawzip::crc32(content),
            size: content.len() as u32,
            local: None,
            after: Vec::new(),
            extra: Vec::new(),
            mode: 0o100_644,
            system: 3,
            disk: 0,
        }
    }

    pub(super) fn deflated(name: &str, content: &[u8]) -> Self {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(content).unwrap();
        Self { data: encoder.finish().unwrap(), method: 8, ..Self::stored(name, content) }
    }

    /// Writes the sizes after the data, as a streaming writer does.
    pub(super) fn streamed(mut self, signature: bool) -> Self {
        (self.flags, self.local_flags, self.local) = (self.flags | 8, self.local_flags | 8, Some([0; 3]));
        if signature {
            self.after.extend(b"PK\x07\x08");
        }
        for field in [self.crc, self.data.len() as u32, self.size] {
            self.after.extend(field.to_le_bytes());
        }
        self
    }
}

/// An archive: its entries, and the claims of its end record.
#[derive(Default)]
pub(super) struct Zip {
    pub before: Vec<u8>,
    pub entries: Vec<Entry>,
    /// Added to the number of entries.
    pub count_off: i32,
    pub disk: u16,
    pub comment: Vec<u8>,
    pub after: Vec<u8>,
    /// Whether offsets count from the first entry instead of the first byte.
    pub relative: bool,
}

impl Zip {
    pub(super) fn of(entries: Vec<Entry>) -> Self {
        Self { entries, ..Self::default() }
    }

    pub(super) fn build(&self) -> Vec<u8> {
        let mut zip = self.before.clone();
        let base = if self.relative { self.before.len() } else { 0 };
        let mut directory = Vec::new();
        for entry in &self.entries {
            let offset = (zip.len() - base) as u32;
            let packed = entry.data.len() as u32;
            let [crc, local_packed, local_size] = entry.local.unwrap_or([entry.crc, packed, entry.size]);
            zip.extend(b"PK\x03\x04");
            put16(&mut zip, &[20, entry.local_flags, entry.method, 0, 0x21]);
            put32(&mut zip, &[crc, local_packed, local_size]);
            put16(&mut zip, &[entry.local_name.len() as u16, 0]);
            zip.extend(&entry.local_name);
            zip.extend(&entry.data);
            zip.extend(&entry.after);
            directory.extend(b"PK\x01\x02");
            put16(
                &mut directory,
                &[u16::from(entry.system) << 8 | 20, 20, entry.flags, entry.method, 0, 0x21],
            );
            put32(&mut directory, &[entry.crc, packed, entry.size]);
            put16(&mut directory, &[entry.name.len() as u16, entry.extra.len() as u16, 0, entry.disk, 0]);
            put32(&mut directory, &[if entry.system == 3 { entry.mode << 16 } else { entry.mode }, offset]);
            directory.extend(&entry.name);
            directory.extend(&entry.extra);
        }
        let (at, count) = ((zip.len() - base) as u32, (self.entries.len() as i32 + self.count_off) as u16);
        zip.extend(&directory);
        zip.extend(b"PK\x05\x06");
        put16(&mut zip, &[self.disk, self.disk, count, count]);
        put32(&mut zip, &[directory.len() as u32, at]);
        put16(&mut zip, &[self.comment.len() as u16]);
        zip.extend(&self.comment);
        zip.extend(&self.after);
        zip
    }
}

fn put16(to: &mut Vec<u8>, fields: &[u16]) {
    fields.iter().for_each(|field| to.extend(field.to_le_bytes()));
}

fn put32(to: &mut Vec<u8>, fields: &[u32]) {
    fields.iter().for_each(|field| to.extend(field.to_le_bytes()));
}
