//! What the real Cline answers to small inputs, and where promptline should do better. A case whose right
//! answer is an error is right when there is an error.

use std::fs;
use std::sync::{Arc, Mutex};

use promptline::cleanup::{Level, clean};
use promptline::text::normalise;
use promptline::{
    Condition, Dialect, McpServer, Param, Place, PromptContext, PromptRegistry, PromptVariant,
    Template, Text, ToolSpec, When, component_fn,
    context::ServerStatus,
    tools::{NativeOptions, ToolText, mcp_tools, native_tools, tool_section},
};
use serde_json::{Map, Value, json};

use crate::support::{all_cases, cases_folder, judge, say};

#[test]
fn clean_up() {
    run("clean", |input, right| compare(&json!(clean_case(input)), right));
}

#[test]
fn resolve() {
    run("resolve", |input, right| compare(&resolve_case(input), right));
}

#[test]
fn tool_sections() {
    run("tool", |input, right| compare(&tool_case(input), right));
}

#[test]
fn native_lists() {
    run("native", |input, right| compare_native(&native_case(input), right));
}

#[test]
fn layers() {
    run("layers", |input, right| match layers_case(input) {
        Ok(got) => compare_layers(&got, right),
        Err(error) => right.get("error").is_none().then(|| format!("{error:#}, right is {right}")),
    });
}

/// Judges the cases of one operation that have a right answer.
fn run(op: &str, fault: impl Fn(&Value, &Value) -> Option<String>) {
    let right = |case: &Value| match case["verdict"].as_str() {
        Some("same") => Some(case["cline"].clone()),
        Some("better") => Some(case["right"].clone()),
        _ => None,
    };
    let cases = all_cases("oracle");
    let cases = cases.iter().filter(|case| case["op"] == json!(op) && right(case).is_some());
    judge(&format!("oracle {op}"), cases, |case| fault(&case["input"], &right(case)?))
        .assert_right();
}

/// Finished prompts are fixed points of the clean-up. They are read here, and copied nowhere.
#[test]
fn finished_prompts_stay_as_they_are() {
    let Some(folder) = cases_folder() else {
        return say("finished prompts: no shared cases here; nothing was run");
    };
    let entries = fs::read_dir(folder.join("cline")).expect("the folder of prompts");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.retain(|path| !path.to_string_lossy().ends_with(".tools.snap"));
    let files: Vec<Value> = files.iter().map(|path| json!({"id": path.to_str()})).collect();
    let changed = |file: &Value| {
        let path = file["id"].as_str().expect("a path in UTF-8");
        let text = fs::read_to_string(path).expect("a finished prompt is UTF-8");
        (clean(&text, Level::Document) != text).then(|| "changed".to_owned())
    };
    judge("finished prompts", &files, changed).assert_right();
}

fn compare(got: &Value, right: &Value) -> Option<String> {
    (got != right).then(|| format!("got {got}, right is {right}"))
}

fn clean_case(input: &Value) -> String {
    clean(&normalise(input["text"].as_str().expect("text")), Level::Document)
}

fn resolve_case(input: &Value) -> Value {
    let values = input["values"].as_object().cloned().unwrap_or_default();
    let rendered = Template::parse(input["template"].as_str().expect("template"))
        .and_then(|template| template.render(&values));
    match rendered {
        Ok(text) => json!(text),
        Err(error) if error.line_column().is_some() => json!({"error": "template"}),
        Err(error) => json!({"error": format!("without a place: {error}")}),
    }
}

/// Cline's context. All of it is a parameter too: a tool's words may be made from any part.
fn context(input: &Value) -> PromptContext {
    let mut cx = PromptContext::default().with_date("2031-05-06");
    for (key, value) in input.as_object().into_iter().flatten() {
        match (key.as_str(), value.as_str()) {
            ("cwd", Some(cwd)) => cx = cx.with_cwd(cwd),
            ("ide", Some(ide)) => cx = cx.with_ide(ide),
            ("supportsBrowserUse", _) if *value == json!(true) => cx = cx.with_flag("browser"),
            ("environment", _) => {
                for (name, value) in value.as_object().into_iter().flatten() {
                    let value = value.as_str().unwrap_or_default();
                    cx = match name.as_str() {
                        "os" => cx.with_os(value),
                        "shell" => cx.with_shell(value),
                        "home" => cx.with_home(value),
                        _ => cx,
                    };
                }
            }
            _ => {}
        }
        cx = cx.with_param(key, value.clone());
    }
    cx
}

fn when(value: &Value, depends_on: &Value) -> When {
    let depends: Vec<Condition> = depends_on
        .as_array()
        .into_iter()
        .flatten()
        .map(|id| Condition::tool(id.as_str().expect("an id")))
        .collect();
    if let Some(message) = value["throw"].as_str() {
        let message = message.to_owned();
        return When::check(move |_| Err::<bool, _>(std::io::Error::other(message.clone())));
    }
    let mut condition = Condition::all(depends);
    match value {
        Value::Null | Value::Bool(true) => {}
        Value::Bool(false) => condition.all.push(Condition::not(Condition::default())),
        other => {
            let path = other["flag"].as_str().expect("a flag");
            condition.equals.insert(format!("params.{path}"), json!(true));
        }
    }
    condition.into()
}

/// Authored words, which are templates; `<<a.b>>` is made from the context.
fn wording(value: &Value) -> Result<ToolText, promptline::Error> {
    let text = value.as_str().or_else(|| value["text"].as_str()).unwrap_or_default();
    let text = text.replace("<<", "{{params.").replace(">>", "}}");
    Ok(ToolText::Template(Template::parse(&text)?))
}

fn spec(input: &Value) -> Result<ToolSpec, promptline::Error> {
    let mut spec = ToolSpec::new(input["id"].as_str().expect("an id"))
        .with_description(wording(&input["description"])?)
        .with_when(when(&input["when"], &Value::Null));
    if let Some(name) = input["name"].as_str() {
        spec = spec.with_name(name);
    }
    for param in input["parameters"].as_array().into_iter().flatten() {
        let name = param["name"].as_str().expect("a name");
        let mut made = Param::optional(name, wording(&param["instruction"])?)
            .with_usage(param["usage"].as_str().unwrap_or_default())
            .with_when(when(&param["when"], &param["depends_on"]));
        made.required = param["required"] == json!(true);
        for (keyword, value) in param.as_object().expect("a parameter") {
            let known = ["name", "required", "instruction", "description", "usage", "when"];
            if !known.contains(&keyword.as_str()) && keyword != "depends_on" {
                made = made.with_keyword(keyword, value.clone());
            }
        }
        if param["description"].is_string() {
            made = made.with_tool_note(wording(&param["description"])?);
        }
        spec = spec.with_param(made);
    }
    Ok(spec)
}

fn tool_case(input: &Value) -> Value {
    let cx = context(&input["context"]);
    let rendered = spec(&input["spec"]).and_then(|spec| {
        // The other enabled tools have nothing to say, so that only the spec shows.
        let mut tools: Vec<ToolSpec> = input["tools"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|id| ToolSpec::new(id.as_str().expect("an id")))
            .filter(|other| other.id != spec.id)
            .collect();
        tools.push(spec);
        tool_section(&tools, &cx)
    });
    match rendered {
        Ok(section) => json!(section.text.to_string()),
        Err(_) => json!({"error": "spec"}),
    }
}

/// One tool, with others that have nothing to say; or the tools of one server.
fn native_case(input: &Value) -> Value {
    let mut cx = context(&input["context"]);
    if let Some(viewport) = input["context"]["browserSettings"]["viewport"].as_object() {
        // What Cline knows by these names.
        for (name, key) in [("WIDTH", "width"), ("HEIGHT", "height")] {
            cx = cx.with_runtime(format!("BROWSER_VIEWPORT_{name}"), viewport[key].clone());
        }
    }
    let dialect: Dialect = input["dialect"].as_str().expect("a dialect").parse().expect("known");
    let native = |tools: &[ToolSpec]| {
        let options = NativeOptions::new(dialect);
        native_tools(tools, &cx, &options).map(|tools| tools.to_value())
    };
    if input["mcp"].is_object() {
        let cx = PromptContext::default().with_mcp_server(server(&input["mcp"]));
        return native(&mcp_tools(&cx)).unwrap_or_else(|_| json!({"error": "mcp"}));
    }
    let made = spec(&input["spec"]).and_then(|spec| {
        let mut tools: Vec<ToolSpec> = input["tools"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|id| ToolSpec::new(id.as_str().expect("an id")))
            .filter(|other| other.id != spec.id)
            .collect();
        tools.push(spec);
        native(&tools)
    });
    match made {
        Ok(list) => list.get(0).cloned().unwrap_or_default(),
        Err(_) => json!({"error": "spec"}),
    }
}

fn server(input: &Value) -> McpServer {
    let status = match (input["disabled"] == json!(true), input["status"].as_str()) {
        (true, _) => ServerStatus::Disabled,
        (false, Some("connected")) => ServerStatus::Connected,
        _ => ServerStatus::Failed,
    };
    let server = McpServer::new(input["name"].as_str().expect("a name")).with_status(status);
    let tools = input["tools"].as_array().into_iter().flatten();
    tools.fold(server, |server, tool| {
        server.with_tool(serde_json::from_value(tool.clone()).expect("a tool as MCP lists it"))
    })
}

/// The same JSON, with properties in the same order. A name `*` is any that the provider accepts.
fn compare_native(got: &Value, right: &Value) -> Option<String> {
    let mut got = got.clone();
    let mut right = right.clone();
    let mut names = Vec::new();
    let mut pairs = match (&mut got, &mut right) {
        (Value::Array(got), Value::Array(right)) => got.iter_mut().zip(right).collect::<Vec<_>>(),
        (got, right) => vec![(got, right)],
    };
    for (got, right) in &mut pairs {
        let (got, right) = match right.get("function").is_some() {
            true => (&mut got["function"], &mut right["function"]),
            false => (&mut **got, &mut **right),
        };
        let name = got["name"].as_str().unwrap_or_default().to_owned();
        let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        // Cline's own names of MCP tools are made of the server's random id.
        let any = right["name"].as_str().is_some_and(|name| name == "*" || name.contains("0mcp0"));
        if any
            && (1..=64).contains(&name.len())
            && name.chars().all(legal)
            && !names.contains(&name)
        {
            right["name"] = json!(name);
        }
        names.push(name);
    }
    compare(&got, &right).or_else(|| {
        (orders(&got) != orders(&right)).then(|| format!("another order: {got}, right is {right}"))
    })
}

/// The names under every `properties`, in order.
fn orders(value: &Value) -> Vec<Vec<&String>> {
    match value {
        Value::Object(map) => {
            let own = map.get("properties").and_then(Value::as_object);
            let own = own.map(|properties| properties.keys().collect());
            // Whole schemas are compared by then: only the order can differ.
            let mut inside: Vec<_> = map.iter().map(|(key, value)| (key, orders(value))).collect();
            inside.sort();
            own.into_iter().chain(inside.into_iter().flat_map(|(_, orders)| orders)).collect()
        }
        Value::Array(items) => items.iter().flat_map(orders).collect(),
        _ => Vec::new(),
    }
}

#[derive(Debug)]
struct Layered {
    prompt: String,
    calls: Vec<String>,
    warned: Vec<String>,
}

fn layers_case(input: &Value) -> Result<Layered, promptline::Error> {
    let variant = &input["variant"];
    let components = input["components"].as_object().cloned().unwrap_or_default();
    let order: Vec<String> = match variant["order"].as_array() {
        Some(ids) => ids.iter().map(|id| id.as_str().expect("an id").to_owned()).collect(),
        None => components.keys().cloned().collect(),
    };
    let template = Template::parse(variant["template"].as_str().expect("a template"))?;
    let mut made = PromptVariant::new(variant["family"].as_str().unwrap_or("generic"))
        .with_template(template)
        .with_components(order);
    for (name, value) in variant["placeholders"].as_object().cloned().unwrap_or(Map::new()) {
        made = made.with_placeholder(name, value);
    }
    let calls = Arc::new(Mutex::new(Vec::new()));
    let mut registry = PromptRegistry::builder().variant_at(made, Place::First);
    for (id, answer) in components {
        let calls = Arc::clone(&calls);
        let name = id.clone();
        let component = component_fn(id, move |_| {
            calls.lock().unwrap().push(name.clone());
            match (&answer, answer["throw"].as_str()) {
                (_, Some(message)) => Err(promptline::ComponentError::new(message)),
                (Value::String(text), _) => Ok(Some(Text::authored(text))),
                _ => Ok(None),
            }
        });
        registry = registry.component_at(component, Place::Listed);
    }
    let mut cx = context(&input["context"]);
    for (name, value) in input["runtime"].as_object().cloned().unwrap_or_default() {
        cx = cx.with_runtime(name, value);
    }
    let prompt = registry.build()?.build_blocking(&cx)?;
    let mut warned: Vec<String> = prompt
        .report()
        .warnings()
        .filter(|warning| warning.code.starts_with("component-"))
        .filter_map(|warning| warning.subject.clone())
        .collect();
    warned.sort();
    let calls = calls.lock().unwrap().clone();
    Ok(Layered { prompt: prompt.into_text(), calls, warned })
}

fn compare_layers(got: &Layered, right: &Value) -> Option<String> {
    let sorted = |value: &Value| -> Vec<String> {
        let mut ids: Vec<String> = value
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|id| id.as_str().map(str::to_owned))
            .collect();
        ids.sort();
        ids
    };
    let same_calls = right.get("calls").is_none_or(|calls| *calls == json!(got.calls));
    let same_warned = ["warned", "reported"]
        .iter()
        .all(|key| right.get(*key).is_none_or(|ids| sorted(ids) == got.warned));
    let right_prompt = &right["prompt"];
    (json!(got.prompt) != *right_prompt || !same_calls || !same_warned)
        .then(|| format!("got {got:?}, right is {right}"))
}
