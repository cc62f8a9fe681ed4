//! Our tree as a template of the `handlebars` crate: texts are its raw strings, blocks its block
//! helpers, helpers its helpers. Of ours each gets the number of its source and of what it is about
//! (`{{#each 0 3}}`), since a name is more than a path of the crate.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use handlebars::template::{HelperTemplate, Parameter, Subexpression, Template, TemplateElement};
use handlebars::{Handlebars, no_escape};
use serde_json::Value;

use crate::template::tree::{Block, BlockKind, Call, Expr, Node, Unit};

/// A template and its partials, ready for the crate.
pub(super) struct Program {
    pub(super) main: Template,
    /// The partials under their names; the crate's helpers.
    pub(super) registry: Handlebars<'static>,
}

impl Program {
    /// Partials are numbered from 1 in alphabetical order; 0 is the template itself.
    pub(super) fn new(unit: &Unit, partials: &BTreeMap<String, Arc<Unit>>) -> Self {
        let mut registry = Handlebars::new();
        // The crate escapes HTML by default, and a prompt is not HTML.
        registry.register_escape_fn(no_escape);
        for (number, (name, partial)) in (1..).zip(partials) {
            registry.register_template(name, Source { number, unit: partial }.list(&partial.root));
        }
        Self { main: Source { number: 0, unit }.list(&unit.root), registry }
    }
}

struct Source<'a> {
    number: usize,
    unit: &'a Unit,
}

impl Source<'_> {
    /// Recursion is bounded: blocks are nested no deeper than the limit at load.
    fn list(&self, nodes: &[usize]) -> Template {
        let mut template = Template::new();
        template.elements.extend(nodes.iter().filter_map(|&node| self.node(node)));
        template
    }

    fn node(&self, id: usize) -> Option<TemplateElement> {
        Some(match self.unit.nodes.get(id)? {
            Node::Text(span) => TemplateElement::RawString(self.unit.file.slice(span).to_owned()),
            Node::Print(expr, _) => {
                TemplateElement::Expression(match self.unit.exprs.get(*expr)? {
                    Expr::Call(call) => self.call(call)?,
                    _ => self.about("print", id, &[*expr])?,
                })
            }
            Node::Partial(id) => {
                let call = self.unit.calls.get(*id)?;
                let exprs = call.fields.iter().map(|(_, expr)| *expr).chain(call.context);
                let helper = self.about("partial", *id, &exprs.collect::<Vec<_>>())?;
                TemplateElement::Expression(helper)
            }
            Node::Block(block) => {
                let mut helper = self.block(block)?;
                helper.block = true;
                helper.template = Some(self.list(&block.body));
                helper.inverse = Some(self.list(&block.otherwise));
                TemplateElement::HelperBlock(helper)
            }
        })
    }

    fn block(&self, block: &Block) -> Option<Box<HelperTemplate>> {
        match block.kind {
            BlockKind::If => helper("if", vec![self.truth(block.expr)?], HashMap::new()),
            BlockKind::Unless => helper("unless", vec![self.truth(block.expr)?], HashMap::new()),
            BlockKind::Each => self.about("each", block.expr, &[block.expr]),
            BlockKind::With => self.about("with", block.expr, &[block.expr]),
            BlockKind::Host => match self.unit.exprs.get(block.expr)? {
                Expr::Call(call) => self.call(call),
                _ => None,
            },
        }
    }

    /// A helper of the crate or of the host.
    fn call(&self, call: &Call) -> Option<Box<HelperTemplate>> {
        // These get truth values by our rules, so that they agree with `if` about the same name.
        let judges = matches!(&*call.helper, "and" | "or" | "not");
        let argument = |&expr: &usize| if judges { self.truth(expr) } else { self.value(expr) };
        let named = |(name, expr): &(Box<str>, usize)| Some((name.to_string(), self.value(*expr)?));
        helper(
            &call.helper,
            call.args.iter().map(argument).collect::<Option<_>>()?,
            call.named.iter().map(named).collect::<Option<_>>()?,
        )
    }

    /// A helper of ours that is about the thing of that number, with the answers of the helpers that
    /// are called in `exprs`.
    fn about(&self, name: &str, number: usize, exprs: &[usize]) -> Option<Box<HelperTemplate>> {
        let mut params = vec![literal(self.number), literal(number)];
        for &expr in exprs {
            self.answers(expr, &mut params)?;
        }
        helper(name, params, HashMap::new())
    }

    fn answers(&self, expr: usize, params: &mut Vec<Parameter>) -> Option<()> {
        match self.unit.exprs.get(expr)? {
            Expr::Name(_) | Expr::Literal(_) => {}
            Expr::Lookup(list, key) => {
                self.answers(*list, params)?;
                self.answers(*key, params)?;
            }
            Expr::Json(value, _) => self.answers(*value, params)?,
            Expr::Call(call) => params.extend([literal(expr), nested(self.call(call)?)]),
        }
        Some(())
    }

    fn value(&self, expr: usize) -> Option<Parameter> {
        match self.unit.exprs.get(expr)? {
            Expr::Call(call) => Some(nested(self.call(call)?)),
            _ => Some(nested(self.about("value", expr, &[expr])?)),
        }
    }

    fn truth(&self, expr: usize) -> Option<Parameter> {
        Some(nested(self.about("truth", expr, &[expr])?))
    }
}

fn literal(number: usize) -> Parameter {
    Parameter::Literal(Value::from(number))
}

/// `(name params)`
fn nested(helper: Box<HelperTemplate>) -> Parameter {
    let mut expression = Subexpression::new(Parameter::Name(String::new()), vec![], HashMap::new());
    expression.element = Box::new(TemplateElement::Expression(helper));
    Parameter::Subexpression(expression)
}

/// `{{name params}}`. The crate makes the type behind it only inside of a subexpression.
fn helper(
    name: &str,
    params: Vec<Parameter>,
    named: HashMap<String, Parameter>,
) -> Option<Box<HelperTemplate>> {
    let name = Parameter::Name(name.to_owned());
    match *Subexpression::new(name, params, named).element {
        TemplateElement::Expression(helper) => Some(helper),
        _ => None,
    }
}
