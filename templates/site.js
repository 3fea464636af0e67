// The search of a list: all sections of all reports.
(() => {
  const MOST = 20;
  const { answers, fold, of } = reportWords;
  let sections = [];

  function read() {
    const found = JSON.parse(document.getElementById("sections").textContent);
    sections = found.flatMap(report =>
      report.sections.map(one => {
        const title = fold(one.title);
        const back = /^([\d.]+ )?(Appendix|Reproduction|Back-test)/.test(one.path || one.title);
        const place = back ? 0.4 : one.finding ? 2 : 1;
        return { ...one, report, place, folded: title, whole: `${title} ${fold(one.path)} ${one.words}` };
      }),
    );
  }

  function line(one) {
    const item = document.createElement("p");
    const link = document.createElement("a");
    const { address } = one.report;
    const page = one.page ? address.replace(/[^/]*$/, encodeURIComponent(one.page)) : address;
    link.href = `${page}#${encodeURIComponent(one.id)}`;
    link.textContent = one.title;
    const where = document.createElement("span");
    where.textContent = [one.report.title, one.path].filter(Boolean).join(" › ");
    item.append(link, where);
    if (one.finding) {
      const finding = document.createElement("em");
      finding.textContent = one.finding;
      item.append(finding);
    }
    return item;
  }

  function show() {
    const words = of(fold(document.getElementById("search").value.trim()));
    const found = words.length ? answers(sections, words) : [];
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
