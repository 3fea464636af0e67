// Whether files of Lua are formatted, or with --write: formats them.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

// The packages lie where they were installed, which is the folder that this runs in.
const stylua = createRequire(`${process.cwd()}/.lint/`)("@johnnymorganz/stylua");

function style() {
  const config = stylua.Config.new();
  config.column_width = 88;
  config.indent_type = stylua.IndentType.Spaces;
  config.indent_width = 2;
  config.collapse_simple_statement = stylua.CollapseSimpleStatement.Always;
  config.quote_style = stylua.QuoteStyle.AutoPreferSingle;
  config.call_parentheses = stylua.CallParenType.Input;
  return config; // which a call uses up
}

const [first, ...rest] = process.argv.slice(2);
const write = first === "--write";
for (const path of write ? rest : [first, ...rest]) {
  const text = readFileSync(path, "utf8");
  const formatted = stylua.formatCode(text, style(), undefined, stylua.OutputVerification.Full);
  if (formatted === text) continue;
  if (write) writeFileSync(path, formatted);
  else {
    console.error(`${path}: not formatted; run make lint FIX=1`);
    process.exitCode = 1;
  }
}
