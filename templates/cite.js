// How to cite the report, a section, a figure or a number: the address of this release,
// which stays, in plain text, BibTeX and CSL-JSON.
// biome-ignore lint/correctness/noUnusedVariables: other scripts of the page use it
const reportCite = (() => {
  const { made } = reportParts;
  let card = null;

  const build = () => document.querySelector("meta[name='build']")?.content || "";

  /** The address of a place in this release, never in the one that is current today. */
  function permanent(path) {
    const url = new URL(path, location.href.replace(/[?#].*$/, ""));
    if (build()) url.pathname = url.pathname.replace(/(\/releases\/[^/]+)\/current\//, `$1/${build()}/`);
    return url.href;
  }

  function about() {
    const data = document.getElementById("cards");
    if (data) return JSON.parse(data.textContent).about;
    const named = name => [...document.querySelectorAll(`meta[name='${name}']`)].map(meta => meta.content);
    return {
      id: "report",
      title: document.title,
      authors: named("author"),
      date: named("date")[0] || "",
      number: "",
    };
  }

  const tex = text => text.replace(/[\\{}]/g, "").replace(/[&%$#_]/g, "\\$&");

  /** A name as CSL has it: that of a person in two parts, any other as it is. */
  function person(name) {
    const parts = name.match(/^(\p{Lu}[\p{L}.'-]+(?: \p{Lu}[\p{L}.'-]*)*) (\p{Lu}[\p{L}'-]+)$/u);
    return parts ? { given: parts[1], family: parts[2] } : { literal: name };
  }

  /** @returns {[string, string][]} The name and the text of each form. */
  function citations(what, path) {
    const { id, title, authors, date, number } = about();
    const url = permanent(path);
    const key = `${id}-${build()}`.replace(/[^\w-]/g, "-");
    const version = [number && `number ${number}`, build() && `build ${build()}`].filter(Boolean).join(", ");
    const text = `${authors.join(", ")}: ${title}. ${[date, version].filter(Boolean).join(", ")}. ${what ? `${what}. ` : ""}${url}`;
    const [year, month, day] = date.split("-").map(Number);
    const csl = {
      id: key,
      type: "report",
      title,
      author: authors.map(person),
      number: number || undefined,
      version: build() || undefined,
      issued: year ? { "date-parts": [[year, month, day].filter(Boolean)] } : undefined,
      locator: what || undefined,
      URL: url,
    };
    const fields = [
      ["title", `{${tex(title)}}`],
      ["author", authors.map(name => `{${tex(name)}}`).join(" and ")],
      ["year", String(year || "")],
      ["month", String(month || "")],
      ["number", tex(number || "")],
      ["version", build()],
      ["note", tex(what || "")],
      ["url", url],
    ].filter(([, value]) => value);
    const bibtex = `@techreport{${key},\n${fields.map(([name, value]) => `  ${name} = {${value}}`).join(",\n")}\n}`;
    return [
      ["Address", url],
      ["Text", text],
      ["BibTeX", bibtex],
      ["CSL-JSON", JSON.stringify([csl], null, 1)],
    ];
  }

  function line([name, text]) {
    const box = document.createElement("details");
    const said = made("pre", text);
    said.tabIndex = 0;
    const button = reportParts.copier(text, () => {
      box.open = true;
      getSelection().selectAllChildren(said);
    });
    button.setAttribute("aria-label", `Copy: ${name}`);
    box.append(made("summary", name), said);
    const row = made("div", "", "cite-row");
    row.append(box, button);
    return row;
  }

  function nameOf(place) {
    const copy = place.cloneNode(true);
    for (const extra of copy.querySelectorAll(".anchor")) extra.remove();
    return copy.textContent.replace(/\s+/g, " ").trim();
  }

  /** Opens the card below an element, with how to cite a path of this release. */
  function open(beside, what, path) {
    card ??= reportParts.card("cite-card");
    card.setAttribute("aria-label", "Cite");
    const about = what ? [made("p", what)] : [];
    card.replaceChildren(made("p", "Cite", "card-name"), ...about, ...citations(what, path).map(line));
    card.querySelector("details").open = true;
    reportParts.openBeside(beside, card);
    card.querySelector("button").focus({ preventScroll: true });
  }

  document.addEventListener("click", event => {
    const anchor = event.target.closest("a.anchor");
    const button = event.target.closest("button[data-cite]");
    if (anchor && HTMLElement.prototype.showPopover) {
      event.preventDefault();
      history.replaceState(null, "", anchor.hash);
      const before = anchor.previousElementSibling;
      const caption = anchor.closest("figcaption") || before?.querySelector("caption");
      open(anchor, nameOf(caption || before), `index.html${anchor.hash}`);
    } else if (button) {
      open(button, button.dataset.cite, button.dataset.at);
    }
  });

  return { text: (what, path) => new Map(citations(what, path)).get("Text") };
})();
