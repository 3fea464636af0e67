// The search of a list: values that answer, then sections, of all reports.
(() => {
  const MOST = 20;
  const ROWS = 3;
  const WAIT_MS = 120;
  const { answers, fold, of } = reportWords;
  let sections = [];
  let whole = "";
  let ranking = null;
  let timer = 0;

  async function read() {
    const packed = Uint8Array.from(atob(JSON.parse(document.getElementById("sections").textContent)), one =>
      one.charCodeAt(0),
    );
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    const found = await new Response(stream).json();
    ranking = reportAnswers.over(found);
    sections = found.flatMap(report =>
      report.sections.map(one => {
        const title = fold(one.title);
        const back = /^([\d.]+ )?(Appendix|Reproduction|Back-test)/.test(one.path || one.title);
        const place = back ? 0.4 : one.finding ? 2 : 1;
        const study = one.finding && report.studies.find(study => study.at === one.id);
        const { question } = study || {};
        return {
          ...one,
          report,
          place,
          question,
          folded: title,
          whole: `${title} ${fold(one.path)} ${one.words}`,
        };
      }),
    );
    whole = sections.map(one => one.whole).join(" ");
  }

  function line(one) {
    const item = document.createElement("p");
    const link = document.createElement("a");
    const { address } = one.report;
    const page = one.page ? address.replace(/[^/]*$/, encodeURIComponent(one.page)) : address;
    link.href = one.id ? `${page}#${encodeURIComponent(one.id)}` : page;
    link.textContent = one.title;
    const where = document.createElement("span");
    where.textContent = [one.report.title, one.path].filter(Boolean).join(" › ");
    item.append(link, where);
    if (one.finding) {
      const finding = document.createElement("em");
      finding.textContent = [one.question, one.finding].filter(Boolean).join(" ");
      item.append(finding);
    }
    return item;
  }

  /** A value that answers, as a section is shown: it leads to its study. */
  function value(one) {
    const { title, text } = reportAnswers.told(one);
    const { at } = one.study;
    const page = one.index.sections.find(section => section.page)?.page;
    return line({ title, path: one.study.title, finding: text, id: at, page, report: one.index });
  }

  function show() {
    const text = document.getElementById("search").value.trim();
    const words = of(fold(text));
    const found = words.length ? answers(sections, words) : [];
    const asked = words.length ? ranking.ask(text) : null;
    // Values do not have a word of which a section tells: who looks for the section is not refused.
    const told = asked?.answered || !found.length || asked?.unknown.some(word => !whole.includes(word));
    const values = told && asked ? asked.rows.filter(one => one.fit > 0).slice(0, ROWS) : [];
    const lines = [...values.map(value), ...found.slice(0, MOST).map(line)];
    document.getElementById("results").replaceChildren(...lines);
    const counts = [
      ...(told && asked ? reportAnswers.remarks(asked) : []),
      values.length ? `${values.length} ${values.length === 1 ? "value" : "values"} and` : "",
      `${found.length} ${found.length === 1 ? "section" : "sections"}`,
    ];
    document.getElementById("count").textContent = asked ? counts.filter(Boolean).join(" ") : "";
  }

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(show, WAIT_MS);
  }

  async function start() {
    await read();
    document.getElementById("site-search").hidden = false;
    document.getElementById("search").addEventListener("input", soon);
    show();
  }

  document.addEventListener("DOMContentLoaded", start);
})();
