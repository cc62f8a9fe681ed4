//! The dialects that are made of tags, as data: one shape, a table each. How a table is read is the
//! business of `view`; nothing here looks at an answer.

use crate::options::Dialect;

/// A dialect of tags: a call is opened, parameters are opened and closed, the call is closed.
#[derive(Debug)]
pub(crate) struct Syntax {
    pub(crate) dialect: Dialect,
    pub(crate) call: Head,
    /// The name in the closing tag of a call; the tool's own where there is none.
    pub(crate) call_close: Option<&'static str>,
    pub(crate) param: Head,
    /// The name in the closing tag of a parameter; the parameter's own where there is none.
    pub(crate) param_close: Option<&'static str>,
    pub(crate) framing: Framing,
    /// Models close a wrapper behind the call that they have never opened.
    pub(crate) stray_wrapper: bool,
}

/// How something with a name is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Head {
    /// `<NAME>`, with quoted attributes.
    Tag,
    /// `<literal=NAME>`; the literal is `<function=`.
    Equals(&'static str),
    /// `<literal name="NAME">`; the literal is `<invoke`.
    Attribute(&'static str),
    /// The literal, then NAME bare.
    Bare(&'static str),
    /// The first literal, NAME, the second, blanks, the third.
    Pair(&'static str, &'static str, &'static str),
}

/// What of a value's edges does not belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Of a body one line break on each side, of any other parameter all outer blanks. A value that is
    /// one CDATA section is what is in it.
    ByField,
    /// One line break on each side.
    LineBreak,
    /// Nothing.
    None,
}

/// Every dialect of tags, in the order in which they are tried.
pub(crate) static SYNTAXES: [Syntax; 5] = [
    Syntax {
        dialect: Dialect::Xml,
        call: Head::Tag,
        call_close: None,
        param: Head::Tag,
        param_close: None,
        framing: Framing::ByField,
        stray_wrapper: false,
    },
    Syntax {
        dialect: Dialect::Qwen,
        call: Head::Equals("<function="),
        call_close: Some("function"),
        param: Head::Equals("<parameter="),
        param_close: Some("parameter"),
        framing: Framing::LineBreak,
        stray_wrapper: true,
    },
    Syntax {
        dialect: Dialect::Invoke,
        call: Head::Attribute("<invoke"),
        call_close: Some("invoke"),
        param: Head::Attribute("<parameter"),
        param_close: Some("parameter"),
        framing: Framing::None,
        stray_wrapper: true,
    },
    // With the name space in which models of Anthropic are trained.
    Syntax {
        dialect: Dialect::Invoke,
        call: Head::Attribute("<antml:invoke"),
        call_close: Some("antml:invoke"),
        param: Head::Attribute("<antml:parameter"),
        param_close: Some("antml:parameter"),
        framing: Framing::None,
        stray_wrapper: true,
    },
    Syntax {
        dialect: Dialect::Glm,
        call: Head::Bare("<tool_call>"),
        call_close: Some(TOOL_CALL),
        param: Head::Pair("<arg_key>", "</arg_key>", "<arg_value>"),
        param_close: Some("arg_value"),
        framing: Framing::None,
        stray_wrapper: false,
    },
];

/// What is around calls in JSON (dialect `hermes`): one object, several, or a list of them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "toml"),
    allow(dead_code, reason = "described formats are read with that feature")
)]
pub(crate) enum JsonBlock {
    /// `<name>` and `</name>`.
    Tag(&'static str),
    /// These two.
    Marks(&'static str, &'static str),
    /// The same, of a format that is described in TOML.
    Own(String, String),
    /// The name of the tool is between `open` and `middle`; the JSON is its arguments.
    Header { open: String, prefix: String, middle: String, close: String },
}

/// Which block: one of [`JSON_BLOCKS`], or one of a format, by the positions of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Block {
    Known(&'static JsonBlock),
    Of(usize, usize),
}

/// Every such block. Of Granite's there is no end: the answer ends with it.
pub(crate) static JSON_BLOCKS: [JsonBlock; 5] = [
    // Hermes, Qwen 2.5 and 3.
    JsonBlock::Tag(TOOL_CALL),
    // Hunyuan, Apriel, Jamba.
    JsonBlock::Tag("tool_calls"),
    // Nemotron.
    JsonBlock::Tag("TOOLCALL"),
    // Granite.
    JsonBlock::Tag("function_call"),
    // Phi-4.
    JsonBlock::Marks("<|tool_call|>", "<|/tool_call|>"),
];

/// The tag that three dialects share.
pub(crate) const TOOL_CALL: &str = "tool_call";

/// Tags that models put around calls and that mean nothing, with the dialect that they belong to.
pub(crate) const WRAPPERS: [(&str, Dialect); 5] = [
    // Models that were trained on it put it around any call.
    (TOOL_CALL, Dialect::Xml),
    ("function_calls", Dialect::Invoke),
    ("minimax:tool_call", Dialect::Invoke),
    ("antml:function_calls", Dialect::Invoke),
    // Seed-OSS.
    ("seed:tool_call", Dialect::Qwen),
];

/// Tags in which a model thinks.
pub(crate) const THINKING: [&str; 5] = ["thinking", "think", "reasoning", "thought", "seed:think"];
