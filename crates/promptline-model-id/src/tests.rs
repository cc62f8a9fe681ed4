use crate::{ModelTables, tables};

#[test]
fn the_librarys_own_tables_can_be_read() {
    let empty = ModelTables::empty();
    let read = empty.with_toml("tables.toml", tables::FILE).unwrap();
    assert_eq!(read.families().count(), ModelTables::builtin().families().count());
    assert!(read.families().count() > 40);
}

#[test]
fn what_ids_are_compared_with_is_lower_case() {
    for line in tables::FILE.lines().filter(|line| !line.starts_with('#')) {
        assert_eq!(line, line.to_ascii_lowercase());
    }
}

#[test]
fn names_of_families_are_of_one_kind() {
    for family in ModelTables::builtin().families() {
        let mut lines = family.lines();
        assert!(lines.all(|line| !line.is_empty() && !line.contains('-')), "{}", family.name());
        assert_ne!(family.vendor_name(), "", "{}", family.name());
    }
}
