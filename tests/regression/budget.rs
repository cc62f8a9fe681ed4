//! Budgets: what is shortened is not shorter than it has to be, and what is in its place is in the
//! language of the prompt.

use promptline::{
    Budget, BuildOptions, ComponentMeta, ErrorKind, Pack, Place, Prompt, PromptContext,
    PromptRegistry, PromptVariant, RulesFile, Text, async_trait,
    budget::{SectionBudget, Shrink, TruncationNotice},
    report::RulesStatus,
};

use crate::support::builtin;

fn within(registry: &PromptRegistry, cx: &PromptContext, tokens: usize) -> Prompt {
    let options = BuildOptions::new().with_budget(Budget::tokens(tokens));
    registry.build_blocking_with(cx, &options).unwrap()
}

/// A section that a budget may shorten, of lines of eight bytes.
struct Lines(&'static str, usize, u8, SectionBudget);

#[async_trait]
impl promptline::Component for Lines {
    fn id(&self) -> &str {
        self.0
    }

    async fn render(
        &self,
        _cx: &promptline::ComponentCx<'_>,
    ) -> Result<Option<Text>, promptline::ComponentError> {
        Ok(Some(Text::verbatim("a line.\n".repeat(self.1), "test")))
    }

    fn meta(&self) -> ComponentMeta {
        ComponentMeta::new().with_priority(self.2).with_budget(self.3.clone())
    }
}

/// A is shortened to its minimum first; that is not enough, so B goes, and A gets the room of B.
#[test]
fn room_that_a_section_leaves_is_given_back() {
    let shrink = SectionBudget::new().with_shrink(Shrink::Lines).with_min(20);
    let registry = PromptRegistry::builder()
        .variant_at(PromptVariant::new("v").with_components(["A", "B"]), Place::First)
        .component_at(Lines("A", 100, 90, shrink), Place::Listed)
        .component_at(Lines("B", 100, 10, SectionBudget::new()), Place::Listed)
        .build()
        .unwrap();
    let prompt = within(&registry, &PromptContext::default(), 190);
    assert_eq!(prompt.section("B"), None);
    assert!((189..=190).contains(&prompt.tokens()), "{}", prompt.tokens());
    // With room for all of it, nothing of it was taken.
    let whole = within(&registry, &PromptContext::default(), 210);
    assert_eq!(whole.text(), "a line.\n".repeat(100).trim_end());
    let cuts = &whole.report().budget.as_ref().unwrap().cuts;
    assert_eq!(cuts.iter().map(|cut| cut.id.as_str()).collect::<Vec<_>>(), ["B"]);
}

/// A large file far away is shortened beside a small one that is near, and does not go as a whole.
#[test]
fn of_the_farthest_rules_a_part_stays() {
    let cx = PromptContext::new("anthropic", "claude-sonnet-4-5")
        .with_rules(RulesFile::new("AGENTS.md", "Far rule.\n".repeat(4_000)))
        .with_rules(RulesFile::new("src/AGENTS.md", "Near rule.\n".repeat(10)));
    let prompt = within(builtin(), &cx, 6_000);
    let statuses: Vec<_> = prompt.report().rules.iter().map(|file| file.status).collect();
    assert_eq!(statuses, [RulesStatus::Cut, RulesStatus::Used]);
    assert!(prompt.text().matches("Far rule.").count() > 500);
    assert_eq!(prompt.text().matches("Near rule.").count(), 10);
    // One more line would be too many.
    assert!(prompt.tokens() + "Far rule.\n".len().div_ceil(4) > 6_000, "{}", prompt.tokens());
}

/// What the line in its place says is about what went, of that file.
#[test]
fn a_mark_counts_what_went() {
    for files in [1, 2] {
        let file = |at| RulesFile::new(format!("{at}.md"), "A rule.\n".repeat(2_000));
        let cx = PromptContext::new("anthropic", "claude-sonnet-4-5");
        let cx = (0..files).map(file).fold(cx, PromptContext::with_rules);
        let prompt = within(builtin(), &cx, 4_000);
        let (_, said) = prompt.text().rsplit_once("budget: about ").unwrap();
        let said: usize = said.split(' ').next().unwrap().parse().unwrap();
        let went = 4_000 - 2 * prompt.text().matches("A rule.").count();
        assert!(said.abs_diff(went) <= 2, "{said} of {went}");
    }
}

#[test]
fn a_pack_says_in_its_own_language_what_went() {
    let folder = tempfile::tempdir().unwrap();
    let put = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    put(
        "variants/pack.toml",
        "schema = 1\nname = 'zh'\nvariants = ['zh', 'zh-2']\n[truncation_notice]\n\
         text = '（此处省略约 {{tokens}} 个词元）'\n\
         rules = '（省略了 {{files}} 个规则文件，约 {{tokens}} 个词元）'\n",
    );
    let variant =
        "schema = 1\ncomponents = ['USER_INSTRUCTIONS_SECTION']\nwhen = { flag = 'browser' }\n";
    put("variants/zh/variant.toml", variant);
    put(
        "variants/zh-2/variant.toml",
        "schema = 1\nextends = 'zh'\ntruncation_notice = { text = '（略）' }\n",
    );
    let pack = Pack::from_dir(folder.path()).unwrap();
    let registry = PromptRegistry::builder().pack(Pack::builtin()).pack(pack).build().unwrap();
    let text = |variant: &str| {
        let file = |path: &str| RulesFile::new(path, "用制表符。\n".repeat(200));
        let cx = PromptContext::default()
            .with_variant(variant)
            .with_rules(file("a.md"))
            .with_rules(file("b.md"));
        within(&registry, &cx, 700).text().to_owned()
    };
    let (pack, own) = (text("zh"), text("zh-2"));
    assert!(pack.contains("\n\n（省略了 1 个规则文件，约 "), "{pack}");
    assert!(pack.contains("\n\n（此处省略约 "), "{pack}");
    assert!(own.contains("\n\n（省略了 1 个规则文件，约 ") && own.contains("\n\n（略）"), "{own}");
    assert!(!pack.contains("Left out") && !own.contains("Left out"));
    let toml = registry.get("zh-2").unwrap().to_toml();
    assert!(toml.contains("[truncation_notice]\ntext = \"（略）\""), "{toml}");
}

#[test]
fn a_mark_that_says_nothing_is_refused() {
    for mark in ["", "{{CWD}}", "{{tokens", "{{#if one}}x{{/if}}"] {
        let marks = TruncationNotice::new().with_text(mark);
        let variant = PromptVariant::new("v").with_truncation_notice(marks);
        let built = PromptRegistry::builder().variant_at(variant, Place::First).build();
        assert_eq!(built.unwrap_err().kind(), ErrorKind::Template, "{mark:?}");
    }
}

#[test]
fn what_a_variant_falls_back_to_is_in_its_file() {
    let compact = builtin().get("next-gen").unwrap();
    assert_eq!(compact.compact(), Some("xs"));
    assert!(compact.to_toml().contains("\ncompact = \"xs\"\n"), "{}", compact.to_toml());
}
