//! The way to a model: what stands around its name in an id. Taken off from the outside to the inside,
//! in one pass; what is not known as a host, a region or a maker is not a route.

use smallvec::SmallVec;

use crate::tables::Known;
use promptline_diagnostic::Id;

/// An id taken out of its wrapping.
#[derive(Debug, Default)]
pub(crate) struct Unwrapped<'i> {
    /// The model's own name: the last path segment without what stands before it.
    pub(crate) name: &'i str,
    /// Hosts and regions, in order, each with the vendor whose own models it may serve as well.
    pub(crate) route: SmallVec<[(Id, Option<Id>); 4]>,
    /// Who the path, or a dotted prefix, says made it.
    pub(crate) maker: Option<Id>,
    /// The length of a maker's dotted prefix of the name. It is left on: in `deepseek.r1` it is the
    /// family as well.
    pub(crate) dotted: usize,
    /// The name is a user's own, as that of an inference profile.
    pub(crate) users_own: bool,
}

impl<'i> Unwrapped<'i> {
    /// Takes apart an id that is lower case and trimmed.
    pub(crate) fn read(id: &'i str, known: &Known) -> Self {
        let mut unwrapped = Self::default();
        let mut rest = unwrapped.arn(id);
        let mut fine_tuned = false;
        loop {
            rest = rest.trim_start_matches(['~', ' ']);
            if let Some(inner) = rest.strip_prefix("hf:") {
                unwrapped.push("hf");
                rest = inner;
            } else if let Some(inner) = rest.strip_prefix("ft:") {
                unwrapped.push("ft");
                fine_tuned = true;
                rest = inner;
            } else {
                break;
            }
        }
        rest = rest.trim_end_matches('/');
        let name = unwrapped.path(rest, known);
        // Behind a fine-tuned model stand the names of its owner.
        let name = if fine_tuned { name.split(':').next().unwrap_or_default() } else { name };
        unwrapped.name = unwrapped.dotted_prefixes(name, known);
        unwrapped
    }

    fn push(&mut self, route: &str) {
        self.route.push((Id::from(route), None));
    }

    /// `arn:PARTITION:SERVICE:REGION:ACCOUNT:TYPE/REST`.
    fn arn(&mut self, id: &'i str) -> &'i str {
        let mut parts = id.splitn(6, ':');
        let (Some("arn"), Some(_), Some(service), Some(region), Some(_), Some(resource)) =
            (parts.next(), parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return id;
        };
        for part in [service, region] {
            if !part.is_empty() {
                self.push(part);
            }
        }
        let (kind, rest) = resource.split_once('/').unwrap_or(("", resource));
        self.users_own = USERS_OWN.contains(&kind);
        rest
    }

    /// The segments before the last one.
    fn path(&mut self, path: &'i str, known: &Known) -> &'i str {
        let (mut folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        // The publisher in `projects/…/publishers/P/models/M` is the maker; the rest is the user's.
        if folders.starts_with("projects/")
            && let Some((_, publisher)) = folders.rsplit_once("publishers/")
        {
            folders = publisher.split('/').next().unwrap_or_default();
        }
        let mut at_azure = false;
        while !folders.is_empty() {
            let (segment, rest) = folders.split_once('/').unwrap_or((folders, ""));
            if let Some(rest) = self.long_host(folders, known) {
                folders = rest;
                continue;
            }
            folders = rest;
            let segment = segment.trim_matches(['~', ' ']);
            if let Some(vendor) = known.maker(segment) {
                if known.serving_makers.contains(segment) {
                    self.route.push((Id::from(segment), Some(vendor.clone())));
                }
                self.maker = Some(vendor.clone());
            } else if let Some(host) = known.host(segment) {
                self.route.push((host.clone(), None));
            } else if is_region(segment) || is_commitment(segment) {
                self.push(segment);
            } else if at_azure && let Some(geo) = known.geo.iter().find(|geo| ***geo == *segment) {
                self.route.push((geo.clone(), None));
            }
            at_azure = segment.starts_with("azure");
        }
        name
    }

    /// A host of two to four segments; what comes behind it.
    fn long_host(&mut self, folders: &'i str, known: &Known) -> Option<&'i str> {
        let host = (1..4).rev().find_map(|slashes| {
            let end = folders.match_indices('/').nth(slashes).map_or(folders.len(), |(at, _)| at);
            let host = folders.get(..end)?;
            known.host(host).filter(|host| host.contains('/'))
        })?;
        host.split('/').for_each(|segment| self.push(segment));
        Some(folders.get(host.len()..)?.trim_start_matches('/'))
    }

    /// `us.anthropic.` before a name.
    fn dotted_prefixes(&mut self, name: &'i str, known: &Known) -> &'i str {
        let split = name.split_once('.');
        let geo = split.and_then(|(prefix, rest)| {
            Some((known.geo.iter().find(|geo| ***geo == *prefix)?, rest))
        });
        let inner = geo.map_or(name, |(_, rest)| rest);
        let maker =
            inner.split_once('.').and_then(|(prefix, _)| Some((prefix, known.maker(prefix)?)));
        let Some((prefix, vendor)) = maker else { return name };
        self.route.extend(geo.map(|(geo, _)| (geo.clone(), None)));
        self.maker = Some(vendor.clone());
        self.dotted = prefix.len();
        inner
    }
}

/// What an ARN names that its owner has named.
const USERS_OWN: [&str; 4] = [
    "application-inference-profile",
    "provisioned-model",
    "imported-model",
    "custom-model-deployment",
];

/// The id is an ARN of something that its owner has named.
pub(crate) fn is_users_own(id: &str) -> bool {
    let resource = id.strip_prefix("arn:").and_then(|arn| arn.splitn(5, ':').nth(4));
    let kind = resource.and_then(|resource| resource.split('/').next());
    kind.is_some_and(|kind| USERS_OWN.contains(&kind))
}

/// `us-east-1`, `us-gov-west-1`.
fn is_region(segment: &str) -> bool {
    let mut parts = segment.split('-');
    let letters = |part: &str| part.bytes().all(|b| b.is_ascii_lowercase());
    parts.next().is_some_and(|land| land.len() == 2 && letters(land))
        && parts.next_back().is_some_and(|zone| zone.len() == 1 && crate::tokens::is_digits(zone))
        && parts.clone().count() >= 1
        && parts.all(|part| part.len() > 1 && letters(part))
}

/// `6-month-commitment`.
fn is_commitment(segment: &str) -> bool {
    segment.strip_suffix("-month-commitment").is_some_and(crate::tokens::is_digits)
}
