//! `session`: a record is looked at, moved, compacted and emptied.

use std::fs;

use tempfile::tempdir;

use crate::{run, run_with};

/// Two sessions, as an export has them.
fn lines() -> String {
    let mut lines = vec![
        r#"{"session":{"id":"工单-42","facts":{"known":{"设备型号":{"value":"M404","trust":"host"}}}}}"#.to_owned(),
    ];
    for n in 1..=6 {
        lines.push(format!(
            r#"{{"turn":{{"id":"m{n}","at_ms":{n},"messages":[{{"role":"user","parts":[{{"type":"text","text":"问题 {n}"}}]}},{{"role":"assistant","parts":[{{"type":"text","text":"回答 {n}"}}]}}]}}}}"#
        ));
    }
    lines.push(r#"{"session":{"id":"b"}}"#.to_owned());
    lines.push(
        r#"{"turn":{"id":"x","messages":[{"role":"user","parts":[{"type":"text","text":"hi"}]}]}}"#
            .to_owned(),
    );
    lines.join("\n") + "\n"
}

const STORE: [&str; 2] = ["--store", "sqlite:s.db"];

fn verb<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&["session"], args, &STORE[..]].concat()
}

#[test]
fn what_was_imported_comes_out_again() {
    let folder = tempdir().unwrap();
    let imported = run_with(folder.path(), &verb(&["import"]), lines().as_bytes());
    assert_eq!((imported.code, imported.stderr.as_str()), (Some(0), "imported 2 sessions\n"));
    // Once more changes nothing.
    let again = run_with(folder.path(), &verb(&["import"]), lines().as_bytes());
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    let exported = run(folder.path(), &verb(&["export"])).quiet();
    assert_eq!(exported.lines().count(), 9);
    let elsewhere = tempdir().unwrap();
    run_with(elsewhere.path(), &verb(&["import"]), exported.as_bytes());
    assert_eq!(run(elsewhere.path(), &verb(&["export"])).quiet(), exported);
    let one = run(folder.path(), &verb(&["export", "b"])).quiet();
    assert_eq!(one.lines().count(), 2);
}

#[test]
fn sessions_are_listed_shown_compacted_and_deleted() {
    let folder = tempdir().unwrap();
    run_with(folder.path(), &verb(&["import"]), lines().as_bytes());
    let listed = run(folder.path(), &verb(&["list"])).quiet();
    assert!(
        listed.lines().nth(1).unwrap().ends_with("  b") && listed.lines().count() == 3,
        "{listed}"
    );
    let json: serde_json::Value = serde_json::from_str(
        &run(folder.path(), &verb(&["list", "--json", "--prefix", "工"])).quiet(),
    )
    .unwrap();
    assert_eq!(json[0]["turns"], 6);
    assert_eq!(json.as_array().unwrap().len(), 1);

    let compacted = run(folder.path(), &verb(&["compact", "工单-42"]));
    assert_eq!(
        compacted.stderr,
        "compacted 1 of 1 session, without a model; their turns are kept\n"
    );
    let shown = run(folder.path(), &verb(&["show", "工单-42", "--turns", "1"])).quiet();
    for part in [
        "6 turns",
        "fact 设备型号: \"M404\"",
        "summary of turns 1 to 3",
        "First request: 问题 1",
        "turn 6 (m6)",
        "user: 问题 6",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let stats: serde_json::Value =
        serde_json::from_str(&run(folder.path(), &verb(&["stats", "--json"])).quiet()).unwrap();
    assert_eq!(
        (&stats["sessions"], &stats["turns"], &stats["summarized_turns"]),
        (&2.into(), &7.into(), &3.into())
    );

    let deleted = run(folder.path(), &verb(&["delete", "b"]));
    assert_eq!((deleted.code, deleted.stderr.as_str()), (Some(0), "deleted 1 of 1 session\n"));
    assert!(run(folder.path(), &verb(&["show", "b"])).mistake().contains("there is no session b"));
    assert_eq!(run(folder.path(), &verb(&["delete", "b"])).code, Some(2));
    let idle = run(folder.path(), &verb(&["delete", "--idle", "1h"]));
    assert_eq!(idle.stderr, "deleted 0 of 0 sessions\n");
}

#[test]
fn the_counters_of_a_host_are_judged() {
    let folder = tempdir().unwrap();
    run_with(folder.path(), &verb(&["import"]), lines().as_bytes());
    fs::write(
        folder.path().join("good.json"),
        r#"{"memory":{"hits":800},"redis":{"hits":190},"store":{"hits":10}}"#,
    )
    .unwrap();
    fs::write(
        folder.path().join("bad.json"),
        r#"{"memory":{"hits":300},"redis":{"hits":100},"store":{"hits":600}}"#,
    )
    .unwrap();
    let good = run(folder.path(), &verb(&["stats", "--counters", "good.json"])).quiet();
    assert!(good.contains("memory         800") && !good.contains("unhealthy"), "{good}");
    let bad = run(folder.path(), &verb(&["stats", "--counters", "bad.json"]));
    assert_eq!(bad.code, Some(1));
    assert!(
        bad.stdout.contains("Memory serves 30.0 %") && bad.stdout.contains("Store serves 60.0 %"),
        "{}",
        bad.stdout
    );
}

#[test]
fn a_record_is_measured_and_left_as_it_was() {
    let folder = tempdir().unwrap();
    let measured = run(folder.path(), &verb(&["bench", "--turns", "20", "--json"])).quiet();
    let measured: serde_json::Value = serde_json::from_str(&measured).unwrap();
    assert_eq!(measured[0]["what"], "commit of a turn");
    assert!(measured[0]["p50_us"].as_u64().unwrap() > 0);
    assert_eq!(run(folder.path(), &verb(&["list", "--json"])).quiet(), "[]\n");
}

#[test]
fn mistakes_are_said() {
    let folder = tempdir().unwrap();
    let mistake = |args: &[&str]| run(folder.path(), args).mistake();
    assert!(
        mistake(&["session", "list", "--store", "mysql://x"]).contains("sqlite:FILE, postgres://")
    );
    assert!(
        mistake(&["session", "list", "--store", "sqlite:none.db"])
            .contains("there is no such file")
    );
    assert!(mistake(&["session", "list", "--store", "sqlite:"]).contains("needs a file"));
    let idle = run(folder.path(), &verb(&["list", "--idle", "soon"]));
    assert!(idle.code == Some(2) && idle.stderr.contains("30m or 90d"), "{}", idle.stderr);
    let wrong =
        run_with(folder.path(), &verb(&["import"]), b"{\"turn\":{\"id\":\"x\",\"messages\":[]}}\n");
    assert!(wrong.stderr.contains("-:1: a turn without"), "{}", wrong.stderr);
    let wrong =
        run_with(folder.path(), &verb(&["import"]), b"{\"session\":{\"id\":\"a\"}}\nnonsense\n");
    assert!(
        wrong.code == Some(2) && wrong.stderr.contains("-:2: it is no line of an export"),
        "{}",
        wrong.stderr
    );
}
