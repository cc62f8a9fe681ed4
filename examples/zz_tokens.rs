use promptline::*;
fn main() {
    let t = tiktoken::get_encoding("o200k_base").unwrap();
    let reg = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    let v = std::env::args().nth(1).unwrap();
    let cx = PromptContext::from_json("b", include_str!("../tests/builtin/contexts/basic.json")).unwrap().variant(v);
    let p = reg.build_blocking(&cx).unwrap();
    let mut ids: Vec<String> = vec![];
    for s in p.sections() { if !ids.contains(&s.id.to_string()) { ids.push(s.id.to_string()); } }
    for id in &ids { let x = p.section(id).unwrap(); println!("{:6} {}", t.count(&x), id); }
    let ts = p.section("TOOLS_SECTION").unwrap_or_default();
    for tool in ts.split("\n## ") { println!("   {:5} {}", t.count(tool), tool.lines().next().unwrap()); }
    println!("{}", t.count(p.text()));
}
