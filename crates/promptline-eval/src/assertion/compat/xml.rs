//! `is-xml` and `contains-xml`, with the elements that must be there as paths.

use serde_json::Value;

use super::{Check, js};
use crate::assertion::Verdict;

pub(super) fn grade(check: &Check<'_>) -> Result<Verdict, String> {
    let required: Vec<String> = match &check.value {
        Some(Value::String(text)) => {
            text.split(',').map(|path| js::trim(path).to_owned()).collect()
        }
        Some(Value::Array(items)) => items.iter().map(js::string).collect(),
        Some(Value::Object(members)) if !members.is_empty() => {
            let listed = members.get("requiredElements").and_then(Value::as_array);
            let listed = listed.ok_or("an XML assertion takes paths of elements, or nothing")?;
            listed.iter().map(js::string).collect()
        }
        _ => Vec::new(),
    };
    let text = check.subject.text();
    Ok(match check.kind {
        "is-xml" => match well_formed(text) {
            Ok(()) => {
                let missing = Node::read(text).missing(&required);
                check.verdict(
                    missing.is_empty(),
                    &format!("have the elements {}", missing.join(", ")),
                )
            }
            Err(error) => check.verdict(false, &format!("be XML: {error}")),
        },
        _ => {
            let found = candidates(text);
            // What lies in a piece that was read is not looked at again.
            let mut read: Vec<(usize, usize)> = Vec::new();
            let fits = found.iter().any(|&(start, end)| {
                if read.iter().any(|one| one.0 <= start && end <= one.1) {
                    return false;
                }
                read.push((start, end));
                Node::read(text.get(start..end).unwrap_or_default()).missing(&required).is_empty()
            });
            let what = if found.is_empty() {
                "contain XML"
            } else {
                "contain XML with the required elements"
            };
            check.verdict(fits, what)
        }
    })
}

fn well_formed(text: &str) -> Result<(), String> {
    if let Some(at) = text.find("<!DOCTYPE") {
        let declaration = text.get(at..).unwrap_or_default();
        if declaration
            .get(..declaration.find('>').unwrap_or(0))
            .is_some_and(|inside| inside.contains('['))
        {
            return Err(String::from("internal subsets of a DTD are not supported"));
        }
    }
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    roxmltree::Document::parse_with_options(text, options)
        .map(|_| ())
        .map_err(|error| error.to_string())
}

/// An element, its children by name in order. Text and attributes are leaves.
#[derive(Default)]
struct Node {
    name: String,
    attributes: Vec<String>,
    children: Vec<Node>,
    has_text: bool,
}

impl Node {
    /// Reads without complaint: what is not balanced is closed.
    fn read(text: &str) -> Self {
        let mut stack = vec![Self::default()];
        let mut from = 0;
        while let Some(at) = text.get(from..).and_then(|rest| rest.find('<')).map(|at| from + at) {
            let between = text.get(from..at).unwrap_or_default();
            if let Some(top) = stack.last_mut() {
                top.has_text |= !js::trim(between).is_empty();
            }
            match Tag::at(text, at) {
                None => from = at + 1,
                Some(tag) => {
                    from = tag.end;
                    match tag.kind {
                        Kind::Open { closed } => {
                            let node = Self {
                                name: tag.name,
                                attributes: tag.attributes,
                                ..Self::default()
                            };
                            stack.push(node);
                            if closed {
                                close(&mut stack);
                            }
                        }
                        Kind::Close => close(&mut stack),
                        Kind::Text => {
                            if let Some(top) = stack.last_mut() {
                                top.has_text = true;
                            }
                        }
                        Kind::Declaration => {
                            if tag.name.starts_with('?')
                                && let Some(top) = stack.last_mut()
                            {
                                top.children.push(Self { name: tag.name, ..Self::default() });
                            }
                        }
                    }
                }
            }
        }
        while stack.len() > 1 {
            close(&mut stack);
        }
        stack.pop().unwrap_or_default()
    }

    fn missing<'p>(&self, required: &'p [String]) -> Vec<&'p str> {
        let missing =
            required.iter().filter(|path| !self.has(&path.split('.').collect::<Vec<_>>()));
        missing.map(String::as_str).collect()
    }

    /// A path of names; between two of them a number picks one of several elements of a name, as many as
    /// there are is the wrong shape for a name.
    fn has(&self, path: &[&str]) -> bool {
        let Some((name, rest)) = path.split_first() else { return true };
        if *name == "#text"
            && self.has_text
            && (!self.children.is_empty() || !self.attributes.is_empty())
        {
            return rest.is_empty();
        }
        if let Some(attribute) = name.strip_prefix("@_") {
            return rest.is_empty() && self.attributes.iter().any(|one| one == attribute);
        }
        let named: Vec<&Node> = self.children.iter().filter(|child| child.name == *name).collect();
        match (named.as_slice(), rest.split_first()) {
            ([], _) => false,
            (_, None) => true,
            ([one], _) => one.has(rest),
            (several, Some((index, rest))) => {
                let picked = index.parse::<usize>().ok().filter(|n| n.to_string() == *index);
                picked.and_then(|n| several.get(n)).is_some_and(|node| node.has(rest))
            }
        }
    }
}

fn close(stack: &mut Vec<Node>) {
    if stack.len() > 1
        && let Some(node) = stack.pop()
        && let Some(parent) = stack.last_mut()
    {
        parent.children.push(node);
    }
}

enum Kind {
    Open { closed: bool },
    Close,
    Text,
    Declaration,
}

struct Tag {
    kind: Kind,
    name: String,
    attributes: Vec<String>,
    /// Behind its `>`.
    end: usize,
}

impl Tag {
    /// The tag that begins at a `<`.
    fn at(text: &str, start: usize) -> Option<Self> {
        let rest = text.get(start..)?;
        let until = |mark: &str, from: usize| {
            rest.get(from..)?.find(mark).map(|at| start + from + at + mark.len())
        };
        let other = |kind, name: &str, end: Option<usize>| {
            Some(Self {
                kind,
                name: name.to_owned(),
                attributes: Vec::new(),
                end: end.unwrap_or(text.len()),
            })
        };
        if rest.starts_with("<!--") {
            return other(Kind::Declaration, "", until("-->", 4));
        }
        if rest.starts_with("<![CDATA[") {
            return other(Kind::Text, "", until("]]>", 9));
        }
        if rest.starts_with("<?") {
            let name: String = rest.chars().skip(1).take_while(|c| !c.is_whitespace()).collect();
            return other(Kind::Declaration, &name, until("?>", 2));
        }
        if rest.starts_with("<!") {
            return other(Kind::Declaration, "", until(">", 2));
        }
        let closing = rest.starts_with("</");
        let inside = rest.get(if closing { 2 } else { 1 }..)?;
        let first = inside.chars().next()?;
        if !(first.is_alphabetic() || matches!(first, '_' | ':')) {
            return None;
        }
        let in_name =
            |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '-' | '.' | '\u{b7}');
        let name: String = inside.chars().take_while(|c| in_name(*c)).collect();
        let mut quote = None;
        let mut end = None;
        for (at, character) in inside.char_indices() {
            match quote {
                Some(mark) if character == mark => quote = None,
                Some(_) => {}
                None if matches!(character, '"' | '\'') => quote = Some(character),
                None if character == '<' => return None,
                None if character == '>' => {
                    end = Some(at);
                    break;
                }
                None => {}
            }
        }
        let body = inside.get(name.len()..end?)?;
        let closed = body.trim_end().ends_with('/');
        let end = start + if closing { 2 } else { 1 } + end? + 1;
        let kind = if closing { Kind::Close } else { Kind::Open { closed } };
        Some(Self { kind, name, attributes: attributes(body), end })
    }
}

#[expect(clippy::collapsible_match, reason = "the arms decide by state first")]
fn attributes(body: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut quote = None;
    let mut name = String::new();
    let mut in_value = false;
    for character in body.chars() {
        match quote {
            Some(mark) => {
                if character == mark {
                    quote = None;
                    in_value = false;
                }
            }
            None if matches!(character, '"' | '\'') => quote = Some(character),
            None if character == '=' => {
                names.push(std::mem::take(&mut name));
                in_value = true;
            }
            None if character.is_whitespace() || character == '/' => {
                if !in_value && !name.is_empty() {
                    names.push(std::mem::take(&mut name));
                }
            }
            None if !in_value => name.push(character),
            None => {}
        }
    }
    if !name.is_empty() {
        names.push(name);
    }
    names.retain(|name| !name.is_empty());
    names
}

/// The balanced elements of a text that are in no other: first all of them from the first to the last, where
/// there are several, then each.
fn candidates(text: &str) -> Vec<(usize, usize)> {
    let mut stack: Vec<(String, usize)> = Vec::new();
    let mut found: Vec<(usize, usize, Option<usize>)> = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find('<')).map(|at| from + at) {
        let Some(tag) = Tag::at(text, at) else {
            from = at + 1;
            continue;
        };
        from = tag.end;
        match tag.kind {
            Kind::Open { closed: true } => {
                found.push((at, tag.end, stack.last().map(|(_, start)| *start)))
            }
            Kind::Open { closed: false } => stack.push((tag.name, at)),
            Kind::Close => match stack.pop() {
                Some((name, start)) if name == tag.name => {
                    found.push((start, tag.end, stack.last().map(|(_, start)| *start)));
                }
                _ => stack.clear(),
            },
            Kind::Text | Kind::Declaration => {}
        }
    }
    let starts: std::collections::HashSet<usize> = found.iter().map(|(start, ..)| *start).collect();
    let mut outer: Vec<_> = found
        .into_iter()
        .filter(|(.., parent)| parent.is_none_or(|parent| !starts.contains(&parent)))
        .collect();
    outer.sort_unstable();
    let mut ranges = Vec::new();
    let mut groups: std::collections::BTreeMap<Option<usize>, (usize, usize, usize)> =
        std::collections::BTreeMap::new();
    for (start, end, parent) in &outer {
        let group = groups.entry(*parent).or_insert((*start, *end, 0));
        group.1 = *end;
        group.2 += 1;
    }
    ranges.extend(
        groups.values().filter(|(.., count)| *count > 1).map(|(start, end, _)| (*start, *end)),
    );
    ranges.extend(outer.iter().map(|(start, end, _)| (*start, *end)));
    ranges
}
