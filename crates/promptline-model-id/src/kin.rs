//! Which family an id means when its words mean several: a fine-tune and its base, a student and its
//! teacher. It knows the marks and where a size stands, and nothing of versions.

use smallvec::SmallVec;

use crate::read::{Found, families, family_at};
use crate::tables::Known;
use crate::tokens::{Kind, Token};
use promptline_diagnostic::Id;

/// The family of an id, and those that it comes from.
#[derive(Debug, Default)]
pub(crate) struct Kin<'k> {
    pub(crate) family: Option<Found<'k>>,
    /// What a named fine-tune was tuned from.
    pub(crate) base: Option<Id>,
    /// Whose answers it was trained on.
    pub(crate) teacher: Option<Id>,
    /// The teacher's maker publishes it.
    pub(crate) by_teacher: bool,
    /// Everything that was found.
    pub(crate) all: SmallVec<[Found<'k>; 2]>,
}

impl<'k> Kin<'k> {
    /// `start` is the first token of the model's own name; a maker's dotted prefix before it counts as
    /// a family where nothing else is one.
    pub(crate) fn of(tokens: &[Token<'_>], start: usize, dotted: bool, known: &'k Known) -> Self {
        let mark = tokens.iter().position(|token| token.text.starts_with("distill"));
        let mut all = families(tokens, start, mark.is_some(), known);
        if all.is_empty() {
            all.extend(alone(tokens, start, known));
        }
        if all.is_empty() && dotted {
            all.extend(family_at(tokens, 0, known));
        }
        let mut kin = Self::decide(tokens, &all, mark, known);
        kin.all = all;
        kin
    }

    fn decide(
        tokens: &[Token<'_>],
        all: &[Found<'k>],
        mark: Option<usize>,
        known: &'k Known,
    ) -> Self {
        let Some(first) = all.first() else { return Self::default() };
        let size = tokens.iter().position(|token| token.kind == Kind::Size);
        let others = || all.iter().filter(|other| !other.is(first));

        if let Some(tuner) = all.iter().find(|one| one.family.tunes_others && mark.is_none()) {
            let base = all.iter().find(|other| !other.is(tuner));
            let base = base.and_then(|base| base.family.id());
            return Self { family: Some(tuner.clone()), base, ..Self::default() };
        }
        let closed = all.iter().find(|one| one.family.closed);
        let open = || all.iter().filter(|one| !one.family.closed);
        let Some(first_open) = open().next() else {
            // Nobody else has the weights: with a size, or the mark, it is a student without a name.
            let is_student = mark.is_some() || (size.is_some() && !first.family.has_sizes);
            return match is_student {
                true => Self { teacher: first.family.id(), ..Self::default() },
                false => Self { family: Some(first.clone()), ..Self::default() },
            };
        };
        // A closed name right before an open one of the same maker is where it is served
        // (gemini-gemma-2-27b), and no teacher.
        let closed = closed.filter(|closed| {
            mark.is_some()
                || closed.first + 1 != first_open.first
                || closed.family.vendor_name() != first_open.family.vendor_name()
        });
        let teacher = closed.map(|closed| closed.family).or_else(|| {
            mark.and_then(|_| tokens.iter().find_map(|token| known.line_alone(token.text)))
        });
        let student = student(open(), mark, size).unwrap_or(first_open);
        let teacher = teacher.or_else(|| open().find(|one| !one.is(student)).map(|one| one.family));
        let by_teacher = teacher.is_some_and(|teacher| {
            teacher.teaches && teacher.name() == first.family.name() && others().next().is_some()
        });
        let teacher = teacher.and_then(|teacher| teacher.id());
        Self { family: Some(student.clone()), teacher, by_teacher, ..Self::default() }
    }
}

/// The student among open families: never the one that is known to teach; behind the mark, or else the
/// first one where there is a mark; else the one whose size it is.
fn student<'f, 'k: 'f>(
    open: impl Iterator<Item = &'f Found<'k>> + Clone,
    mark: Option<usize>,
    size: Option<usize>,
) -> Option<&'f Found<'k>> {
    let mut learning = open.clone().filter(|one| !one.family.teaches);
    match mark {
        Some(mark) => learning.clone().find(|one| one.first > mark).or_else(|| learning.next()),
        None => {
            let size = size.unwrap_or(0);
            learning.clone().take_while(|one| one.first < size).last().or_else(|| learning.next())
        }
    }
}

/// A line that means its family by itself: nothing else in the name may be a word.
fn alone<'k>(tokens: &[Token<'_>], start: usize, known: &'k Known) -> Option<Found<'k>> {
    let own = tokens.get(start..)?;
    let at = own.iter().position(|token| known.line_alone(token.split().0).is_some())?;
    let family = known.line_alone(own.get(at)?.split().0)?;
    let fits = |token: &Token<'_>| {
        let (letters, number) = token.split();
        let is_line = family.alone(letters) && !number.chars().any(char::is_alphabetic);
        let is_number = letters.is_empty() && !number.chars().any(char::is_alphabetic);
        match token.kind {
            Kind::Date | Kind::Setting => true,
            Kind::Size => false,
            Kind::Free => is_line || is_number || known.suffix(token.text).is_some(),
        }
    };
    own.iter().all(fits).then(|| Found::at(family, start + at))
}
