//! A registry reads ids by the tables that its host gave it.

use promptline::{
    Place, PromptContext, PromptRegistry, PromptVariant, Template, When,
    model_id::{ModelFamily, ModelTables},
};

fn acme() -> ModelTables {
    ModelTables::builtin().with_family(ModelFamily::new("acme").with_vendor("acme-labs"))
}

#[test]
fn a_registry_reads_by_its_own_tables() {
    let variant = PromptVariant::new("ours")
        .with_when(When::from(
            toml::from_str::<promptline::Condition>("vendor = 'acme-labs'").unwrap(),
        ))
        .with_template(Template::parse("ours").unwrap());
    let other = PromptVariant::new("generic").with_template(Template::parse("generic").unwrap());
    let builder =
        PromptRegistry::builder().variant_at(variant, Place::First).variant_at(other, Place::Last);
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
