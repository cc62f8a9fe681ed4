//! Where the shared cases are, for tests that read them at run time.

use std::path::PathBuf;

/// The folder of cases: `PROMPTLINE_CASES`, which must then be there, else `../shared/cases` beside
/// the workspace, which may be absent.
pub(crate) fn cases_folder() -> Option<PathBuf> {
    match std::env::var_os("PROMPTLINE_CASES") {
        Some(folder) => {
            let folder = PathBuf::from(folder);
            assert!(
                folder.is_dir(),
                "PROMPTLINE_CASES names {}, which is not there",
                folder.display()
            );
            Some(folder)
        }
        None => {
            let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/cases");
            folder.is_dir().then_some(folder)
        }
    }
}
