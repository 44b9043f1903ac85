//! Packages over the limits.

use super::{RawEntry, Row, refused, with};
use crate::outside::harness::noise;

const MIB: usize = 1 << 20;

#[test]
fn oversized_packages_are_refused() {
    let large = |name: &str| RawEntry::stored(name, noise(2 * MIB + 1, 1));
    let half = |name: &str| RawEntry::stored(name, noise(3 * MIB / 2, 2));
    let many = (0..20).map(|n| RawEntry::stored(format!("{n}.txt"), ""));
    let crowd = (0..65_534).map(|n| RawEntry::stored(format!("n/{n:x}"), ""));
    let files = [("file_too_large", "a"), ("file_too_large", "b")];
    refused(&[
        Row::new("files", &with([large("a"), large("b")]), &files).says("2 MiB"),
        Row::new("together", &with([half("a"), half("b"), half("c")]), &[("package_too_large", "")])
            .says("3 MiB together, and `c` is the largest: leave some out"),
        Row::new(
            "in a folder",
            &with([half("data/a"), half("data/b"), half("c")]),
            &[("package_too_large", "")],
        )
        .says("3 MiB together, and most of that is in `data`: leave that folder out"),
        Row::new("too many", &with(many), &[("too_many_files", "")]).says("21 files"),
        Row::new("a crowd", &with(crowd), &[("too_many_files", "")]).says("65535 files"),
    ]);
}

#[test]
fn bombs_are_refused() {
    let bomb = |name: &str| RawEntry::deflated(name, &vec![0; 2 * MIB]);
    let huge = |name: &str| RawEntry::deflated(name, &vec![0; 16 * MIB]);
    let small = |name: &str| RawEntry::deflated(name, &vec![0; MIB / 2]);
    let lying = |entry: RawEntry, size: u32| entry.but(|entry| entry.size = size);
    let streamed = |name: &str| lying(huge(name), 100).streamed();
    let much = |name: &str| lying(small(name), u32::MAX - 1);
    let both = |code| [(code, "a"), (code, "b")];
    refused(&[
        Row::new("plain", &with([bomb("a"), bomb("b")]), &both("ratio_too_high")).says("50 times"),
        Row::new("huge", &with([huge("a"), huge("b")]), &both("ratio_too_high")),
        Row::new("claiming little", &with([lying(huge("a"), 9), lying(huge("b"), 0)]), &both("zip_corrupt"))
            .says("larger than its header claims"),
        Row::new("with a descriptor", &with([streamed("a"), streamed("b")]), &both("zip_corrupt")),
        Row::new("claiming much", &with([much("a"), much("b")]), &both("ratio_too_high")),
        Row::new("many small ones", &with(["a", "b", "c"].map(small)), &[("ratio_too_high", "")])
            .says("the archive"),
    ]);
}
