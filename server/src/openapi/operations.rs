//! One description for each operation: a new one does not compile without.

use generator::render::record::{Discovery, Head, Resolved, ResolvedSlug, SearchResults, VersionDetail};
use generator::settings::TreeSettings;
use registry::ops::publish::PublishReply;
use registry::ops::rate::Rated;
use registry::ops::star::Starred;
use registry::package::FileRecord;
use registry::private::record::{
    Account, Member, OwnSkill, ReviewDetail, ReviewRecord, StarredSkill, TokenRecord, TransferRecord, Whoami,
};
use registry::public::CounterShard;
use registry::public::record::{
    FullList, NamespaceRecord, Page, SkillDetail, SkillSummary, TagRecord, VersionRecord,
};

use super::description::{Description, of};
use super::schemas::Schemas;
use super::{bodies, parameters};
use crate::problem::Code as C;
use crate::routes::Operation as Op;
use crate::routes::{
    account, health, members, namespaces, reviews, session, skills, social, tags, tokens, transfers,
};

/// What is said of an operation.
#[rustfmt::skip]
pub(super) fn describe(operation: Op, s: &mut Schemas) -> Description {
    match operation {
        Op::ListSkills => of("Lists skills: all, or those that a keyword finds.").query(parameters::listing(s)).json::<Page<SkillSummary<'_>>>(200, s),
        Op::ShowSkill => of("Shows a skill.").json::<SkillDetail<'_>>(200, s).fails(&[C::Gone]),
        Op::ListVersions => of("Lists all versions of a skill, the newest first.")
            .json::<FullList<VersionRecord<'_>>>(200, s).fails(&[C::Gone]),
        Op::ShowVersion => of("Shows a version with its front matter.")
            .json::<VersionDetail<'_>>(200, s).fails(&[C::Gone]),
        Op::ListFiles => of("Lists the files of a version.").json::<FullList<FileRecord>>(200, s).fails(&[C::Gone]),
        Op::DownloadLatest => of("Sends the package of the latest version.").zip().fails(&[C::Gone]),
        Op::DownloadVersion => of("Sends the package of a version, of a yanked one too.").zip().fails(&[C::Gone]),
        Op::Resolve => of("Says what a name stands for: the latest version where nothing is asked for.")
            .query(parameters::pointers(s)).json::<Resolved<'_>>(200, s).fails(&[C::Gone]),
        Op::ListNamespaces => of("Lists the namespaces that are not archived.")
            .query(parameters::paging()).json::<Page<NamespaceRecord<'_>>>(200, s),
        Op::ShowNamespace => of("Shows a namespace.").json::<NamespaceRecord<'_>>(200, s),
        Op::Discover => of("Says where the API is.").json::<Discovery>(200, s),
        Op::DescribeApi => of("Sends this document.").schema(200, serde_json::json!({ "type": "object" })),
        Op::ResolveSlug => of("Says what a canonical slug stands for.")
            .query(parameters::slug_and_pointer(s)).json::<ResolvedSlug<'_>>(200, s).fails(&[C::NotFound, C::Gone]),
        Op::DownloadSlug => of("Sends the package of a version, or of what a tag points to.").zip().fails(&[C::Gone]),
        Op::Search => of("Finds skills, those that fit best first; without words it lists the newest.")
            .query(parameters::search()).json::<SearchResults<'_>>(200, s),
        Op::SearchManifest => of("Sends the manifest of the search index: which pieces there are now.").binary(),
        Op::SearchPiece => of("Sends a piece of the search index.").binary(),
        Op::MirrorHead => of("Says up to where the tree is complete.").json::<Head<'_>>(200, s),
        Op::MirrorSettings => of("Shows what the tree depends on besides the feed.").json::<TreeSettings>(200, s),
        Op::MirrorChanges => of("Sends a page of the mirror feed.").schema(200, bodies::feed_page(s)),
        Op::MirrorCounters => of("Sends a part of the published counters.").json::<CounterShard>(200, s),

        Op::Publish => of("Publishes a package, or hands it in for review; 200 where nothing new was kept.")
            .takes("multipart/form-data", &bodies::publication(s), true)
            .json::<PublishReply>(200, s).json::<PublishReply>(201, s).publicly()
            .fails(&[C::NotFound, C::Conflict, C::InvalidPackage]),
        Op::WhoAmI => of("Says who the caller is.").json::<Whoami>(200, s),
        Op::LogIn => of("Begins a session.")
            .reads::<session::LogIn>(s).json::<Account>(200, s).header("Set-Cookie").fails(&[C::Forbidden]),
        Op::LogOut => of("Ends the session; a token stays.").nothing().header("Set-Cookie"),
        Op::ChangeMe => of("Changes the caller's account; absent fields stay.")
            .may_read::<account::ChangedAccount>(s).json::<Account>(200, s).publicly(),
        Op::ShowMe => of("Shows the caller's account.").json::<Account>(200, s),
        Op::ListTokens => of("Lists the caller's tokens.").query(parameters::paging()).json::<Page<TokenRecord>>(200, s),
        Op::CreateToken => of("Makes a token, never with wider scopes than the credential in use.")
            .reads::<tokens::NewToken>(s).json::<tokens::Created>(201, s).fails(&[C::Conflict]),
        Op::RevokeToken => of("Ends one of the caller's tokens.").nothing(),

        Op::Star => of("Stars a skill; again: nothing.").json::<Starred>(200, s).fails(&[C::Gone]),
        Op::Unstar => of("Takes a star back; again: nothing.").json::<Starred>(200, s).fails(&[C::Gone]),
        Op::Rate => of("Rates a skill, in the place of the caller's earlier rating.")
            .reads::<social::NewRating>(s).json::<Rated>(200, s).fails(&[C::Gone]),

        Op::ListTags => of("Lists the tags of a skill, `latest` among them.")
            .json::<FullList<TagRecord>>(200, s).fails(&[C::Gone]),
        Op::SetTag => of("Makes a tag (201) or moves it (200).").reads::<tags::NewTag>(s)
            .json::<TagRecord>(200, s).json::<TagRecord>(201, s).publicly().fails(&[C::Conflict, C::Gone]),
        Op::RemoveTag => of("Removes a tag.").nothing().publicly()
            .fails(&[C::InvalidRequest, C::Conflict, C::Gone]),
        Op::Yank => of("Offers a version no more; its exact download goes on working.")
            .may_read::<skills::Reason>(s).json::<VersionRecord<'_>>(200, s).publicly().fails(&[C::Conflict, C::Gone]),
        Op::Unyank => of("Offers a yanked version again.")
            .json::<VersionRecord<'_>>(200, s).publicly().fails(&[C::Conflict, C::Gone]),
        Op::RemoveSkill => of("Removes a skill. Its name stays its author's.")
            .nothing().publicly().fails(&[C::Conflict, C::Gone]),
        Op::RestoreSkill => of("Brings a removed skill back as it was.")
            .json::<SkillDetail<'_>>(200, s).publicly().fails(&[C::Conflict, C::Gone]),
        Op::OfferSkill => of("Offers a skill to another author, in the place of an earlier offer.")
            .reads::<transfers::NewOffer>(s).json::<TransferRecord>(201, s).fails(&[C::Conflict, C::Gone]),
        Op::WithdrawOffer => of("Takes an offer back, or declines it.").nothing().fails(&[C::Gone]),
        Op::AcceptSkill => of("Takes an offered skill over.")
            .json::<SkillDetail<'_>>(200, s).publicly().fails(&[C::Conflict, C::Gone]),

        Op::ListStars => of("Lists the skills that the caller has starred, the last star first.")
            .query(parameters::paging()).json::<Page<StarredSkill<'_>>>(200, s),
        Op::ListOwnSkills => of("Lists the skills that the caller has written or handed in.")
            .query(parameters::paging()).json::<Page<OwnSkill<'_>>>(200, s),
        Op::ListTransfers => of("Lists the offers that the caller made or got.")
            .query(parameters::paging()).json::<Page<TransferRecord>>(200, s),

        Op::ListReviews => of("Lists the reviews of a namespace.")
            .query(parameters::review_status()).json::<Page<ReviewRecord<'_>>>(200, s),
        Op::ShowReview => of("Shows a review with what was handed in.").json::<ReviewDetail<'_>>(200, s),
        Op::DownloadReview => of("Sends the package under review.").zip().fails(&[C::Gone]),
        Op::Approve => of("Approves what was handed in: it becomes public.")
            .may_read::<reviews::Comment>(s).json::<ReviewRecord<'_>>(200, s).publicly().fails(&[C::Conflict]),
        Op::Reject => of("Rejects what was handed in.")
            .may_read::<reviews::Comment>(s).json::<ReviewRecord<'_>>(200, s).fails(&[C::Conflict]),
        Op::Promote => of("Asks for a copy of a version in `global`, which is a review there.")
            .may_read::<reviews::NewPromotion>(s).json::<ReviewRecord<'_>>(201, s).fails(&[C::Conflict]),

        Op::CreateNamespace => of("Makes a namespace; the caller becomes its owner.")
            .reads::<namespaces::NewNamespace>(s).json::<NamespaceRecord<'_>>(201, s).publicly().fails(&[C::Conflict]),
        Op::UpdateNamespace => of("Changes a namespace; absent fields stay.")
            .may_read::<namespaces::ChangedNamespace>(s).json::<NamespaceRecord<'_>>(200, s).publicly()
            .fails(&[C::Conflict]),
        Op::ListMembers => of("Lists the members of a namespace.")
            .query(parameters::paging()).json::<Page<Member>>(200, s),
        Op::AddMember => of("Takes someone into a namespace.")
            .reads::<members::NewMember>(s).json::<Member>(201, s).fails(&[C::Conflict]),
        Op::ChangeRole => of("Gives a member another role.")
            .reads::<members::NewRole>(s).json::<Member>(200, s).fails(&[C::Conflict]),
        Op::RemoveMember => of("Lets a member go; anyone may leave.").nothing().fails(&[C::Conflict]),

        Op::Health => of("Says that the process answers.").json::<health::Health>(200, s),
        Op::Ready => of("Says that writes are taken and the tree follows, else 503.").json::<health::Ready>(200, s),
    }
}
