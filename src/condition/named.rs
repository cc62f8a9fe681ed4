//! Named conditions: that they know each other, and do not form a cycle.

use std::collections::BTreeMap;

use super::{Condition, MAX_DEPTH, Site};
use promptline_diagnostic::words::{listed, nearest};
use promptline_diagnostic::{Error, ErrorKind};

/// Checks the named conditions of a registry: that they know each other, do not form a cycle, and
/// ask for nothing that a matcher cannot know.
///
/// An error comes with the name of the condition that it is about.
pub(crate) fn check_named(named: &BTreeMap<String, Condition>) -> Vec<(&str, Error)> {
    let mut walk = Walk { named, seen: BTreeMap::new(), path: Vec::new(), errors: Vec::new() };
    for (name, condition) in named {
        let check = condition.check(Site::Matcher);
        if let Err(error) = check.and_then(|()| check_names(condition, named)) {
            walk.errors.push((name.as_str(), error));
        }
        walk.from(name, condition);
    }
    walk.errors
}

/// Checks that every condition named in `condition` exists.
pub(crate) fn check_names(
    condition: &Condition,
    named: &BTreeMap<String, Condition>,
) -> Result<(), Error> {
    let unknown = condition.names().into_iter().find(|name| !named.contains_key(name));
    unknown.map_or(Ok(()), |name| Err(unknown_name(&name, named)))
}

fn unknown_name(name: &str, named: &BTreeMap<String, Condition>) -> Error {
    let known = named.keys().map(String::as_str);
    let help = match nearest(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if named.is_empty() => {
            format!("name it in pack.toml under [conditions]: `{name} = {{ … }}`")
        }
        None => format!("named are {}", listed(known)),
    };
    Error::new(ErrorKind::Condition, format!("no condition is named `{name}`"))
        .with_code("unknown-condition")
        .about(name)
        .with_help(help)
}

/// Where the walk is with a name.
#[derive(Clone, Copy)]
enum Seen {
    /// On the path from the first name to the current one.
    Open,
    /// Left, with the depth of what it names.
    Done(usize),
}

/// A name on the path.
struct WalkStep<'n> {
    name: &'n str,
    /// The names in its condition that are not walked yet.
    left: Vec<String>,
    /// The depth of what it names.
    below: usize,
}

/// A depth-first walk by hand: the number of a host's conditions is unlimited.
struct Walk<'n> {
    named: &'n BTreeMap<String, Condition>,
    seen: BTreeMap<&'n str, Seen>,
    path: Vec<WalkStep<'n>>,
    errors: Vec<(&'n str, Error)>,
}

impl<'n> Walk<'n> {
    fn from(&mut self, name: &'n str, condition: &Condition) {
        if !self.seen.contains_key(name) {
            self.enter(name, condition);
        }
        while let Some(step) = self.path.last_mut() {
            match step.left.pop() {
                Some(next) => self.visit(&next),
                None => self.leave(),
            }
        }
    }

    fn enter(&mut self, name: &'n str, condition: &Condition) {
        self.seen.insert(name, Seen::Open);
        self.path.push(WalkStep { name, left: condition.names(), below: 0 });
    }

    /// A name that is not there is reported where it is written.
    fn visit(&mut self, next: &str) {
        let Some((next, condition)) = self.named.get_key_value(next) else { return };
        match self.seen.get(next.as_str()) {
            Some(Seen::Done(depth)) => self.deepen(*depth),
            Some(Seen::Open) => self.report_circle(next),
            None => self.enter(next, condition),
        }
    }

    fn leave(&mut self) {
        let Some(WalkStep { name, below, .. }) = self.path.pop() else { return };
        let depth = below + self.named.get(name).map_or(0, Condition::depth);
        self.seen.insert(name, Seen::Done(depth));
        if depth > MAX_DEPTH {
            let message = format!(
                "the condition `{name}` is nested more than {MAX_DEPTH} deep, with those that it names"
            );
            let error = Error::new(ErrorKind::Condition, message).about(name);
            self.errors.push((name, error.with_help("let it use fewer conditions")));
        }
        self.deepen(depth);
    }

    fn deepen(&mut self, depth: usize) {
        if let Some(step) = self.path.last_mut() {
            step.below = step.below.max(depth);
        }
    }

    fn report_circle(&mut self, name: &'n str) {
        let names = self.path.iter().map(|step| step.name);
        let mut circle: Vec<_> = names.skip_while(|step| *step != name).collect();
        circle.push(name);
        let message = format!("named conditions form a cycle: {}", circle.join(" -> "));
        let error = Error::new(ErrorKind::Condition, message)
            .with_code("condition-cycle")
            .about(name)
            .with_help("a condition cannot depend on itself, directly or through others");
        self.errors.push((name, error));
    }
}
