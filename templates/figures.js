// A figure as large as the window, by click or by its button; Escape closes it.
(() => {
  let dialog = null;
  let opener = null;

  function renamed(name, value) {
    if (name === "id" || (name.endsWith("href") && value.startsWith("#"))) return `${value}-large`;
    return value.replace(/\(#([^)]+)\)/g, "(#$1-large)");
  }

  /** A copy whose ids differ from those of the figure that stays in the text. */
  function enlarged(drawing) {
    const copy = drawing.cloneNode(true);
    for (const element of [copy, ...copy.querySelectorAll("*")])
      for (const attribute of element.attributes)
        attribute.value = renamed(attribute.name, attribute.value);
    return copy;
  }

  function makeDialog() {
    dialog = document.createElement("dialog");
    dialog.className = "enlarged";
    dialog.innerHTML =
      '<header><p id="enlarged-name"></p><button type="button">Close</button></header>' +
      '<div class="enlarged-scroll" tabindex="0" role="group" aria-labelledby="enlarged-name"></div>';
    dialog.setAttribute("aria-labelledby", "enlarged-name");
    dialog.addEventListener("click", event => {
      if (event.target === dialog || event.target.closest("button")) dialog.close();
    });
    dialog.addEventListener("close", () => {
      dialog.lastElementChild.replaceChildren();
      opener.focus({ preventScroll: true });
    });
    document.body.append(dialog);
  }

  function open(figure) {
    if (!dialog) makeDialog();
    const caption = figure.querySelector("figcaption")?.cloneNode(true);
    caption?.querySelector(".anchor")?.remove();
    opener = buttonOf(figure);
    dialog.querySelector("p").textContent = caption?.textContent || "Figure";
    dialog.lastElementChild.replaceChildren(enlarged(figure.querySelector("svg, img")));
    dialog.showModal();
  }

  const cardOf = figure => figure.closest(".figure-card") || figure;
  const buttonOf = figure => cardOf(figure).querySelector("button.enlarge");

  function addButton(figure) {
    if (buttonOf(figure)) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "enlarge";
    button.textContent = "Enlarge";
    button.setAttribute("aria-haspopup", "dialog");
    const links = cardOf(figure).querySelector(".figure-links p");
    links ? links.prepend(button, " · ") : figure.append(button);
  }

  function prepare() {
    for (const figure of document.querySelectorAll("main figure:has(svg, img)")) addButton(figure);
  }

  document.addEventListener("click", event => {
    const button = event.target.closest("button.enlarge");
    const drawing = event.target.closest("main :is(figure svg, figure img)");
    if (!button && (!drawing || String(getSelection()))) return;
    const card = (button || drawing).closest(".figure-card, figure");
    open(card.matches("figure") ? card : card.querySelector("figure"));
  });
  document.addEventListener("DOMContentLoaded", prepare);
  document.addEventListener("changed", prepare);
})();
