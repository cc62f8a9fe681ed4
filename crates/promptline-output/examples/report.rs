//! A financial report: keys in another spelling, numbers as text, and a field that the model made up.

#![allow(clippy::print_stdout, reason = "an example")]

use promptline_output::OutputSpec;
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let spec = OutputSpec::from_schema(json!({
        "type": "object",
        "properties": {
            "company_name": {"type": "string"},
            "revenue": {"type": "number"},
            "profit": {"type": "number"},
            "period": {"type": "string"}
        },
        "required": ["company_name", "revenue", "profit", "period"]
    }))?
    .alias("revenue", "revenue_value")?;
    let parsed = spec.parse(
        "Here is the report:\n```json\n{\"companyName\": \"ACME\", \"revenue_value\": \"¥1,234.50\", \
         \"profit\": \"12\", \"period\": \"2024Q1\", \"risk_score\": 0.87}\n```",
    );
    println!("value: {}", parsed.fitting().unwrap_or(&serde_json::Value::Null));
    for one in &parsed.renamed {
        println!("renamed: {} is {}", one.from, one.to);
    }
    for one in &parsed.coerced {
        println!("coerced: {} {} -> {}", one.path, one.before, one.after);
    }
    for one in &parsed.unknown {
        println!("not in the schema, left out: {} = {}", one.path, one.value);
    }
    Ok(())
}
