//! Downloading the new pages of a feed, without trusting them.

use std::collections::{BTreeSet, HashMap};

use registry::data_fault::json_fault;
use registry::journal::PublicRow;
use registry::names::{Coordinate, Digest};
use registry::public::{Contents, DecodeError, DecodedRow, FeedIndex, PublicChange, Skill};

use super::checkpoint::{Roots, Trust};
use super::error::FollowError;
use super::limits::{MadeCount, SourceLimits, StoredBytes, files_of, files_of_skill};
use super::packages::{NeededPackage, denied, ensure_all, remedy};
use super::replica::Replica;
use crate::SignedNotes;
use crate::address::Document;
use crate::feed::page::{ExpectedPage, PageRow, parse};
use crate::selection::Taken;
use crate::settings::TreeSettings;
use registry::api::public::Head;

/// Packages that new rows need, by skill.
type NeededPackages = HashMap<Coordinate, OfSkill>;

#[derive(Default)]
struct OfSkill {
    packages: Vec<NeededPackage>,
    is_removed: bool,
    /// The files that it has, and those that come back when it is restored.
    files: u64,
    removed_files: u64,
}

impl Replica {
    /// Downloads and verifies everything new up to `head`: settings, pages and packages. They
    /// are then in the cache; nothing is applied.
    ///
    /// `trust` has checked the notes before. Their rows are checked here.
    pub fn download(
        &self,
        head: &Head,
        settings: &TreeSettings,
        limits: &SourceLimits,
        notes: &SignedNotes,
        trust: &Trust,
    ) -> Result<(), FollowError> {
        for keys in [&settings.keys, &self.settings.keys] {
            trust.check_retired(&self.feed, notes.checkpoint.as_ref(), keys)?;
        }
        let accepted = trust.accepted(&head.epoch)?;
        let mut sizes = notes.sizes();
        sizes.extend(accepted.map(|accepted| accepted.checkpoint.size));
        sizes.push(head.log.size);
        let download = || -> Result<_, FollowError> {
            let mut roots = Roots::after(self.public.read().log(), sizes.iter().copied());
            let needed = self.download_pages(head, settings, limits, &mut roots)?;
            trust.check_rows(&self.feed, head, notes, &roots)?;
            Ok(needed)
        };
        let own = self.public.read().feed().pages();
        // Pages of an interrupted run, which no head has proved.
        let has_leftovers = self.feed.cache.page(&head.epoch, own + 1)?.is_some();
        let mut needed = download();
        if needed.is_err() {
            // The cached pages may be as false as the next one.
            self.feed.cache.remove_pages_after(&head.epoch, own)?;
            if has_leftovers {
                needed = download();
            }
        }
        let (needed, mut bytes, count) = needed?;
        let live = needed.into_values().filter(|skill| !skill.is_removed);
        let packages: Vec<_> = live.flat_map(|skill| skill.packages).collect();
        // All sizes are checked before the first package is read.
        for package in &packages {
            limits.check_package(package.size).map_err(|why| package.refused(&self.feed, &why))?;
            bytes.add_package(package.size);
        }
        let refused = |why: String| self.feed.refused(&Document::Head, why);
        limits.check_total(bytes).map_err(refused)?;
        limits.check_files(count, bytes).map_err(refused)?;
        ensure_all(&packages, &self.feed)
    }

    /// Downloads the pages after the last known one into the cache. Returns the packages that
    /// their rows need, the bytes of everything but these, and the count of rows and files.
    ///
    /// The head has the digest of the last page, which proves all of them. It is compared with
    /// our own pages of the same rows.
    fn download_pages(
        &self,
        head: &Head,
        settings: &TreeSettings,
        limits: &SourceLimits,
        roots: &mut Roots,
    ) -> Result<(NeededPackages, StoredBytes, MadeCount), FollowError> {
        let refused = |document: Document, why: String| self.feed.refused(&document, why);
        let (mut index, own) = {
            let catalog = self.public.read();
            (catalog.feed().clone(), catalog.revision())
        };
        if head.revision < own || head.pages < index.pages() {
            let theirs = head.revision;
            return Err(refused(
                Document::Head,
                format!("is at revision {theirs}, but was at {own} of this epoch before: it is an old copy"),
            ));
        }
        let mut unexplained = BTreeSet::new();
        let mut unknown = self.chosen.selection.namespaces.clone();
        unknown.retain(|name| self.public.read().namespace(name).is_none());
        let (mut needed, mut last, mut bytes, mut count) =
            (NeededPackages::new(), own, self.bytes, self.count);
        let mut steps = self.feed.progress.begin("pages of the feed", || head.pages as usize);
        for number in (index.pages().max(1)..=head.pages).inspect(|_| steps.add(1)) {
            let (text, rows) = self.page(head, number, &index)?;
            let refused = |why: String| refused(Document::Feed(number), why);
            for PageRow { row, .. } in rows {
                // Rows that are known, or newer than the head.
                if row.revision <= own || row.revision > head.revision {
                    continue;
                }
                if row.revision <= last {
                    return Err(refused(format!("has revision {} after {last}", row.revision)));
                }
                last = row.revision;
                bytes.add_row(&row.json);
                limits.check_total(bytes).map_err(refused)?;
                count.rows += 1;
                limits.check_rows(count).map_err(refused)?;
                let decoded = self.checked(&row).map_err(refused)?;
                match &decoded.change {
                    PublicChange::Redacted(_) => drop(unexplained.insert(row.revision)),
                    PublicChange::RowRedacted(redacted) => drop(unexplained.remove(&redacted.row)),
                    PublicChange::NamespaceCreated(state) => drop(unknown.remove(&state.slug)),
                    _ => {}
                }
                let taken = self.chosen.selection.takes(&decoded, &self.public.read(), self.chosen.at);
                if taken == Taken::Yes {
                    self.count_files(&decoded.change, settings, &mut needed, &mut count);
                }
                if taken == Taken::Yes || !matches!(decoded.change, PublicChange::Published(_)) {
                    self.note(&decoded.change, &mut needed);
                }
                index.push(&row);
                roots.push(&row);
            }
            // The last page counts as it was when the head was written.
            let is_last = number == head.pages;
            let text = if is_last { index.last_text() } else { Some(text) };
            let digest = if is_last { head.sha256 } else { index.page(number).map(|page| page.digest) };
            let text = text
                .filter(|text| digest == Some(Digest::of(text.as_bytes())))
                .ok_or_else(|| refused("does not match its rows, or the sha256 in the head".into()))?;
            self.feed.cache.set_page(&head.epoch, number, &text)?;
        }
        if let Some(revision) = unexplained.first() {
            return Err(refused(
                Document::Head,
                format!(
                    "covers revision {revision}, which has no text, and no later row says that it was redacted"
                ),
            ));
        }
        if (index.pages(), last) != (head.pages, head.revision) {
            return Err(refused(
                Document::Head,
                format!("is at revision {}, but its pages end with revision {last}", head.revision),
            ));
        }
        if let Some(name) = unknown.first() {
            return Err(refused(
                Document::Head,
                format!("has no namespace `{name}`: check the selected names"),
            ));
        }
        for skill in needed.iter().filter(|(_, skill)| skill.is_removed) {
            let catalog = self.public.read();
            catalog.skill(skill.0).into_iter().for_each(|skill| bytes.remove_skill(skill));
        }
        Ok((needed, bytes, count))
    }

    /// Counts the files that a change makes or removes.
    fn count_files(
        &self,
        change: &PublicChange,
        settings: &TreeSettings,
        needed: &mut NeededPackages,
        count: &mut MadeCount,
    ) {
        let coordinate = match change {
            PublicChange::Published(published) => published.coordinate(),
            PublicChange::SkillRemoved(name) | PublicChange::SkillRestored(name) => name.coordinate(),
            _ => {
                count.files += files_of(change, false, settings);
                return;
            }
        };
        let catalog = self.public.read();
        let known =
            |skill: Option<&Skill>| skill.map_or(0, |skill| files_of_skill(skill.versions.len(), settings));
        let skill = needed.entry(coordinate).or_insert_with_key(|coordinate| OfSkill {
            files: known(catalog.skill(coordinate)),
            removed_files: known(catalog.removed(coordinate)),
            ..OfSkill::default()
        });
        match change {
            PublicChange::SkillRemoved(_) => {
                count.files = count.files.saturating_sub(skill.files);
                skill.removed_files += std::mem::take(&mut skill.files);
            }
            PublicChange::SkillRestored(_) => {
                count.files += skill.removed_files;
                skill.files += std::mem::take(&mut skill.removed_files);
            }
            _ => {
                let made = files_of(change, skill.files == 0, settings);
                count.files += made;
                skill.files += made;
            }
        }
    }

    /// Notes the packages that a change needs. The source's tree no longer has those of a
    /// removed skill, and has those of a restored one again.
    fn note(&self, change: &PublicChange, needed: &mut NeededPackages) {
        let catalog = self.public.read();
        match change {
            PublicChange::Published(published) => {
                let package = NeededPackage::of_version(published);
                needed.entry(published.coordinate()).or_default().packages.push(package);
            }
            PublicChange::SkillRemoved(name) => {
                needed.entry(name.coordinate()).or_default().is_removed = true;
            }
            PublicChange::SkillRestored(name) => {
                let known = catalog.removed(&name.coordinate()).or(catalog.skill(&name.coordinate()));
                let needed = needed.entry(name.coordinate()).or_default();
                needed.is_removed = false;
                needed.packages.extend(known.into_iter().flat_map(NeededPackage::of_skill));
            }
            _ => {}
        }
    }

    /// A page that continues the one before it: from the cache if an interrupted run has left
    /// it there, else from the source.
    fn page(
        &self,
        head: &Head,
        number: u64,
        index: &FeedIndex,
    ) -> Result<(String, Vec<PageRow>), FollowError> {
        let previous = number.checked_sub(1).and_then(|before| index.page(before)).map(|page| page.digest);
        let expected = ExpectedPage { number, epoch: &head.epoch, previous };
        let is_new = number > index.pages();
        if is_new
            && number < head.pages
            && let Some(text) = self.feed.cache.page(&head.epoch, number)?
            && let Ok(rows) = parse(&text, &expected)
        {
            return Ok((text, rows));
        }
        self.feed.read_as(&Document::Feed(number), |text| parse(text, &expected))
    }

    /// Decodes a row of the source. A registry could have written it, unless the mirror leaves it out.
    fn checked(&self, row: &PublicRow) -> Result<DecodedRow, String> {
        let revision = row.revision;
        let decoded = DecodedRow::decode(row).map_err(|why| unreadable(&why))?;
        // An id is the revision of an earlier row, or of this one.
        if let PublicChange::Published(published) = &decoded.change
            && published.skill_id.0.max(published.version_id.0) > revision
        {
            return Err(format!("has ids of later rows in revision {revision}"));
        }
        if self.chosen.selection.leaves_out(&decoded) {
            return Ok(decoded);
        }
        let mut checked = decoded.check();
        if let PublicChange::Published(published) = &decoded.change {
            let contents = Contents::decode(row).map_err(|why| unreadable(&why))?;
            checked = checked.and_then(|()| contents.check(published));
        }
        let Err(why) = checked else { return Ok(decoded) };
        let of = decoded.change.version();
        let remedy = of.map(|(coordinate, version)| remedy(&self.feed, &[denied(&coordinate, version)]));
        let remedy = remedy.map_or_else(String::new, |remedy| format!("; {remedy}"));
        Err(format!("is refused, because revision {revision} {why}{remedy}"))
    }
}

fn unreadable(why: &DecodeError) -> String {
    format!(
        "has a row that this release cannot read: revision {}: {}: upgrade to the source's release",
        why.revision,
        json_fault(&why.cause)
    )
}
