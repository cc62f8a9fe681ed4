//! How likely it is that an answer opens a call: the probabilities of its first token. One token is cheap, and the
//! measure is graded where an answer is right or wrong.

use promptline_calls::CallGrammar;
use promptline_model::{ChatModel, ChatRequest};
use serde::Serialize;

use crate::output::{Failure, Output};

/// So many tokens are asked for; more no provider gives.
const TOP: u8 = 20;

#[derive(Serialize)]
struct Probed {
    /// How likely a call is: what the tokens that may open one have together.
    probability: f64,
    /// What all tokens that the server lists have together; the rest is not known.
    listed: f64,
    tokens: Vec<Token>,
}

#[derive(Serialize)]
struct Token {
    token: String,
    probability: f64,
    opens: bool,
}

pub(super) async fn first_token(
    model: &dyn ChatModel,
    request: ChatRequest,
    grammar: &CallGrammar,
    json: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    let response = model.complete(request.max_tokens(1).logprobs(TOP)).await?;
    let Some(first) = response.logprobs.first() else {
        return Err(Failure::Said(
            "the server gives no probabilities of tokens\nhelp: --repeat N measures without them"
                .to_owned(),
        ));
    };
    let openings: Vec<String> = grammar
        .names()
        .map(|name| format!("<{name}>"))
        .chain(["<tool_call>", "<function=", "<invoke "].map(str::to_owned))
        .collect();
    let mut listed = first.top.clone();
    if listed.is_empty() {
        listed.push((first.token.clone(), first.logprob));
    }
    let tokens: Vec<Token> = listed
        .into_iter()
        .map(|(token, logprob)| {
            let word = token.trim_start();
            let may = |opening: &String| opening.starts_with(word) || word.starts_with(opening);
            let opens = !word.is_empty() && openings.iter().any(may);
            Token { opens, probability: logprob.exp(), token }
        })
        .collect();
    let sum = |tokens: &mut dyn Iterator<Item = &Token>| tokens.map(|one| one.probability).sum();
    let probed = Probed {
        probability: sum(&mut tokens.iter().filter(|one| one.opens)),
        listed: sum(&mut tokens.iter()),
        tokens,
    };
    if json {
        return output.json(&probed);
    }
    output.line(format_args!("{:.4}", probed.probability))?;
    for one in probed.tokens.iter().take(5) {
        let mark = if one.opens { "  opens a call" } else { "" };
        output.line(format_args!("  {:.4}  {:?}{mark}", one.probability, one.token))?;
    }
    Ok(())
}
