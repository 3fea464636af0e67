// One drawing a width, and a figure as large as the window: by click or by its button.
(() => {
  let dialog = null;
  let shown = null;

  const narrow = matchMedia("(max-width: 640px)");
  const all = () => [...document.querySelectorAll("main figure:has(svg, img)")];
  const cardOf = figure => figure.closest(".figure-card") || figure;
  const buttonOf = figure => cardOf(figure).querySelector("button.enlarge");
  const drawingOf = figure => figure.querySelector("svg, img");

  /** The layout for this width stands in the page, the other one in a template. */
  function fit() {
    for (const template of document.querySelectorAll("figure > template.layout")) {
      const other = template.content.firstElementChild;
      if (!other || other.classList.contains("narrow") !== narrow.matches) continue;
      const drawing = template.parentElement.querySelector(".drawing");
      template.before(other);
      template.content.replaceChildren(drawing);
    }
  }

  function renamed(name, value) {
    if (name === "id" || (name.endsWith("href") && value.startsWith("#"))) return `${value}-large`;
    return value.replace(/\(#([^)]+)\)/g, "(#$1-large)");
  }

  /** A copy whose ids differ from those of the figure that stays in the text. */
  function enlarged(drawing) {
    const copy = drawing.cloneNode(true);
    for (const element of [copy, ...copy.querySelectorAll("*")])
      for (const attribute of element.attributes) attribute.value = renamed(attribute.name, attribute.value);
    return copy;
  }

  function nameOf(figure) {
    const caption = figure.querySelector("figcaption")?.cloneNode(true);
    caption?.querySelector(".anchor")?.remove();
    return caption?.textContent.trim() || "Figure";
  }

  const linkOf = (figure, type) => cardOf(figure).querySelector(`.figure-links a[download$=".${type}"]`);

  /** The typeface of the page, which a picture of its own does not find. */
  function fontRules() {
    const rules = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules]);
    return rules
      .filter(rule => rule instanceof CSSFontFaceRule)
      .map(rule => rule.cssText)
      .join("\n");
  }

  /** The drawing as a PNG with two dots a pixel, in the colours of paper. */
  async function savePng(figure) {
    const copy = drawingOf(figure).cloneNode(true);
    const { width, height } = copy.viewBox.baseVal;
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
    style.textContent = fontRules();
    copy.prepend(style);
    const image = new Image();
    image.src = "data:image/svg+xml," + encodeURIComponent(new XMLSerializer().serializeToString(copy));
    await image.decode();
    const scale = (2 * 96) / 72;
    const canvas = Object.assign(document.createElement("canvas"), {
      width: Math.round(width * scale),
      height: Math.round(height * scale),
    });
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const link = document.createElement("a");
    link.href = canvas.toDataURL("image/png");
    link.download = `${figure.id.replace(/^fig-/, "") || "figure"}.png`;
    link.click();
  }

  async function copyCitation(figure, button) {
    await navigator.clipboard?.writeText(reportCite.text(nameOf(figure), `index.html#${figure.id}`));
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy citation";
    }, 1500);
  }

  function step(by) {
    const figures = all();
    const next = figures[figures.indexOf(shown) + by];
    if (next) show(next);
  }

  const actions = {
    previous: () => step(-1),
    next: () => step(1),
    png: () => savePng(shown),
    cite: button => copyCitation(shown, button),
    close: () => dialog.close(),
  };

  function makeDialog() {
    dialog = document.createElement("dialog");
    dialog.className = "enlarged";
    dialog.innerHTML =
      '<header><p id="enlarged-name"></p><div class="enlarged-tools">' +
      '<button type="button" data-does="previous">Previous</button>' +
      '<button type="button" data-does="next">Next</button>' +
      '<a data-type="svg">SVG</a><button type="button" data-does="png">PNG</button>' +
      '<a data-type="csv">CSV</a><button type="button" data-does="cite">Copy citation</button>' +
      '<button type="button" data-does="close">Close</button></div></header>' +
      '<div class="enlarged-scroll" tabindex="0" role="group" aria-labelledby="enlarged-name"></div>';
    dialog.setAttribute("aria-labelledby", "enlarged-name");
    dialog.addEventListener("click", event => {
      if (event.target === dialog) dialog.close();
      const button = event.target.closest("button[data-does]");
      if (button) actions[button.dataset.does](button);
    });
    dialog.addEventListener("keydown", event => {
      if (event.target.closest(".enlarged-scroll")) return;
      if (event.key === "ArrowLeft") step(-1);
      if (event.key === "ArrowRight") step(1);
    });
    dialog.addEventListener("close", () => {
      dialog.lastElementChild.replaceChildren();
      buttonOf(shown)?.focus({ preventScroll: true });
    });
    document.body.append(dialog);
  }

  function show(figure) {
    shown = figure;
    const figures = all();
    dialog.querySelector("p").textContent = nameOf(figure);
    dialog.querySelector('[data-does="previous"]').disabled = figure === figures[0];
    dialog.querySelector('[data-does="next"]').disabled = figure === figures.at(-1);
    dialog.querySelector('[data-does="png"]').hidden = !figure.querySelector("svg");
    for (const link of dialog.querySelectorAll("a[data-type]")) {
      const own = linkOf(figure, link.dataset.type);
      link.hidden = !own;
      if (own) Object.assign(link, { href: own.href, download: own.download });
    }
    const scroll = dialog.lastElementChild;
    scroll.replaceChildren(enlarged(drawingOf(figure)));
    scroll.scrollTo(0, 0);
  }

  function open(figure) {
    if (!dialog) makeDialog();
    show(figure);
    dialog.showModal();
  }

  function addButton(figure) {
    if (buttonOf(figure)) return;
    const button = reportParts.button("Enlarge");
    button.className = "enlarge";
    button.setAttribute("aria-haspopup", "dialog");
    const links = cardOf(figure).querySelector(".figure-links p");
    links ? links.prepend(button, " · ") : figure.append(button);
  }

  function prepare() {
    fit();
    all().forEach(addButton);
  }

  document.addEventListener("click", event => {
    const button = event.target.closest("button.enlarge");
    if (event.target.closest("rect[data-keys]")) return;
    const drawing = event.target.closest("main :is(figure svg, figure img)");
    if (!button && (!drawing || String(getSelection()))) return;
    const card = (button || drawing).closest(".figure-card, figure");
    open(card.matches("figure") ? card : card.querySelector("figure"));
  });
  narrow.addEventListener("change", fit);
  document.addEventListener("DOMContentLoaded", prepare);
  document.addEventListener("changed", prepare);
})();
