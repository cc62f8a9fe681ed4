//! The same inputs give the same bytes, and what changes often comes late.

use std::thread;

use promptline::{
    Condition, McpServer, McpTool, Pack, Place, Prompt, PromptContext, PromptRegistry,
    PromptVariant, Template, ToolSet, ToolSpec, Volatility, component_fn,
};
use serde_json::{Map, json};

use crate::support::{VARIANTS, builtin, full_context};

/// A small generator, so that every run sees the same orders.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

#[test]
fn h01_the_date_is_given_and_never_read() {
    for id in VARIANTS {
        let cx = full_context().with_variant(id).with_date("2026-03-01").with_zone("+02:00");
        let first = builtin().build_blocking(&cx).unwrap();
        let second = builtin().build_blocking(&cx).unwrap();
        assert_eq!(first.text(), second.text());
        // `xs` saves the line.
        assert_eq!(first.text().contains("2026-03-01"), id != "xs", "{id}");

        // Without one there is none: nothing that looks like today is made up.
        let mut undated = cx.clone();
        undated.date = None;
        let undated = builtin().build_blocking(&undated).unwrap();
        assert!(!undated.text().contains("Date"), "{id}");
    }
}

#[cfg(feature = "detect")]
#[test]
fn h01_the_date_near_midnight_is_that_of_the_given_zone() {
    let folder = tempfile::tempdir().unwrap();
    for (now, date) in [
        ("2026-03-01T00:30:00+02:00[+02:00]", "2026-03-01"),
        ("2026-02-28T22:30:00+00:00[UTC]", "2026-02-28"),
    ] {
        let now = now.parse().unwrap();
        let detected = PromptContext::detect_at(folder.path(), &now).unwrap();
        assert_eq!(detected.context.date.as_deref(), Some(date));
    }
}

#[test]
fn h02_the_order_of_arrival_changes_no_byte() {
    let mut dice = Dice(1);
    let mut servers: Vec<(String, Vec<String>)> = ["tickets", "Search", "files"]
        .iter()
        .map(|server| {
            let tools = (0..5).map(|number| format!("{server}_{number}")).collect();
            ((*server).to_owned(), tools)
        })
        .collect();
    let mut own = ["host_a", "host_b", "host_c"];
    let mut first: Option<Prompt> = None;
    for _ in 0..100 {
        dice.shuffle(&mut servers);
        dice.shuffle(&mut own);
        let mut cx = full_context().with_variant("generic");
        for (name, tools) in &mut servers {
            dice.shuffle(tools);
            let server = tools.iter().fold(McpServer::new(&*name), |server, tool| {
                server.with_tool(McpTool::new(tool, "Words.", json!({"type": "object"})))
            });
            cx = cx.with_mcp_server(server);
        }
        let tools = own.iter().fold(ToolSet::new(), |tools, id| {
            tools.add(ToolSpec::new(*id).with_description("Words."))
        });
        let registry = PromptRegistry::builder().pack(Pack::builtin()).tools(tools);
        let prompt = registry.build().unwrap().build_blocking(&cx).unwrap();
        let first = first.get_or_insert_with(|| prompt.clone());
        assert_eq!(prompt.text(), first.text());
        assert_eq!(prompt.sections(), first.sections());
        assert_eq!(prompt.report(), first.report());
    }
    // Built-in tools in the order of the variant, then those of the host by id; servers by name, in
    // bytes, and their tools in the same way.
    let first = first.unwrap();
    let places = |section: &str, marks: &[&str]| {
        let section = first.section(section).unwrap();
        let places: Vec<_> = marks.iter().map(|mark| section.find(mark).unwrap()).collect();
        assert!(places.is_sorted(), "{marks:?}: {places:?}");
    };
    places(
        "TOOLS_SECTION",
        &["## execute_command", "## read_file", "## host_a", "## host_b", "## host_c"],
    );
    places(
        "MCP_SECTION",
        &["## Search", "- Search_0", "- Search_4", "## files", "- files_0", "## tickets"],
    );
}

#[test]
fn h04_parallel_builds_never_see_each_other() {
    let tool =
        |id: &str| ToolSpec::new(id).with_description("Words.").with_when(Condition::flag(id));
    let variant = PromptVariant::new("host")
        .with_template(Template::parse("{{TOOLS_SECTION}}\n\n{{MCP_SERVERS_LIST}}").unwrap())
        .with_tools(["AAA", "BBB"])
        .with_own_tool(tool("AAA"))
        .with_own_tool(tool("BBB"));
    let registry = PromptRegistry::builder().variant_at(variant, Place::First).build().unwrap();
    let builds = |own: &str, other: &str| {
        let server = McpServer::new(own).with_tool(McpTool::new(own, own, json!({})));
        let cx = PromptContext::default().with_flag(own).with_mcp_server(server);
        let alone = registry.build_blocking(&cx).unwrap();
        let right = format!(
            "## {own}\nDescription: Words.\nParameters: None\nUsage:\n<{own}>\n</{own}>\n\n\
             ## {own}\n- {own}: {own}\n  Input schema: {{}}"
        );
        assert_eq!(alone.text(), right);
        for _ in 0..1000 {
            let prompt = registry.build_blocking(&cx).unwrap();
            assert_eq!(prompt.text(), alone.text());
            assert!(!prompt.text().contains(other));
            assert_eq!(prompt.tool_names().model_names().collect::<Vec<_>>(), [own]);
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| builds("AAA", "BBB"));
        scope.spawn(|| builds("BBB", "AAA"));
    });
}

/// How many bytes two texts have in common at their start.
fn common(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

#[test]
fn h06_what_changes_with_a_request_changes_nothing_before_its_section() {
    let template = Template::parse("LAST ERROR\n\n{{LAST_ERROR}}").unwrap();
    let component =
        component_fn("LAST_ERROR_SECTION", move |cx| Ok(Some(cx.render(&template, &Map::new())?)));
    let registry = PromptRegistry::builder()
        .pack(Pack::builtin())
        .component_at(component, Place::Last)
        .build()
        .unwrap();
    for id in VARIANTS {
        let build = |error: &str| {
            let cx = full_context().with_variant(id).with_runtime("LAST_ERROR", error);
            registry.build_blocking(&cx).unwrap()
        };
        let (a, b) = (build("exit code 1"), build("timeout"));
        let first = a
            .sections()
            .iter()
            .find(|section| section.volatility == Volatility::Turn)
            .expect("a section is marked as changing with the request");
        assert_eq!(first.id, "LAST_ERROR_SECTION", "{id}");
        let common = common(a.text(), b.text());
        assert!(first.range.contains(&common), "{id}: {common} in {:?}", first.range);
    }
}

#[test]
fn h06_what_changes_with_a_request_before_text_that_stays_is_reported() {
    let template = Template::parse("LAST ERROR\n\n{{LAST_ERROR}}").unwrap();
    let build = |place: Place| {
        let template = template.clone();
        let component = component_fn("LAST_ERROR_SECTION", move |cx| {
            Ok(Some(cx.render(&template, &Map::new())?))
        });
        let registry =
            PromptRegistry::builder().pack(Pack::builtin()).component_at(component, place);
        let cx = full_context().with_variant("generic").with_runtime("LAST_ERROR", "timeout");
        let prompt = registry.build().unwrap().build_blocking(&cx).unwrap();
        let reported = prompt.report().diagnostics.iter().find(|reported| {
            reported.code == "cache-order"
                && reported.subject.as_deref() == Some("LAST_ERROR_SECTION")
        });
        reported.map(|reported| reported.message.clone())
    };
    let message = build(Place::First).expect("it is reported");
    assert!(message.starts_with("the text may change with the request from byte "), "{message}");
    assert_eq!(build(Place::Last), None);
}

#[test]
fn h06_the_next_day_changes_nothing_before_the_date() {
    for id in VARIANTS {
        let build = |date: &str| {
            let cx = full_context().with_variant(id).with_date(date);
            builtin().build_blocking(&cx).unwrap()
        };
        let (a, b) = (build("2026-03-01"), build("2026-03-02"));
        if id == "xs" {
            // It does not say the date, so nothing changes at all.
            assert_eq!(a.text(), b.text());
            continue;
        }
        let common = common(a.text(), b.text());
        let changed = a.sections().iter().find(|section| section.range.contains(&common)).unwrap();
        assert_eq!(changed.id, "SYSTEM_INFO_SECTION", "{id}");
        assert_eq!(changed.volatility, Volatility::Conversation, "{id}");
        // A second later it is the same day.
        assert_eq!(build("2026-03-01").text(), a.text());
    }
}
