//! What a host adds: families, lines, hosts, makers, aliases; and that nobody else notices.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "that is how a test fails"
)]

use insta::assert_snapshot;
use promptline_diagnostic::ErrorKind;
use promptline_model_id::{ModelFamily, ModelId, ModelTables};

fn acme() -> ModelTables {
    ModelTables::builtin()
        .with_family(
            ModelFamily::new("Acme")
                .with_vendor("acme-labs")
                .with_word("acmecode")
                .with_line("pro"),
        )
        .with_host("our_gateway/v1")
        .with_maker("acme-org", "acme-labs")
}

#[test]
fn a_family_of_the_hosts_own_is_read_as_all_others_are() {
    let read = |id: &str| acme().parse("", id).to_string();
    assert_eq!(read("acme-pro-3.1-70b"), "acme pro 3.1 70b");
    assert_eq!(read("acme-org/Acme3:8b"), "acme 3 8b");
    assert_eq!(read("acmecode-2"), "acme 2");
    assert_eq!(read("notacme-2"), "-");
    assert_eq!(acme().parse("", "acme-org/acme-2").vendor(), Some("acme-labs"));
    assert_eq!(read("acme-7b-claude-opus-4-distill"), "acme 7b, distilled from claude");
    // The library's own tables are as they were.
    assert_eq!(ModelId::parse("", "acme-pro-3.1-70b").family(), None);
}

#[test]
fn a_host_of_several_segments() {
    let id = acme().parse("", "our_gateway/v1/claude-opus-5");
    assert_eq!(id.route().collect::<Vec<_>>(), ["our_gateway", "v1"]);
    let id = acme().parse("", "our_gateway/v1/ollama/anthropic/claude-opus-5");
    assert_eq!(id.route().collect::<Vec<_>>(), ["our_gateway", "v1", "ollama"]);
}

#[test]
fn a_new_line_of_a_known_family() {
    let tables = ModelTables::builtin().with_line("Claude", "Lyric").with_line("no-family", "x");
    let id = tables.parse("", "claude-lyric-6");
    assert_eq!((id.line(), id.version().unwrap().numbers()), (Some("lyric"), &[6][..]));
}

#[test]
fn a_family_replaces_the_one_of_its_name() {
    let tables = ModelTables::builtin().with_family(ModelFamily::new("gpt").with_vendor("someone"));
    let id = tables.parse("", "gpt-5-mini");
    assert_eq!((id.vendor(), id.line()), (Some("someone"), None));
    assert_eq!(tables.parse("", "chatgpt-4o-latest").family(), None);
    assert_eq!(tables.families().count(), ModelTables::builtin().families().count());
}

#[test]
fn an_alias_is_read_as_what_it_stands_for() {
    let tables = ModelTables::builtin()
        .alias("My-Model", "claude-sonnet-4-5")
        .alias("azure/prod", "azure/gpt-5-mini")
        .alias("circle", "my-model");
    assert_eq!(tables.parse("x", " MY-MODEL ").to_string(), "claude sonnet 4.5");
    assert_eq!(tables.parse("Azure", "prod").to_string(), "gpt mini 5, via azure");
    assert_eq!(tables.parse("openai", "azure/prod").to_string(), "gpt mini 5, via azure");
    assert_eq!(tables.parse("openai", "prod").to_string(), "-");
    assert_eq!(tables.parse("", "my-model-2").family(), None);
    assert_eq!(tables.parse("", "circle").family(), None);
}

#[test]
fn tables_from_a_file() {
    let text = "hosts = ['edge']\n[makers]\nacme = ['acme-ai']\n[family.acme]\nvendor = 'acme'\nmarks = 'z'\n\
                [alias]\nsmall = 'acme-z3'\n";
    let tables = ModelTables::builtin().with_toml("ours.toml", text).unwrap();
    assert_eq!(tables.parse("", "edge/acme-ai/acme-z4-8b").to_string(), "acme 4 8b, via edge");
    assert_eq!(tables.parse("", "small").to_string(), "acme 3");
    assert_eq!(tables.parse("", "gpt-5").family(), Some("gpt"));

    let refused = |text: &str| {
        let error = ModelTables::builtin().with_toml("ours.toml", text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Pack);
        format!("{error:#}")
    };
    assert_snapshot!(refused("[family.acme]\nvendr = 'x'\n"), @r"
    ours.toml:2:1: unknown key `vendr`, expected one of `vendor`, `words`, `line_words`, `lines`, `lines_alone`, `start_only`, `line_or_end`, `glued`, `closed`, `has_sizes`, `tunes_others`, `teaches`, `marks`, `squeezed`, `letters`, `v`, `unversioned`
      |
    2 | vendr = 'x'
      | ^
    help: did you mean `vendor`?
    ");
    assert_snapshot!(refused("hosts = 'edge'\n"), @r#"
    ours.toml:1:9: invalid type: string "edge", expected a list
      |
    1 | hosts = 'edge'
      |         ^
    "#);
}

#[test]
fn nothing_is_known_to_empty_tables() {
    assert_eq!(ModelTables::empty().parse("", "openrouter/claude-opus-5-8b").to_string(), "8b");
}

#[test]
fn what_an_id_means_where_its_provider_says_so() {
    let tables = ModelTables::builtin();
    let read = |provider: &str, id: &str| tables.parse(provider, id).to_string();
    for (provider, id, expected) in [
        ("moonshot", "k3", "kimi 3"),
        ("moonshotai", "k3-256k", "kimi 3"),
        ("moonshot_ai", "k2-turbo-preview", "kimi turbo 2, preview"),
        ("openrouter", "k3", "-"),
        ("", "k3", "-"),
        ("minimax", "m3", "minimax 3"),
        ("azure", "custom-o3-mini", "o mini 3"),
        ("azure_openai", "prod-eu-o4-mini", "o mini 4"),
        ("openai", "my-o1", "o 1"),
        ("openrouter", "marco-o1", "-"),
        ("azure", "prod-chat", "-"),
        ("azure", "my-company-gpt-5-prod", "gpt 5"),
    ] {
        assert_eq!(read(provider, id), expected, "{provider} {id}");
    }
}

#[test]
fn lines_are_words_of_the_model_itself() {
    let line = |id: &str| ModelId::parse("", id).line().map(str::to_owned);
    assert_eq!(line("duo-chat-gpt-5-mini").as_deref(), Some("mini"));
    assert_eq!(line("duo-chat-claude-haiku-4-5").as_deref(), Some("haiku"));
    assert_eq!(line("gpt-5-chat-latest").as_deref(), Some("chat"));
    assert_eq!(line("GLM-4.6-Derestricted-v5"), None);
    assert_eq!(line("glm-4.6v-flash").as_deref(), Some("v-flash"));
    assert_eq!(line("glm-5v-turbo").as_deref(), Some("v-turbo"));
}

#[test]
fn providers_have_one_name() {
    let tables = ModelTables::builtin().with_host("our_gateway");
    for (spelling, name) in [
        ("vertex_ai", Some("vertex")),
        ("Vertex AI", Some("vertex")),
        ("google_genai", Some("google")),
        ("bedrock_converse", Some("bedrock")),
        ("amazon-bedrock", Some("bedrock")),
        ("azure_openai", Some("azure")),
        ("anthropic", Some("anthropic")),
        ("together_ai", Some("together")),
        ("our_gateway", Some("our-gateway")),
        ("nowhere", None),
        ("", None),
    ] {
        assert_eq!(tables.provider(spelling).as_deref(), name, "{spelling}");
    }
}

#[test]
fn opaque_ids_are_names_that_users_chose() {
    let tables = ModelTables::builtin();
    let profile = "arn:aws:bedrock:us-east-1:123:application-inference-profile/abc123";
    for (provider, id, opaque) in [
        ("bedrock", profile, true),
        ("azure", "prod-chat", true),
        ("azure", "gpt-5-prod", false),
        ("bedrock", "us.anthropic.claude-sonnet-5", false),
        ("openrouter", "unknown/model", false),
        ("azure", "", false),
    ] {
        assert_eq!(tables.is_opaque(provider, id), opaque, "{provider} {id}");
    }
}
