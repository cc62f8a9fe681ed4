//! A registry reads ids by the tables that its host gave it.

use promptline::{
    ModelFamily, ModelTables, Place, PromptContext, PromptRegistry, PromptVariant, Template, When,
};

fn acme() -> ModelTables {
    ModelTables::builtin().with_family(ModelFamily::new("acme").vendor("acme-labs"))
}

#[test]
fn a_registry_reads_by_its_own_tables() {
    let variant = PromptVariant::new("ours")
        .when(When::from(toml::from_str::<promptline::Condition>("vendor = 'acme-labs'").unwrap()))
        .template(Template::parse("ours").unwrap());
    let other = PromptVariant::new("generic").template(Template::parse("generic").unwrap());
    let builder =
        PromptRegistry::builder().variant(variant, Place::First).variant(other, Place::Last);
    let chosen = |registry: &PromptRegistry, id: &str| {
        let cx = PromptContext::new("", id);
        registry.build_blocking(&cx).unwrap().text().to_owned()
    };
    let registry = builder.clone().models(acme().alias("small", "acme-2")).build().unwrap();
    assert_eq!(chosen(&registry, "acme-2"), "ours");
    assert_eq!(chosen(&registry, "small"), "ours");
    assert_eq!(registry.model_id("", "small").family(), Some("acme"));
    assert_eq!(chosen(&builder.build().unwrap(), "acme-2"), "generic");
}
