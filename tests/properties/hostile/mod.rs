//! Inputs that are too large, too deep, circular or broken: each ends in a prompt or in an error that
//! says what is wrong, never in an abort. Nothing here is timed: what is not linear does not end.

mod broken;
mod deep;
mod large;
mod together;

use promptline::{
    Error, Pack, Place, Prompt, PromptContext, PromptRegistry, PromptVariant, Template,
};

fn builtin(cx: &PromptContext) -> Prompt {
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    registry.build_blocking(cx).unwrap()
}

/// A prompt that is only this template.
fn only(template: &str, cx: &PromptContext) -> Result<Prompt, Error> {
    let variant = PromptVariant::new("generic").with_template(Template::parse(template)?);
    let registry = PromptRegistry::builder().variant_at(variant, Place::First).build()?;
    registry.build_blocking(cx)
}

/// Gives way once, as a component that waits for something does.
async fn pending_once() {
    let mut asked = false;
    std::future::poll_fn(|task| {
        if asked {
            return std::task::Poll::Ready(());
        }
        asked = true;
        task.waker().wake_by_ref();
        std::task::Poll::Pending
    })
    .await;
}
