//! Zips made byte by byte, so that every field can be false.

use super::Skill;

/// One entry. Its fields are what the headers claim. Constructors set the true values.
#[derive(Clone)]
pub struct RawEntry {
    pub name: Vec<u8>,
    /// The name in the local header.
    pub local_name: Vec<u8>,
    /// The bytes between local header and `after`.
    pub data: Vec<u8>,
    pub method: u16,
    pub local_method: u16,
    pub flags: u16,
    pub local_flags: u16,
    pub crc: u32,
    /// The compressed size of the data.
    pub packed: u32,
    pub size: u32,
    /// Checksum, compressed size and size in the local header, if they differ.
    pub local: Option<[u32; 3]>,
    /// Bytes after the data, such as a descriptor.
    pub after: Vec<u8>,
    pub extra: Vec<u8>,
    pub local_extra: Vec<u8>,
    /// The Unix mode, or the attributes of another system.
    pub mode: u32,
    /// The system in "version made by": 3 is Unix, 0 DOS.
    pub system: u16,
    pub disk: u16,
    /// The offset of the local header in the central header.
    pub at: Option<u32>,
}

impl RawEntry {
    /// A file that is not compressed.
    pub fn stored(name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Self {
        let (name, content) = (name.as_ref().to_vec(), content.as_ref());
        let size = u32::try_from(content.len()).expect("a small file");
        Self {
            local_name: name.clone(),
            name,
            data: content.to_vec(),
            method: 0,
            local_method: 0,
            flags: 0,
            local_flags: 0,
            crc: crc32(content),
            packed: size,
            size,
            local: None,
            after: Vec::new(),
            extra: Vec::new(),
            local_extra: Vec::new(),
            mode: 0o100_644,
            system: 3,
            disk: 0,
            at: None,
        }
    }

    /// A file that is compressed.
    pub fn deflated(name: &str, content: &[u8]) -> Self {
        // One entry's data lie behind its local header: 30 bytes and the name.
        let zip = Skill::without_entry().file("x", content).zip();
        let directory = zip.windows(4).rposition(|window| window == b"PK\x01\x02").expect("a directory");
        let packed = u32::from_le_bytes(zip[directory + 20..directory + 24].try_into().expect("four bytes"));
        let data = zip[31..31 + packed as usize].to_vec();
        Self { data, method: 8, local_method: 8, packed, ..Self::stored(name, content) }
    }

    /// Changes fields of the entry.
    pub fn but(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Writes the entry like a stream, with the sizes after the data.
    pub fn streamed(mut self) -> Self {
        (self.flags, self.local_flags, self.local) = (self.flags | 8, self.local_flags | 8, Some([0; 3]));
        self.after = b"PK\x07\x08".to_vec();
        put32(&mut self.after, &[self.crc, self.packed, self.size]);
        self
    }
}

/// An archive: entries and an end record.
#[derive(Default, Clone)]
pub struct RawZip {
    pub before: Vec<u8>,
    pub entries: Vec<RawEntry>,
    /// Bytes between directory and end record.
    pub between: Vec<u8>,
    pub count: Option<u16>,
    pub disk: u16,
    pub directory_at: Option<u32>,
    pub directory_size: Option<u32>,
    pub comment: Vec<u8>,
    pub after: Vec<u8>,
}

impl RawZip {
    /// An archive with a true end record.
    pub fn of(entries: impl Into<Vec<RawEntry>>) -> Self {
        Self { entries: entries.into(), ..Self::default() }
    }

    /// Changes fields of the archive.
    pub fn but(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// The bytes of the archive.
    pub fn build(&self) -> Vec<u8> {
        let mut zip = self.before.clone();
        let mut directory = Vec::new();
        for entry in &self.entries {
            let at = zip.len() as u32;
            zip.extend(b"PK\x03\x04");
            put16(&mut zip, &[20, entry.local_flags, entry.local_method, 0, 0x21]);
            put32(&mut zip, &entry.local.unwrap_or([entry.crc, entry.packed, entry.size]));
            put16(&mut zip, &[entry.local_name.len() as u16, entry.local_extra.len() as u16]);
            for part in [&entry.local_name, &entry.local_extra, &entry.data, &entry.after] {
                zip.extend(part);
            }
            directory.extend(b"PK\x01\x02");
            put16(&mut directory, &[entry.system << 8 | 20, 20, entry.flags, entry.method, 0, 0x21]);
            put32(&mut directory, &[entry.crc, entry.packed, entry.size]);
            put16(&mut directory, &[entry.name.len() as u16, entry.extra.len() as u16, 0, entry.disk, 0]);
            let attributes = if entry.system == 3 { entry.mode << 16 } else { entry.mode };
            put32(&mut directory, &[attributes, entry.at.unwrap_or(at)]);
            directory.extend(&entry.name);
            directory.extend(&entry.extra);
        }
        let at = zip.len() as u32;
        zip.extend(&directory);
        zip.extend(&self.between);
        zip.extend(b"PK\x05\x06");
        let count = self.count.unwrap_or(self.entries.len() as u16);
        put16(&mut zip, &[self.disk, self.disk, count, count]);
        let size = self.directory_size.unwrap_or(directory.len() as u32);
        put32(&mut zip, &[size, self.directory_at.unwrap_or(at)]);
        put16(&mut zip, &[self.comment.len() as u16]);
        zip.extend(&self.comment);
        zip.extend(&self.after);
        zip
    }
}

/// An extra field of a header.
pub fn extra(id: u16, data: &[u8]) -> Vec<u8> {
    let mut field = Vec::new();
    put16(&mut field, &[id, data.len() as u16]);
    field.extend(data);
    field
}

/// The checksum of the format (polynomial 0xEDB88320, reflected).
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}

fn put16(to: &mut Vec<u8>, fields: &[u16]) {
    fields.iter().for_each(|field| to.extend(field.to_le_bytes()));
}

fn put32(to: &mut Vec<u8>, fields: &[u32]) {
    fields.iter().for_each(|field| to.extend(field.to_le_bytes()));
}
