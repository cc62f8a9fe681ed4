//! The segment lane: templates of texts, placeholders and conditions. Text is copied, each name is
//! looked up once where it is printed, and nothing else happens.

use super::printer::Printer;
use super::scope::{NamePlace, Scope, is_truthy};
use super::tree::{BlockKind, Expr, Node, Unit};
use promptline_diagnostic::Error;

/// About what a placeholder prints: room for it is made before the first byte is copied.
const ROOM: usize = 32;

/// Templates with more placeholders let the list grow as it must.
const MOST_VALUES: usize = 32;

pub(super) fn render<'s>(unit: &Unit, scope: &'s dyn Scope) -> Result<Printer<'s>, Error> {
    let room = unit.text_len + unit.uses.len() * ROOM;
    let mut printer = Printer::new(scope, room, unit.uses.len().min(MOST_VALUES));
    walk(unit, &unit.root, &mut printer)?;
    Ok(printer)
}

/// Recursion is bounded: blocks stand in each other no deeper than the limit at load.
fn walk(unit: &Unit, nodes: &[usize], printer: &mut Printer<'_>) -> Result<(), Error> {
    for node in nodes.iter().filter_map(|&node| unit.nodes.get(node)) {
        match node {
            Node::Text(span) => printer.text(unit.file.slice(span))?,
            Node::Print(expr, written) => {
                let Some(name) = unit.name(*expr) else {
                    continue;
                };
                match &printer.scope.lookup_at(name.slot, &name.text) {
                    Some(found) => printer.found(found)?,
                    None => printer.unresolved(&name.text, unit.file.slice(written))?,
                }
            }
            Node::Block(block) => {
                let start = printer.start();
                let holds = truth(unit, block.expr, printer.scope);
                let negated = block.kind == BlockKind::Unless;
                let body = if holds == negated { &block.otherwise } else { &block.body };
                walk(unit, body, printer)?;
                printer.end(start);
            }
            // A template with partials is rendered by the other lane.
            Node::Partial(_) => {}
        }
    }
    Ok(())
}

fn truth(unit: &Unit, expr: usize, scope: &dyn Scope) -> bool {
    match unit.exprs.get(expr) {
        Some(Expr::Name(name)) => match scope.lookup_at(name.slot, &name.text) {
            Some(found) => found.is_truthy(),
            None => {
                scope.unresolved(&name.text, NamePlace::Condition);
                false
            }
        },
        Some(Expr::Literal(value)) => is_truthy(value),
        _ => false,
    }
}
