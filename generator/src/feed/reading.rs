//! Reading what is new in a feed, and believing none of it.

use std::collections::HashMap;

use registry::names::{Coordinate, Digest};
use registry::public::{Contents, DecodeError, DecodedRow, FeedIndex, PublicChange};

use super::FeedError;
use super::head::FeedHead;
use super::packages::Wanted;
use super::page::{Expected, PageRow, parse};
use super::replica::Replica;
use super::source::read;
use crate::address::Document;
use crate::settings::TreeSettings;
use crate::tree::Tree;

/// Packages that have to be got, by their skill.
type WantedBySkill = HashMap<Coordinate, OfSkill>;

#[derive(Default)]
struct OfSkill {
    packages: Vec<Wanted>,
    is_removed: bool,
}

impl Replica {
    /// Reads all that `head` tells of and this does not have, and checks it:
    /// settings, pages, packages. It is kept then; nothing is applied.
    pub fn read(&self, head: &FeedHead, tree: &Tree) -> Result<TreeSettings, FeedError> {
        let settings = head.settings(&*self.source)?;
        let own = self.public.read().feed().pages();
        // Of a run that did not come to its end: not verified up to a head.
        let has_leftovers = self.kept.page(&head.epoch, own + 1)?.is_some();
        let mut pages = self.read_pages(head);
        if pages.is_err() {
            // What was kept may be as false as what came after it.
            self.kept.forget_pages_after(&head.epoch, own)?;
            if has_leftovers {
                pages = self.read_pages(head);
            }
        }
        let live = pages?.into_values().filter(|skill| !skill.is_removed);
        for package in live.flat_map(|skill| skill.packages) {
            package.ensure(&*self.source, &self.kept, tree)?;
        }
        Ok(settings)
    }

    /// Reads the pages since the one that was last, and keeps them. The digest
    /// of the last one, which the head tells, proves all of them: our own pages
    /// of the same rows are compared with theirs.
    fn read_pages(&self, head: &FeedHead) -> Result<WantedBySkill, FeedError> {
        let refused = |document: Document, why: String| FeedError::refused(&*self.source, &document, why);
        let (mut index, own) = {
            let catalog = self.public.read();
            (catalog.feed().clone(), catalog.revision())
        };
        if head.revision < own || head.pages < index.pages() {
            let theirs = head.revision;
            return Err(refused(
                Document::Head,
                format!("is at revision {theirs}, and was at {own} of this epoch before: it is an old copy"),
            ));
        }
        let (mut wanted, mut last) = (WantedBySkill::new(), own);
        for number in index.pages().max(1)..=head.pages {
            let (text, rows) = self.page(head, number, &index)?;
            let refused = |why: String| refused(Document::Feed(number), why);
            for PageRow { row, .. } in rows {
                // Ours already, or newer than the head and for next time.
                if row.revision <= own || row.revision > head.revision {
                    continue;
                }
                if row.revision <= last {
                    return Err(refused(format!("has revision {} after {last}", row.revision)));
                }
                last = row.revision;
                let decoded = DecodedRow::decode(&row).map_err(|why| refused(unreadable(&why)))?;
                if let PublicChange::Published(published) = &decoded.change {
                    Contents::decode(&row).map_err(|why| refused(unreadable(&why)))?;
                    // An id is the number of an earlier row, or of this one.
                    if published.skill_id.0.max(published.version_id.0) > row.revision {
                        return Err(refused(format!(
                            "has ids in revision {} that nothing has",
                            row.revision
                        )));
                    }
                }
                self.note(&decoded.change, &mut wanted);
                index.push(&row);
            }
            // The last one as it was when the head was written.
            let ours = if number == head.pages { index.last_text() } else { Some(text) };
            let right = if number == head.pages { head.sha256 } else { index.page(number).map(|p| p.digest) };
            let text = ours.filter(|text| right == Some(Digest::of(text.as_bytes()))).ok_or_else(|| {
                refused("has not the rows or not the sha256 that head and chain tell of".into())
            })?;
            self.kept.set_page(&head.epoch, number, &text)?;
        }
        if (index.pages(), last) != (head.pages, head.revision) {
            return Err(refused(
                Document::Head,
                format!("is at revision {}, but its pages end with {last}", head.revision),
            ));
        }
        Ok(wanted)
    }

    /// Notes which packages a row makes needed: those of a removed skill are not
    /// in the source's tree any more, those of a restored one are again.
    fn note(&self, change: &PublicChange, wanted: &mut WantedBySkill) {
        let catalog = self.public.read();
        match change {
            PublicChange::Published(published) => {
                wanted.entry(published.coordinate()).or_default().packages.push(Wanted::by(published));
            }
            PublicChange::SkillRemoved(name) => {
                wanted.entry(name.coordinate()).or_default().is_removed = true;
            }
            PublicChange::SkillRestored(name) => {
                let known = catalog.removed(&name.coordinate()).or(catalog.skill(&name.coordinate()));
                let wanted = wanted.entry(name.coordinate()).or_default();
                wanted.is_removed = false;
                wanted.packages.extend(known.into_iter().flat_map(Wanted::of));
            }
            _ => {}
        }
    }

    /// A page that follows the page before: one that was kept by a run that did
    /// not come to its end, or else the source's.
    fn page(
        &self,
        head: &FeedHead,
        number: u64,
        index: &FeedIndex,
    ) -> Result<(String, Vec<PageRow>), FeedError> {
        let previous = number.checked_sub(1).and_then(|before| index.page(before)).map(|page| page.digest);
        let expected = Expected { number, epoch: &head.epoch, previous };
        let is_new = number > index.pages();
        if is_new
            && number < head.pages
            && let Some(text) = self.kept.page(&head.epoch, number)?
            && let Ok(rows) = parse(&text, &expected)
        {
            return Ok((text, rows));
        }
        let document = Document::Feed(number);
        let text = read(&*self.source, &document)?;
        match parse(&text, &expected) {
            Ok(rows) => Ok((text, rows)),
            Err(why) => Err(FeedError::refused(&*self.source, &document, why)),
        }
    }
}

fn unreadable(why: &DecodeError) -> String {
    format!(
        "has a row that this release cannot read: revision {}: {}: take the source's release",
        why.revision, why.why
    )
}
