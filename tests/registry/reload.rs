//! A registry that is made again from its folders: what is new, what stays, and what others see of it.

use std::fs;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};

use promptline::{ErrorKind, Pack, Place, PromptContext, PromptRegistry, ToolSet};

use crate::pack::Folder;

const COMPONENT: &str = "templates/components/a.md";

fn put(folder: &Folder, text: &str) {
    folder.put(COMPONENT, format!("+++\nid = \"A_SECTION\"\n+++\n{text}\n"));
}

fn registry(folder: &Folder) -> PromptRegistry {
    let pack = folder.load().unwrap();
    PromptRegistry::builder().pack(Pack::builtin()).pack(pack).build().unwrap()
}

fn text(registry: &PromptRegistry) -> String {
    let cx = PromptContext::default().with_variant("v");
    registry.build_blocking(&cx).unwrap().into_text()
}

#[test]
fn changed_files_are_seen() {
    let folder = Folder::over_small("");
    let mut registry = registry(&folder);
    put(&folder, "All is new.");
    assert_eq!(text(&registry), "All is well.");
    registry.reload().unwrap();
    assert_eq!(text(&registry), "All is new.");
    // Again, and with another variant that goes and comes.
    let pack = |ids| format!("schema = 1\nname = \"small\"\nvariants = {ids}\n");
    folder.put("variants/pack.toml", pack("[\"v\", \"w\"]"));
    folder.put("variants/w/variant.toml", "schema = 1\ncomponents = [\"A_SECTION\"]\n");
    registry.reload().unwrap();
    assert!(registry.get("w").is_ok());
    folder.put("variants/pack.toml", pack("[\"v\"]"));
    fs::remove_dir_all(folder.path().join("variants/w")).unwrap();
    registry.reload().unwrap();
    assert!(registry.get("w").is_err());
    assert!(registry.get("generic").is_ok());
}

#[test]
fn on_an_error_the_last_good_one_stays() {
    let folder = Folder::over_small("");
    let mut registry = registry(&folder);
    put(&folder, "All is new.");
    registry.reload().unwrap();
    for (broken, kind) in [("{{#if A}}", ErrorKind::Template), ("{{}}", ErrorKind::Template)] {
        put(&folder, broken);
        let error = registry.reload().unwrap_err();
        assert_eq!(error.kind(), kind, "{error:#}");
        assert!(error.file().unwrap().ends_with(COMPONENT), "{error:#}");
        assert_eq!(text(&registry), "All is new.");
    }
    // A mistake that only the whole registry shows.
    put(&folder, "Fine.");
    folder.put("variants/v/variant.toml", "schema = 1\nextends = \"nobody\"\n");
    registry.reload().unwrap_err();
    assert_eq!(text(&registry), "All is new.");
    fs::remove_dir_all(folder.path().join("variants")).unwrap();
    registry.reload().unwrap_err();
    assert_eq!(text(&registry), "All is new.");
}

#[test]
fn what_the_host_added_is_kept_and_clones_keep_what_they_have() {
    let folder = Folder::over_small("");
    let component = promptline::component_fn("B_SECTION", |_| Ok(Some("Host.".into())));
    let mut registry = PromptRegistry::builder()
        .pack(folder.load().unwrap())
        .component_at(component, Place::Last)
        .tools(ToolSet::new().add(promptline::ToolSpec::new("look").with_description("Look.")))
        .build()
        .unwrap();
    let before = registry.clone();
    put(&folder, "All is new.");
    registry.reload().unwrap();
    let prompt = registry.build_blocking(&PromptContext::default()).unwrap();
    assert!(prompt.text().starts_with("All is new."), "{}", prompt.text());
    assert!(prompt.text().ends_with("Host."), "{}", prompt.text());
    assert!(prompt.tool_names().contains("look"));
    assert!(text(&before).starts_with("All is well."));
    // A clone can be reloaded by itself.
    let mut clone = before;
    clone.reload().unwrap();
    assert_eq!(text(&clone), text(&registry));
}

#[test]
fn builds_during_reloads_see_one_whole_registry() {
    // Two sections that always change together.
    let folder =
        Folder::over_small("-- templates/components/b.md\n+++\nid = \"B_SECTION\"\n+++\nn0\n");
    folder.put(
        "variants/v/variant.toml",
        "schema = 1\ncomponents = [\"A_SECTION\", \"B_SECTION\"]\n",
    );
    let put_both = |number: usize| {
        put(&folder, &format!("n{number}"));
        let b = "templates/components/b.md";
        folder.put(b, format!("+++\nid = \"B_SECTION\"\n+++\nn{number}\n"));
    };
    put_both(0);
    let shared = RwLock::new(registry(&folder));
    let current = || shared.read().unwrap().clone();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let build = || {
            let mut last = 0;
            let mut builds = 0;
            // The bound is for a reload that fails: then the test ends.
            while builds < 10 || (builds < 100_000 && !done.load(Ordering::Acquire)) {
                let text = text(&current());
                let numbers: Vec<usize> =
                    text.lines().filter_map(|line| line.strip_prefix('n')?.parse().ok()).collect();
                assert_eq!(numbers.len(), 2, "{text}");
                assert_eq!(numbers[0], numbers[1], "{text}");
                assert!(numbers[0] >= last, "an old registry came back: {text}");
                last = numbers[0];
                builds += 1;
            }
        };
        let builders = [scope.spawn(build), scope.spawn(build)];
        for number in 1..30 {
            put_both(number);
            let mut fresh = current();
            fresh.reload().unwrap();
            *shared.write().unwrap() = fresh;
        }
        done.store(true, Ordering::Release);
        for builder in builders {
            builder.join().unwrap();
        }
    });
    assert!(text(&current()).starts_with("n29"));
}
