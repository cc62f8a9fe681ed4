//! The tree of a template as a tree of the `handlebars` crate, built node by node: each node becomes
//! a call of one of our helpers, with its place in our tree as arguments. No source text is involved.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use handlebars::Handlebars;
use handlebars::template::{HelperTemplate, Parameter, Subexpression, Template, TemplateElement};
use serde_json::Value;

use super::helpers::Step;
use crate::template::tree::{BlockKind, Expr, Node, Unit};

/// A template and its partials, ready for the crate.
pub(super) struct Program {
    pub(super) main: Template,
    /// The partials under their names; the crate's helpers.
    pub(super) registry: Handlebars<'static>,
}

/// Partials are numbered from 1 in alphabetical order; 0 is the template itself.
pub(super) const MAIN: usize = 0;

impl Program {
    pub(super) fn new(unit: &Unit, partials: &BTreeMap<String, Arc<Unit>>) -> Self {
        let mut registry = Handlebars::new();
        for (number, (name, partial)) in (MAIN + 1..).zip(partials) {
            registry.register_template(name, Source { number, unit: partial }.list(&partial.root));
        }
        Self { main: Source { number: MAIN, unit }.list(&unit.root), registry }
    }
}

struct Source<'a> {
    number: usize,
    unit: &'a Unit,
}

impl Source<'_> {
    /// Recursion is bounded: blocks stand in each other no deeper than the limit at load.
    fn list(&self, nodes: &[usize]) -> Template {
        let mut template = Template::new();
        template.elements.extend(nodes.iter().filter_map(|&node| self.node(node)));
        template
    }

    fn node(&self, id: usize) -> Option<TemplateElement> {
        let call = |step: Step, more: Option<Parameter>| {
            let params = [number(self.number), number(id)].into_iter().chain(more).collect();
            expression(step.name(), params)
        };
        Some(TemplateElement::Expression(match self.unit.nodes.get(id)? {
            Node::Text(_) => call(Step::Text, None)?,
            Node::Print(expr, _) => match self.unit.exprs.get(*expr)? {
                Expr::Call(..) => call(Step::Say, Some(self.value(*expr)?))?,
                _ => call(Step::Print, None)?,
            },
            Node::Partial(_) => call(Step::Partial, None)?,
            Node::Block(block) => {
                let (step, condition) = match block.kind {
                    BlockKind::If => (Step::If, Some(self.truth(block.expr)?)),
                    BlockKind::Unless => (Step::Unless, Some(self.truth(block.expr)?)),
                    BlockKind::Each => (Step::Each, None),
                    BlockKind::With => (Step::With, None),
                };
                let mut helper = call(step, condition)?;
                helper.block = true;
                helper.template = Some(self.list(&block.body));
                helper.inverse = Some(self.list(&block.otherwise));
                return Some(TemplateElement::HelperBlock(helper));
            }
        }))
    }

    /// The value of an expression, as an argument.
    fn value(&self, expr: usize) -> Option<Parameter> {
        self.argument(expr, Step::Value)
    }

    /// Whether an expression holds, as an argument.
    fn truth(&self, expr: usize) -> Option<Parameter> {
        self.argument(expr, Step::Truth)
    }

    fn argument(&self, expr: usize, step: Step) -> Option<Parameter> {
        let (name, params) = match self.unit.exprs.get(expr)? {
            Expr::Call(helper, args) => {
                let decides = matches!(*helper, "and" | "or" | "not");
                let arg = |&arg| {
                    if decides { self.truth(arg) } else { self.value(arg) }
                };
                (*helper, args.iter().map(arg).collect::<Option<_>>()?)
            }
            _ => (step.name(), vec![number(self.number), number(expr)]),
        };
        let name = Parameter::Name(name.to_owned());
        Some(Parameter::Subexpression(Subexpression::new(name, params, HashMap::new())))
    }
}

fn number(number: usize) -> Parameter {
    Parameter::Literal(Value::from(number))
}

/// `{{name params}}`. The crate makes the type behind it only inside of a subexpression.
fn expression(name: &str, params: Vec<Parameter>) -> Option<Box<HelperTemplate>> {
    let name = Parameter::Name(name.to_owned());
    match *Subexpression::new(name, params, HashMap::new()).element {
        TemplateElement::Expression(helper) => Some(helper),
        _ => None,
    }
}
