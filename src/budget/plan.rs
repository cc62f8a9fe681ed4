//! Which sections give way, in what order, and how much. A plan is queried for savings again and again, and
//! never gives back what it took.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::marks::Marks;
use super::printed::{places, printed};
use super::shorten::{Cutter, Form, excess};
use super::{RulesCut, SectionBudget, SectionCut, Shrink, rules};
use crate::cleanup::Level;
use crate::text::BuiltSection;
use crate::text::{Inner, Text};

/// What is between two sections where no template says otherwise.
const SEPARATOR: &str = "\n\n====\n\n";

/// What a component says about its section.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) priority: u8,
    pub(crate) required: bool,
    pub(crate) budget: SectionBudget,
}

/// How hard it is to leave a section out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Grip {
    Free,
    Required,
    Pinned,
}

struct Unit {
    section: Arc<BuiltSection>,
    said: Said,
    /// How often it is printed.
    printed: usize,
    /// What it cost by itself, what with that which is printed inside it, and what it costs now.
    own: usize,
    before: usize,
    after: usize,
    grip: Grip,
    shrinks: bool,
    shortened: Option<Form>,
    dropped: bool,
    /// The places of the sections that are kept with it.
    followers: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Act {
    /// Down to its minimum.
    ToMinimum,
    /// If that is enough.
    Shorten,
    Drop,
}

/// A step: how bad it is (stage, priority), then those that ran later first.
type Step = (u8, u8, Reverse<usize>, Act);

pub(super) struct Plan<'a> {
    units: Vec<Unit>,
    steps: Vec<Step>,
    next: usize,
    /// What goes with a section that is left out, about: the separator.
    separator: usize,
    count: &'a dyn Fn(&str) -> usize,
    marks: &'a Marks,
}

impl<'a> Plan<'a> {
    /// `required`: required sections may be left out when nothing else is left.
    pub(super) fn new(
        base: &Text,
        sections: &[Arc<BuiltSection>],
        said: Vec<Said>,
        required: bool,
        (count, marks): (&'a dyn Fn(&str) -> usize, &'a Marks),
    ) -> Self {
        let places = places(sections);
        let printed = printed(base, sections, &places);
        let mut units: Vec<Unit> = Vec::with_capacity(sections.len());
        for ((section, said), printed) in sections.iter().zip(said).zip(printed) {
            // What is not printed costs nothing.
            let own = if printed == 0 { 0 } else { count(&section.text().own_text()) };
            let inside = section.text().inner_sections();
            let inside = inside.filter_map(|inner| places.get(inner.id().as_str()));
            let inside = inside.filter_map(|place| units.get(*place)).map(|unit| unit.before);
            let before = inside.fold(own, usize::saturating_add);
            units.push(Unit {
                section: Arc::clone(section),
                printed,
                own,
                before,
                after: before,
                grip: match (said.budget.pinned, said.required) {
                    (true, _) => Grip::Pinned,
                    (false, true) => Grip::Required,
                    (false, false) => Grip::Free,
                },
                shrinks: said.budget.shrink != Shrink::None,
                said,
                shortened: None,
                dropped: false,
                followers: Vec::new(),
            });
        }
        hold(&mut units, &places);
        let steps = steps(&units, required);
        let printed = base.inner_sections().count().max(1);
        let separator = count(SEPARATOR).min(count(&base.own_text()).div_ceil(printed));
        Self { units, steps, next: 0, separator, count, marks }
    }

    /// Saves so many tokens, or less when no more can be saved. False: nothing was left to save.
    pub(super) fn save(&mut self, mut need: usize) -> bool {
        let mut changed = false;
        while need > 0 {
            let Some(&(_, _, Reverse(place), act)) = self.steps.get(self.next) else { break };
            let saved = match act {
                Act::Drop => self.drop(place),
                Act::ToMinimum | Act::Shorten => self.shorten(place, need, act),
            };
            changed |= saved > 0;
            // A section that saved enough may save more in a later round; one that did not has nothing left.
            if saved < need || act == Act::Drop {
                self.next += 1;
            }
            need = need.saturating_sub(saved);
        }
        changed
    }

    fn shorten(&mut self, place: usize, need: usize, act: Act) -> usize {
        let Some(unit) = self.units.get_mut(place).filter(|unit| !unit.dropped) else { return 0 };
        let each = need.div_ceil(unit.printed.max(1));
        let least = if act == Act::ToMinimum { unit.said.budget.min } else { 0 };
        let target = unit.after.saturating_sub(each);
        // Always from the whole text: a cut of a cut would say too little about what went.
        let section = Arc::clone(&unit.section);
        let cut = (unit.said.budget.shrink, least);
        let cutter = Cutter::new(section.text(), unit.before, cut, self.count, self.marks);
        let Some(cutter) = cutter else { return 0 };
        // Nearer than that is not needed: room that is left comes back.
        let near = excess(target / 64, 0);
        let over = |form: &Form| match excess(form.tokens, target) {
            over if least > 0 => over.min(excess(form.left, least)),
            over => over,
        };
        let shortened = cutter.largest(None, near, over).filter(|form| form.tokens < unit.after);
        let Some(shortened) = shortened else { return 0 };
        let saved = (unit.after - shortened.tokens).saturating_mul(unit.printed);
        if act == Act::Shorten && saved < need {
            return 0;
        }
        unit.after = shortened.tokens;
        unit.shortened = Some(shortened);
        saved
    }

    /// The sections that are shortened, those that matter most first.
    pub(super) fn shortened(&self) -> Vec<usize> {
        let mut seen = BTreeSet::new();
        let cut = |place: &usize| {
            let unit = self.units.get(*place);
            unit.is_some_and(|unit| !unit.dropped && unit.shortened.is_some())
        };
        let places = self.steps.iter().rev().map(|(_, _, Reverse(place), _)| *place);
        places.filter(|place| cut(place) && seen.insert(*place)).collect()
    }

    /// Makes a shortened section as long as it can be: `print` says how much the prompt of these sections
    /// costs too much. `free` is about what there is.
    pub(super) fn lengthen(
        &mut self,
        place: usize,
        free: usize,
        mut print: impl FnMut(Vec<Arc<BuiltSection>>) -> Option<i64>,
    ) {
        let Some(unit) = self.units.get(place) else { return };
        let Some(now) = unit.shortened.clone() else { return };
        let section = Arc::clone(&unit.section);
        let cut = (unit.said.budget.shrink, unit.said.budget.min);
        let cutter = Cutter::new(section.text(), unit.before, cut, self.count, self.marks);
        let Some(cutter) = cutter else { return };
        // Parts do not add up to the whole, to a few tokens; beyond that nothing has to be printed.
        let likely = unit.after.saturating_add(free / unit.printed.max(1));
        let longest = cutter.largest(Some(now.clone()), -1, |form| {
            let over = excess(form.tokens, likely);
            if over > 4 {
                return over;
            }
            if form.tokens < now.tokens || form.is_same_cut(&now) {
                return over.min(0);
            }
            self.set(place, form.clone());
            print(self.sections()).unwrap_or(i64::MAX)
        });
        self.set(place, longest.unwrap_or(now));
    }

    fn set(&mut self, place: usize, form: Form) {
        if let Some(unit) = self.units.get_mut(place) {
            unit.after = form.tokens;
            unit.shortened = (!form.is_whole()).then_some(form);
        }
    }

    /// With everything that is kept with it.
    fn drop(&mut self, place: usize) -> usize {
        let mut saved = 0_usize;
        let mut going = vec![place];
        while let Some(place) = going.pop() {
            let Some(unit) = self.units.get_mut(place).filter(|unit| !unit.dropped) else {
                continue;
            };
            unit.dropped = true;
            let each = unit.after.saturating_add(self.separator);
            saved = saved.saturating_add(each.saturating_mul(unit.printed));
            unit.after = 0;
            going.extend(&unit.followers);
        }
        saved
    }

    /// The sections as they are now. One that printed only what has gone has gone too.
    pub(super) fn sections(&mut self) -> Vec<Arc<BuiltSection>> {
        let mut now: BTreeMap<String, Option<Arc<BuiltSection>>> = BTreeMap::new();
        for unit in &mut self.units {
            let section = (!unit.dropped).then(|| current(unit, &now)).flatten();
            unit.dropped |= section.is_none();
            now.entry(unit.section.id().to_string()).or_insert(section);
        }
        let units = self.units.iter();
        units.filter_map(|unit| now.get(unit.section.id().as_str()).cloned().flatten()).collect()
    }

    /// What was taken, in the order of the sections.
    pub(super) fn cuts(&self) -> Vec<SectionCut> {
        let taken = |unit: &&Unit| unit.printed > 0 && (unit.dropped || unit.shortened.is_some());
        let cut = |unit: &Unit| SectionCut {
            id: unit.section.id().clone(),
            dropped: unit.dropped,
            before: unit.before,
            after: if unit.dropped { 0 } else { unit.cost(self.count) },
            rules: unit.rules(),
        };
        self.units.iter().filter(taken).map(cut).collect()
    }

    /// The sections that may not be touched, with what they cost by themselves.
    pub(super) fn pinned(&self) -> Vec<(&str, usize)> {
        let held = self.units.iter().filter(|unit| unit.grip == Grip::Pinned && !unit.shrinks);
        held.map(|unit| (unit.section.id().as_str(), unit.own.saturating_mul(unit.printed)))
            .collect()
    }
}

impl Unit {
    /// Forms cost what their parts do; this is exact.
    fn cost(&self, count: &dyn Fn(&str) -> usize) -> usize {
        self.shortened.as_ref().map_or(self.after, |shortened| count(&shortened.text.to_string()))
    }

    fn rules(&self) -> Vec<RulesCut> {
        match &self.shortened {
            Some(shortened) if !self.dropped => shortened.rules.clone(),
            _ => {
                let text = self.section.text();
                let files = rules::files(text, &text.to_string());
                files.iter().map(|file| file.cut(true)).collect()
            }
        }
    }
}

/// Carries pins and requirements to the sections that others depend on.
fn hold(units: &mut [Unit], places: &BTreeMap<String, usize>) {
    let inside: Vec<Vec<usize>> = units
        .iter()
        .map(|unit| {
            let inside = unit.section.text().inner_sections();
            inside.filter_map(|section| places.get(section.id().as_str()).copied()).collect()
        })
        .collect();
    // What is printed inside a pinned section is a part of it. From the last to the first: a section prints
    // only earlier ones, so one pass carries a pin through all levels.
    for (place, inside) in inside.iter().enumerate().rev() {
        if units.get(place).is_some_and(|unit| unit.grip == Grip::Pinned) {
            for inner in inside {
                raise(units, *inner, Grip::Pinned);
            }
        }
    }
    // From the first to the last, for the same reason: what is inside is settled before what holds it.
    for place in 0..units.len() {
        // A pinned section itself, or one that holds such a one: no part of it may go.
        let held = inside.get(place).into_iter().flatten();
        let held = held.filter_map(|inner| units.get(*inner)).map(|unit| unit.grip).max();
        if let Some(held) = held {
            raise(units, place, held);
        }
        if let Some(unit) = units.get_mut(place) {
            unit.shrinks &= unit.grip != Grip::Pinned;
        }
    }
    for place in 0..units.len() {
        let Some(unit) = units.get(place) else { continue };
        let (mut grip, mut with) = (unit.grip, unit.said.budget.keep_with.clone());
        if let Some(anchor) = with.as_ref().and_then(|id| places.get(id))
            && let Some(anchor) = units.get_mut(*anchor)
        {
            anchor.followers.push(place);
        }
        // What a section is kept with cannot go before it.
        while let Some(anchor) = with.as_ref().and_then(|id| places.get(id)) {
            if !raise(units, *anchor, grip) {
                break;
            }
            let Some(unit) = units.get(*anchor) else { break };
            (grip, with) = (unit.grip, unit.said.budget.keep_with.clone());
        }
    }
}

/// Whether that changed anything.
fn raise(units: &mut [Unit], place: usize, grip: Grip) -> bool {
    match units.get_mut(place).filter(|unit| unit.grip < grip) {
        Some(unit) => {
            unit.grip = grip;
            true
        }
        None => false,
    }
}

fn steps(units: &[Unit], required: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    for (place, unit) in units.iter().enumerate().filter(|(_, unit)| unit.printed > 0) {
        let has_minimum = unit.said.budget.min > 0;
        let mut add = |stage, act| steps.push((stage, unit.said.priority, Reverse(place), act));
        // What a section has above its minimum goes before anything else, whatever its priority: else one
        // large rules file of high priority would cost the prompt all of its own sections.
        if unit.shrinks && has_minimum {
            add(0, Act::ToMinimum);
        }
        // Stage 1 holds what may go as it is; stage 2 holds required sections, which are dropped after all
        // others, and only where no compact variant is left to try (`required`).
        let stages: Range<u8> = match unit.grip {
            Grip::Free => 1..2,
            Grip::Required if required => 1..3,
            Grip::Required | Grip::Pinned => 1..1,
        };
        for stage in stages {
            if unit.shrinks && !has_minimum {
                add(stage, Act::Shorten);
            }
            if unit.grip == Grip::Free || stage == 2 {
                add(stage, Act::Drop);
            }
        }
    }
    steps.sort_unstable();
    steps
}

fn current(
    unit: &Unit,
    now: &BTreeMap<String, Option<Arc<BuiltSection>>>,
) -> Option<Arc<BuiltSection>> {
    let section = &unit.section;
    let text = unit.shortened.as_ref().map(|shortened| &shortened.text);
    let inner = |inner: &BuiltSection| match now.get(inner.id().as_str()) {
        Some(None) => Inner::Gone,
        Some(Some(other)) if !std::ptr::eq(inner, other.as_ref()) => {
            Inner::Other(Arc::clone(other))
        }
        _ => Inner::Same,
    };
    let made = |text: Text| {
        let (id, origin) = (section.id().clone(), section.origin().clone());
        Arc::new(BuiltSection::new(id, text, origin, section.volatility()))
    };
    match (text.unwrap_or(section.text()).with_inner_sections(inner), text) {
        (Some(text), _) => {
            let text = text.cleaned(Level::Section);
            (!text.is_blank()).then(|| made(text))
        }
        (None, Some(text)) => Some(made(text.clone())),
        (None, None) => Some(Arc::clone(section)),
    }
}
