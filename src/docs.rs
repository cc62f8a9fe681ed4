//! Pages of documentation.

pub mod formats {
    //! The files of a pack: every key, its type, default and meaning.
    //!
    //! A pack's root holds `templates/` and `variants/`. Every TOML file starts with `schema = 1`. An
    //! unknown key is a load error that names the nearest known one, and so is a file that has no
    //! place; only documents (`README*`, `LICENSE*`, `NOTICE*`, `CHANGELOG*`) and hidden files may lie
    //! beside the others. Links are not followed. A file has at most 4 MiB.
    //!
    //! # In an editor
    //!
    //! `promptline schema KIND` prints the JSON Schema (draft 7) of a format: `pack`, `variant`, `tool`,
    //! `component` (its front matter), `overlay`, `context`. Editors that know TOML through taplo (VS Code with
    //! "Even Better TOML", Zed, Neovim) complete and check a file whose first line names its schema:
    //!
    //! ```toml
    //! #:schema ../schemas/pack.json
    //! schema = 1
    //! name = "mine"
    //! ```
    //!
    //! The path counts from the file, and the schemas lie wherever you have written them
    //! (`promptline schema pack > schemas/pack.json`). A context is JSON: VS Code takes its schema from
    //! `json.schemas` in the settings. What needs more than one file to be judged, `promptline check`
    //! finds.
    //!
    //! # Folders
    //!
    //! | file | what |
    //! |---|---|
    //! | `variants/pack.toml` | the pack |
    //! | `variants/<id>/variant.toml` | a variant |
    //! | `variants/<id>/template.md` | its base template; without one it is the components, joined by `====` lines |
    //! | `variants/<id>/components/*.md`, `variants/<id>/tools/*.toml` | components and tools that differ for it |
    //! | `templates/components/*.md` | components |
    //! | `templates/partials/<name>.md` | partials, `{{> name}}` |
    //! | `templates/tools/*.toml` | tools |
    //! | `overlay.toml` | in a folder of its own: an [overlay](#overlays) |
    //! | `contexts/*.json`, `snapshots/` | [contexts](crate::PromptContext) and golden files of `promptline snapshot`; no part of the pack itself |
    //!
    //! # `pack.toml`
    //!
    //! | key | type | default | meaning |
    //! |---|---|---|---|
    //! | `schema` | 1 | required | the version of the format |
    //! | `name` | string | required | the pack's name |
    //! | `description` | string | `""` | what it is for |
    //! | `variants` | list of ids | `[]` | all variants of the pack, in the order in which they are matched; `generic` is always last |
    //! | `sections` | list of names | those of the built-in pack, where no pack declares any | sections that templates may print without listing them: without a component they are empty |
    //! | `flags` | list of names | `[]` | flags of the host that the pack's files ask for, beside the standard ones; a [check](crate::check) doubts others |
    //! | `offers` | list of ids | `[]` | components and tools that no variant lists: they are for packs that build on this one |
    //! | `placeholders` | table | `{}` | the lowest layer of placeholders, for every variant; strings are authored text |
    //! | `conditions` | table of [conditions](crate::Condition) | `{}` | named conditions: `{ is = "name" }`, `{{#if is.name}}` |
    //! | `truncation_notice` | `text`, `rules` | English | the lines that stand where a [budget](crate::budget::TruncationNotice) took something: templates that may print `tokens`, and for rules files `files`, `one` too |
    //! | `lints` | table of `"allow"`, `"warn"` | all `"warn"`, but `cache-order` a note | what a check and a build with [`lint`](crate::BuildOptions::lint) report of this pack's texts: `cache-order`, `declared-volatility`, `heading-twice`, `invisible-character`, `large-section`, `over-budget`, `parameter-number`, `tool-not-enabled`, `xml-with-native` ([pages](crate::docs::codes)); a later pack's word wins |
    //!
    //! # `variant.toml`
    //!
    //! | key | type | default | meaning |
    //! |---|---|---|---|
    //! | `schema` | 1 | required | the version of the format |
    //! | `version` | integer | 1 | the version of the variant |
    //! | `description` | string | `""` | what it is for |
    //! | `extends` | id | none | takes what is not given here from that variant; its own id means the one of an earlier pack |
    //! | `when` | [condition](crate::Condition) | always | when it applies |
    //! | `components` | list of ids | `[]` | the run order |
    //! | `tools` | list of ids | `[]` | the tools, in the order in which they are shown |
    //! | `tool_form` | [`xml`, `hermes`, `native`, `either`, `none`](crate::tools::ToolForm) | `xml` | how tools are offered; `either` is native where the request has the flag `native_tools`, else text |
    //! | `dialect` | `xml`, `hermes` | `xml` | the form of tools in the prompt where `tool_form` is `either` |
    //! | `mcp_form` | [`listed`, `first-class`](crate::tools::McpForm) | by the form | tools of MCP servers: a list in the prompt (text), or tools beside the others (native) |
    //! | `compact` | id | none | the variant that is built instead where this one does not fit a [budget](crate::Budget) |
    //! | `truncation_notice` | `text`, `rules` | English | the lines that stand where a [budget](crate::budget::TruncationNotice) took something: templates that may print `tokens`, and for rules files `files`, `one` too; over those of the pack |
    //! | `traits` | [table](crate::variant::Traits) | `{}` | what the family is like: switches that templates ask for (`{{#if traits.preamble.off}}`), and metadata |
    //! | `labels` | table of integers | `{}` | metadata, as `production = 3` |
    //! | `tags` | list of strings | `[]` | metadata |
    //! | `placeholders` | table | `{}` | over those of the pack |
    //! | `component.<id>` | `enabled`, `order`, `template` | | changes a listed component: `false` takes it out, a number moves it (places count 10, 20, 30, …), a file of the variant's folder takes its place |
    //! | `tool.<id>` | `enabled`, `order`, `name`, `description` | | changes a listed tool; `description` is a template |
    //!
    //! # Components
    //!
    //! TOML between two `+++` lines, then a [template](crate::template).
    //!
    //! | key | type | default | meaning |
    //! |---|---|---|---|
    //! | `id` | string | required | the component's id, which is its placeholder |
    //! | `when` | [condition](crate::Condition) | always | when it is rendered |
    //! | `volatility` | `static`, `conversation`, `turn` | from its placeholders | how often its text changes |
    //! | `priority` | 0 to 100 | 50 | how long a budget keeps it |
    //! | `required` | boolean | `false` | a build that has nothing for it warns; a budget leaves it out only when nothing else is left |
    //! | `pinned` | boolean | `false` | a [budget](crate::Budget) never touches it, nor what is printed inside it |
    //! | `shrink` | [`none`, `head`, `tail`, `middle`, `lines`](crate::budget::Shrink) | `none` | which part goes when a budget shortens it |
    //! | `min` | tokens | 0 | what a shortened section keeps at least; what it has above goes before any section is left out |
    //! | `keep_with` | id | none | the component without which it makes no sense: when a budget leaves that out, this goes too |
    //!
    //! # Tools
    //!
    //! | key | type | default | meaning |
    //! |---|---|---|---|
    //! | `schema` | 1 | required | the version of the format |
    //! | `id` | string | required | how files and conditions speak of it |
    //! | `name` | string | `id` | how the model calls it |
    //! | `tool_role` | string | none | what it is for: `read`, `edit`, `write`, `shell`, … |
    //! | `description` | template | `""` | what it does |
    //! | `when` | [condition](crate::Condition) | always | when it is offered; may not use `tool` |
    //! | `annotations.title` | string | none | a name for people |
    //! | `annotations.read_only` | boolean | `false` | it changes nothing |
    //! | `annotations.destructive`, `.idempotent`, `.open_world` | boolean | not said | it may destroy something; a second same call changes nothing more; it speaks with a world that is not known beforehand |
    //! | `input` | `params`, `freeform` | `params` | `freeform`: one text without JSON around it, where the provider knows such tools, elsewhere the parameter `input` |
    //! | `grammar` | `syntax` (`lark`, `regex`), `definition` | none | what the free text must look like |
    //! | `params` | list of tables | `[]` | its parameters, in the order in which they are shown |
    //!
    //! A parameter:
    //!
    //! | key | type | default | meaning |
    //! |---|---|---|---|
    //! | `name` | string | required | its name and tag |
    //! | `required` | boolean | `false` | a call is not complete without it |
    //! | `description` | template | `""` | what it is |
    //! | `tool_note` | template | none | a line that the tool's description gets while the parameter is shown |
    //! | `usage` | string | `""` | a sample value; may not hold a closing tag of its own |
    //! | `body` | boolean | `false` | it holds free text or code |
    //! | `when` | [condition](crate::Condition) | always | when it is shown |
    //! | `type` | JSON type | `string` | its type |
    //! | `items`, `properties` | JSON Schema | none | more of its schema |
    //!
    //! # Overlays
    //!
    //! An overlay is a folder of its own, with an `overlay.toml`. It is applied to the sections of all packs
    //! and of the host ([`PromptRegistryBuilder::overlay`](crate::PromptRegistryBuilder::overlay),
    //! `--overlay DIR`); several are applied in order, each to the result of the one before.
    //!
    //! | key | type | default | meaning |
    //! |---|---|---|---|
    //! | `schema` | 1 | required | the version of the format |
    //! | `name`, `description` | string | `""` | what it is called, and what it is for |
    //! | `section` | list of tables | `[]` | the changes, in the order in which they are made; at most 256 |
    //!
    //! A change:
    //!
    //! | key | type | default | meaning |
    //! |---|---|---|---|
    //! | `id` | string | required | the section's id |
    //! | `op` | [`replace`, `append`, `prepend`, `remove`, `wrap`](crate::overlay::OverlayOp) | required | what is done with its text; `append` and `prepend` leave an empty line between the two, `wrap` a line break |
    //! | `file`, `text` | path, string | one of them | the text: a file in the overlay's folder, or written here; may not be empty |
    //! | `before`, `after` | string | one of them at least | the texts of a `wrap` |
    //! | `template` | boolean | `false` | the texts are [templates](crate::template), with the partials of the packs; else `{{…}}` in them is text like any other |
    //! | `when` | [condition](crate::Condition) | always | when the change is made |
    //! | `base` | hash, or a list of them | none | the first 8 to 64 hexadecimal digits of the SHA-256 of the texts (without outer blank space) that it was written against, where variants have several; a text that is none of them is a warning, `overlay-drift`. Copies of the texts in `base/*.md` let it show what has changed |
    //! | `acknowledge` | boolean | `false` | `remove` may take out a section that is `required` |
    //!
    //! Whether a section is there at all stays the business of its own `when`: an overlay changes what is
    //! said. Where a section came out empty, `append`, `prepend` and `replace` give it their text, `wrap` does
    //! nothing. The texts are authored, as those of a pack are, and cleaned as sections are. A section that
    //! was changed has the file of the last change as its origin, one that was taken out the status
    //! `removed`.
    //!
    //! # Names in templates
    //!
    //! A template sees, the later the stronger: placeholders of pack and variant; the standard names
    //! `OS`, `SHELL`, `HOME_DIR`, `CWD`, `WORKING_DIR`, `IDE`, `CURRENT_DATE`, `TIME_ZONE`, `MODE`,
    //! `PROVIDER`, `MODEL`, `MODEL_FAMILY` (the variant's id), `SUPPORTS_BROWSER`, `BROWSER_WIDTH`,
    //! `BROWSER_HEIGHT`, `PREFERRED_LANGUAGE`, and the lists `USER_RULES`, `SKILLS_LIST`,
    //! `MCP_SERVERS_LIST`, `WORKSPACE_ROOTS_LIST`; `TOOLS_SECTION` and the sections of components that
    //! ran before; the request's runtime placeholders. Beside them stand `params.*` and `context.*`,
    //! which a layer can hide, and `flag.*`, `mode.*`, `is.*`, `tool.*` (by id or role; `tool.X.name` is
    //! the name that the model sees), `form.*` (how tools are offered: `xml`, `hermes`, `native`) and
    //! `traits.*` (a switch of the variant and its value, as `traits.preamble.off`), which are always defined and which nothing can hide.
}

pub mod tools {
    //! One tool in every form: in prompts, and as providers take it.
    //!
    #![doc = include_str!("../docs/tools.md")]
}

pub mod tutorial {
    //! A pack of your own, step by step: what `promptline new pack mine` writes.
    //!
    #![doc = include_str!("../tutorial/README.md")]
    //!
    //! # The files
    //!
    //! `variants/pack.toml`:
    //!
    //! ```toml
    #![doc = include_str!("../tutorial/variants/pack.toml")]
    //! ```
    //!
    //! `variants/mine/variant.toml`:
    //!
    //! ```toml
    #![doc = include_str!("../tutorial/variants/mine/variant.toml")]
    //! ```
    //!
    //! `templates/components/team.md`:
    //!
    //! ```text
    #![doc = include_str!("../tutorial/templates/components/team.md")]
    //! ```
    //!
    //! `templates/components/house_rules.md`:
    //!
    //! ```text
    #![doc = include_str!("../tutorial/templates/components/house_rules.md")]
    //! ```
    //!
    //! `templates/tools/create_ticket.toml`:
    //!
    //! ```toml
    #![doc = include_str!("../tutorial/templates/tools/create_ticket.toml")]
    //! ```
    //!
    //! `contexts/basic.json`:
    //!
    //! ```json
    #![doc = include_str!("../tutorial/contexts/basic.json")]
    //! ```
    //!
    //! `contexts/unattended.json`:
    //!
    //! ```json
    #![doc = include_str!("../tutorial/contexts/unattended.json")]
    //! ```
    //!

    /// The files of the pack: paths in its folder, and texts. Where they say `mine` they mean the name of
    /// the pack, its variant and its flag.
    pub const FILES: &[(&str, &str)] = &[
        ("README.md", include_str!("../tutorial/README.md")),
        ("variants/pack.toml", include_str!("../tutorial/variants/pack.toml")),
        ("variants/mine/variant.toml", include_str!("../tutorial/variants/mine/variant.toml")),
        ("templates/components/team.md", include_str!("../tutorial/templates/components/team.md")),
        (
            "templates/components/house_rules.md",
            include_str!("../tutorial/templates/components/house_rules.md"),
        ),
        (
            "templates/tools/create_ticket.toml",
            include_str!("../tutorial/templates/tools/create_ticket.toml"),
        ),
        ("contexts/basic.json", include_str!("../tutorial/contexts/basic.json")),
        ("contexts/unattended.json", include_str!("../tutorial/contexts/unattended.json")),
    ];
}

pub mod codes {
    //! The codes of [findings](crate::check::Finding): what each means, an example, how to fix it.
    //! `promptline check --explain CODE` prints the same pages.
    //!
    #![doc = include_str!("../docs/codes/bad-condition.md")]
    #![doc = include_str!("../docs/codes/bad-name.md")]
    #![doc = include_str!("../docs/codes/bad-template.md")]
    #![doc = include_str!("../docs/codes/bad-toml.md")]
    #![doc = include_str!("../docs/codes/bad-value.md")]
    #![doc = include_str!("../docs/codes/cache-order.md")]
    #![doc = include_str!("../docs/codes/closing-tag.md")]
    #![doc = include_str!("../docs/codes/condition-cycle.md")]
    #![doc = include_str!("../docs/codes/declared-volatility.md")]
    #![doc = include_str!("../docs/codes/duplicate-id.md")]
    #![doc = include_str!("../docs/codes/empty-text.md")]
    #![doc = include_str!("../docs/codes/extends-cycle.md")]
    #![doc = include_str!("../docs/codes/forward-reference.md")]
    #![doc = include_str!("../docs/codes/front-matter.md")]
    #![doc = include_str!("../docs/codes/grew.md")]
    #![doc = include_str!("../docs/codes/heading-twice.md")]
    #![doc = include_str!("../docs/codes/heading-underline.md")]
    #![doc = include_str!("../docs/codes/illegal-key.md")]
    #![doc = include_str!("../docs/codes/invisible-character.md")]
    #![doc = include_str!("../docs/codes/large-section.md")]
    #![doc = include_str!("../docs/codes/listed-twice.md")]
    #![doc = include_str!("../docs/codes/missing-description.md")]
    #![doc = include_str!("../docs/codes/missing-file.md")]
    #![doc = include_str!("../docs/codes/missing-key.md")]
    #![doc = include_str!("../docs/codes/no-golden.md")]
    #![doc = include_str!("../docs/codes/not-utf8.md")]
    #![doc = include_str!("../docs/codes/overlay-drift.md")]
    #![doc = include_str!("../docs/codes/over-budget.md")]
    #![doc = include_str!("../docs/codes/over-tokens.md")]
    #![doc = include_str!("../docs/codes/parameter-number.md")]
    #![doc = include_str!("../docs/codes/partial-cycle.md")]
    #![doc = include_str!("../docs/codes/required-section.md")]
    #![doc = include_str!("../docs/codes/section-mismatch.md")]
    #![doc = include_str!("../docs/codes/stray-file.md")]
    #![doc = include_str!("../docs/codes/too-large.md")]
    #![doc = include_str!("../docs/codes/tool-not-enabled.md")]
    #![doc = include_str!("../docs/codes/unknown-component.md")]
    #![doc = include_str!("../docs/codes/unknown-condition.md")]
    #![doc = include_str!("../docs/codes/unknown-family.md")]
    #![doc = include_str!("../docs/codes/unknown-flag.md")]
    #![doc = include_str!("../docs/codes/unknown-key.md")]
    #![doc = include_str!("../docs/codes/unknown-partial.md")]
    #![doc = include_str!("../docs/codes/unknown-placeholder.md")]
    #![doc = include_str!("../docs/codes/unknown-tool.md")]
    #![doc = include_str!("../docs/codes/unknown-variant.md")]
    #![doc = include_str!("../docs/codes/unlisted-override.md")]
    #![doc = include_str!("../docs/codes/unlisted-variant.md")]
    #![doc = include_str!("../docs/codes/unreachable-variant.md")]
    #![doc = include_str!("../docs/codes/unreadable.md")]
    #![doc = include_str!("../docs/codes/unused-component.md")]
    #![doc = include_str!("../docs/codes/unused-condition.md")]
    #![doc = include_str!("../docs/codes/unused-flag.md")]
    #![doc = include_str!("../docs/codes/unused-partial.md")]
    #![doc = include_str!("../docs/codes/unused-placeholder.md")]
    #![doc = include_str!("../docs/codes/unused-tool.md")]
    #![doc = include_str!("../docs/codes/wrong-id.md")]
    #![doc = include_str!("../docs/codes/xml-with-native.md")]
}
