//! Where an answer ends though the text goes on: at a stop token that was not removed, or where the model
//! writes the next turn of the conversation itself.

/// Stop tokens of chat templates.
const TOKENS: [&str; 19] = [
    "<|endoftext|>",
    "<|im_end|>",
    "<|im_start|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end_of_text|>",
    "<|start_header_id|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|user|>",
    "<|assistant|>",
    "<|endofprompt|>",
    "<end_of_turn>",
    "<start_of_turn>",
    "<eos>",
    "</s>",
    "[/INST]",
    "<｜end▁of▁sentence｜>",
];

/// Lines that begin another turn.
const TURNS: [&str; 13] = [
    "\nHuman:",
    "\nUser:",
    "\nObservation:",
    "\nAssistant:",
    "\nSystem:",
    "\n### Human",
    "\n### User",
    "\n### Instruction",
    "\n### Input",
    "\n用户：",
    "\n用户:",
    "\n人类：",
    "\n观察：",
];

/// Behind tokens and the name of a role that open the answer: `<|im_start|>assistant\n`.
pub(crate) fn opening(text: &str, from: usize) -> usize {
    let mut at = from;
    while let Some(rest) = text.get(at..) {
        let trimmed = rest.trim_start();
        let Some(inner) = trimmed.strip_prefix("<|") else { break };
        let Some(end) = inner.find("|>").filter(|end| *end <= 32) else { break };
        let behind = inner.get(end + 2..).unwrap_or_default();
        let role = ["assistant", "final"].into_iter().find(|role| behind.starts_with(role));
        at = text.len() - behind.len() + role.map_or(0, str::len);
    }
    at
}

/// Where the answer that begins at a byte ends by a stop token or another turn.
pub(crate) fn ending(text: &str, from: usize) -> Option<usize> {
    let answer = text.get(from..)?;
    let first = answer.len() - answer.trim_start().len();
    let find = |mark: &&str| memchr::memmem::find(answer.as_bytes(), mark.as_bytes());
    let is_possible = memchr::memchr2(b'<', b'[', answer.as_bytes()).is_some();
    let token = TOKENS.iter().filter(|_| is_possible).filter_map(find).min();
    // In a list of members, such a line may be one of them.
    let opens = memchr::memchr2(b'{', b'[', answer.as_bytes());
    let is_turn = |at: &usize| opens.is_none_or(|open| open < *at);
    let turn = TURNS.iter().filter_map(find).min().filter(|at| opens.is_some() && is_turn(at));
    let end = token.into_iter().chain(turn).filter(|end| *end > first).min()?;
    Some(from + end)
}
