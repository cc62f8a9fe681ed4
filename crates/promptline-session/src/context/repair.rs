//! Calls and results belong together: every call has its result right behind it, and no result is without its call.
//! The view is repaired; what is stored stays as it is.

use std::collections::VecDeque;
use std::sync::Arc;

use super::assembled::Repair;
use crate::{Message, Part, Role, Wording};

/// The messages of one round, from a message of the user to the next. Parallel calls may be in one message of the
/// model or in several; their results follow in any order.
pub(super) fn repair(
    messages: impl IntoIterator<Item = Message>,
    wording: &Wording,
    repairs: &mut Vec<Repair>,
) -> Vec<Message> {
    let mut view: Vec<Message> = Vec::new();
    let mut open: VecDeque<Arc<str>> = VecDeque::new();
    // Whether results have begun: then a message that is not one ends them.
    let mut answering = false;
    for mut message in messages {
        let answers = message.parts.iter().any(|part| matches!(part, Part::ToolResult { .. }));
        if answers {
            message.parts.retain(|part| match part {
                Part::ToolResult { id, .. } => match open.iter().position(|call| call == id) {
                    Some(at) => open.remove(at).is_some(),
                    None => {
                        repairs.push(Repair::OrphanResult(id.to_string()));
                        false
                    }
                },
                _ => true,
            });
            let results = message.parts.iter().any(|part| matches!(part, Part::ToolResult { .. }));
            if message.parts.is_empty() {
                continue;
            }
            if results {
                // Providers want results in front of anything else that the message says.
                message.parts.sort_by_key(|part| !matches!(part, Part::ToolResult { .. }));
                let says_more =
                    message.parts.iter().any(|part| !matches!(part, Part::ToolResult { .. }));
                answering = true;
                if says_more {
                    close(&mut view, &mut open, wording, repairs);
                    answering = false;
                }
                view.push(message);
                continue;
            }
        }
        if message.role == Role::Tool && message.parts.is_empty() {
            continue;
        }
        if answering || message.role != Role::Assistant {
            close(&mut view, &mut open, wording, repairs);
            answering = false;
        }
        if message.role == Role::Assistant {
            open.extend(message.parts.iter().filter_map(|part| match part {
                Part::ToolCall { id, .. } => Some(Arc::clone(id)),
                _ => None,
            }));
        }
        view.push(message);
    }
    close(&mut view, &mut open, wording, repairs);
    view
}

/// Gives the calls that have no result a synthetic one.
fn close(
    view: &mut Vec<Message>,
    open: &mut VecDeque<Arc<str>>,
    wording: &Wording,
    repairs: &mut Vec<Repair>,
) {
    if open.is_empty() {
        return;
    }
    let parts = open.drain(..).map(|id| {
        repairs.push(Repair::DanglingCall(id.to_string()));
        let mut part = Part::result(id, &*wording.interrupted);
        if let Part::ToolResult { error, .. } = &mut part {
            *error = true;
        }
        part
    });
    view.push(Message::new(Role::Tool, parts.collect()));
}
