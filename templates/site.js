// The search of a list: all sections of all reports.
(() => {
  const MOST = 20;
  const { fold, has, of } = reportWords;
  let sections = [];

  function read() {
    const found = JSON.parse(document.getElementById("sections").textContent);
    sections = found.flatMap(report =>
      report.sections.map(one => {
        const title = fold(one.title);
        const place = /^(Appendix|Reproduction)/.test(one.path || one.title) ? 0.4 : 1;
        return { ...one, report, place, folded: title, whole: `${title} ${fold(one.path)} ${one.words}` };
      }),
    );
  }

  /** How many of the words a section has, and how well it answers. */
  function answer(one, words) {
    const held = words.filter(word => has(one.whole, word));
    const titles = held.filter(word => has(one.folded, word)).length;
    return { one, has: held.length, score: (held.length * 10 + titles * 80) * one.place };
  }

  function matches(words) {
    const answers = sections.map(one => answer(one, words));
    const most = Math.max(0, ...answers.map(found => found.has));
    if (most < Math.max(1, words.length / 2)) return [];
    return answers.filter(found => found.has === most).sort((a, b) => b.score - a.score);
  }

  function line({ one }) {
    const item = document.createElement("p");
    const link = document.createElement("a");
    const { address } = one.report;
    const page = one.page ? address.replace(/[^/]*$/, encodeURIComponent(one.page)) : address;
    link.href = `${page}#${encodeURIComponent(one.id)}`;
    link.textContent = one.title;
    const where = document.createElement("span");
    where.textContent = [one.report.title, one.path].filter(Boolean).join(" › ");
    item.append(link, where);
    return item;
  }

  function show() {
    const words = of(fold(document.getElementById("search").value.trim()));
    const found = words.length ? matches(words) : [];
    document.getElementById("results").replaceChildren(...found.slice(0, MOST).map(line));
    const count = `${found.length} ${found.length === 1 ? "section" : "sections"} found`;
    document.getElementById("count").textContent = words.length ? count : "";
  }

  function start() {
    read();
    document.getElementById("site-search").hidden = false;
    document.getElementById("search").addEventListener("input", show);
    show();
  }

  document.addEventListener("DOMContentLoaded", start);
})();
