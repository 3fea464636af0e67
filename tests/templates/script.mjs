// A script of a page, run outside a browser with what it asks of the page.
import { readFileSync } from "node:fs";
import vm from "node:vm";

/** What the names hold once some scripts have run one after another. */
export function run(scripts, globals, names = []) {
  const context = vm.createContext({ ...globals });
  for (const script of scripts) {
    const url = new URL(`../../templates/${script}`, import.meta.url);
    vm.runInContext(readFileSync(url, "utf8"), context, { filename: script });
  }
  return vm.runInContext(`({ ${names.join(", ")} })`, context);
}
