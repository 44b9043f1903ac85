//! Says why no version of a skill can be chosen.

use registry::names::Coordinate;

use super::{By, Candidate, Need, Search};

impl Search<'_> {
    /// The sentence about a skill of which no version satisfies all needs: two of them, with their chains.
    pub(super) fn contradiction(&self, skill: &Coordinate, offered: &[Candidate]) -> String {
        let needs: Vec<&Need> = self.needs.iter().filter(|need| need.skill == *skill).collect();
        let name = skill.scoped();
        let first = needs.first().map(|need| self.chain(need)).unwrap_or_default();
        if offered.is_empty() {
            return format!("{first}, but the registry has no {name}, or only yanked versions of it");
        }
        let all_refuse = |needs: &[&Need]| {
            !offered.iter().any(|candidate| needs.iter().all(|need| need.accepts(candidate)))
        };
        if let Some(alone) = needs.iter().find(|need| all_refuse(&[need])) {
            return format!("{}, but no version of {name} fits", self.chain(alone));
        }
        let pairs = needs
            .iter()
            .enumerate()
            .flat_map(|(at, one)| needs.iter().skip(at + 1).map(move |other| (one, other)));
        let pair = pairs.into_iter().find(|(one, other)| all_refuse(&[one, other]));
        let shown: Vec<String> = match pair {
            Some((one, other)) => vec![self.chain(one), self.chain(other)],
            None => needs.iter().map(|need| self.chain(need)).collect(),
        };
        format!("no version of {name} fits all that need it: {}", shown.join("; "))
    }

    /// The chain from a skill that the user asked for to this need, as in `@a/x 1.2.0 (you asked) needs @b/z ^1`.
    fn chain(&self, need: &Need) -> String {
        let name = need.skill.scoped();
        let wanted = need.requirement.as_ref().map(|one| format!(" {one}")).unwrap_or_default();
        let at = match &need.by {
            By::User => return format!("you asked for {name}{wanted}"),
            By::Standing(who) => return format!("{who} needs {name}{wanted}"),
            By::Chosen(at) => *at,
        };
        let Some(member) = self.chosen.get(at) else { return String::new() };
        let who = format!("{} {}", member.skill.scoped(), member.version);
        // Its first need is older than its choice, so this ends.
        match self.needs.iter().find(|first| first.skill == member.skill) {
            Some(first) if matches!(first.by, By::Chosen(_)) => {
                format!("{}, and {who} needs {name}{wanted}", self.chain(first))
            }
            _ => format!("{who} (you asked) needs {name}{wanted}"),
        }
    }
}
