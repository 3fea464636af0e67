// The field for the words of a part: with chips that cannot be broken, or plain.
import { make } from "./ask.js";
import { alsoGone, chipsOf, lineAfter } from "./chips.js";

const PLAIN = "desk-plain"; // whose choice is the plain text
export const plainly = () => localStorage.getItem(PLAIN) === "yes";
export const choosePlain = plain => localStorage.setItem(PLAIN, plain ? "yes" : "");

/** The area itself, written so that the browser's own undo takes it back. */
export function plainField(area) {
  return {
    dom: area,
    input: area,
    get words() {
      return area.value;
    },
    get at() {
      return [area.selectionStart, area.selectionEnd];
    },
    select: (from, to = from) => area.setSelectionRange(from, to),
    focus: options => area.focus(options),
    write(from, to, words) {
      area.focus({ preventScroll: true });
      area.setSelectionRange(from, to);
      if (words ? document.execCommand("insertText", false, words) : document.execCommand("delete")) return;
      area.setRangeText(words, from, to, "end");
    },
    freeze(still) {
      area.readOnly = still;
    },
    redraw() {},
    end() {},
  };
}

let editor = null;
/** The editor's script; null where it cannot be had, and words stay plain. */
export const loadEditor = () => {
  editor ??= import("./codemirror.js").catch(() => null);
  return editor;
};

/**
 * A field with chips over an area, which has its words at any time.
 * `about` names a chip, `showing` has what a reference shows; a chip that one clicks or
 * stands at is handed to `chosen`, null where there is none.
 */
export function chipField(cm, area, { name, tokens, about, showing, chosen }) {
  const { Decoration, EditorView, StateField } = cm;
  class Chip extends cm.WidgetType {
    constructor(chip, title) {
      super();
      Object.assign(this, { chip, title });
    }
    eq(other) {
      return other.title === this.title && ["kind", "shows"].every(one => other.chip[one] === this.chip[one]);
    }
    toDOM() {
      const { kind, shows } = this.chip;
      const dom = make("span", { className: `desk-chip desk-${kind}`, textContent: shows });
      if (this.title) Object.assign(dom, { role: "img", ariaLabel: this.title, title: this.title });
      return dom;
    }
    ignoreEvent() {
      return false;
    }
  }
  const redraw = cm.StateEffect.define();
  const draw = state => {
    const { chips, marks } = chipsOf(state.doc.toString(), tokens, showing);
    const replaced = chips.map(chip =>
      Decoration.replace(chip.shows ? { widget: new Chip(chip, about(chip)) } : {}).range(chip.from, chip.to),
    );
    const looks = marks.map(({ from, to, look }) => {
      const names = look.split(" ").map(one => `desk-${one}`);
      return Decoration.mark({ class: names.join(" ") }).range(from, to);
    });
    const atoms = Decoration.set(replaced);
    return { chips, atoms, all: atoms.update({ add: looks, sort: true }) };
  };
  const drawn = StateField.define({
    create: draw,
    update: (old, change) =>
      change.docChanged || change.effects.some(one => one.is(redraw)) ? draw(change.state) : old,
    provide: field => [
      EditorView.decorations.from(field, one => one.all),
      EditorView.atomicRanges.of(view => view.state.field(field).atoms),
    ],
  });
  const chipsIn = state => state.field(drawn).chips;

  // What keys or a paste take away takes its other end with it.
  const whole = cm.EditorState.transactionFilter.of(change => {
    if (!change.docChanged || !["delete", "input", "move"].some(one => change.isUserEvent(one)))
      return change;
    const gone = [];
    change.changes.iterChanges((from, to) => to > from && gone.push([from, to]));
    const more = alsoGone(chipsIn(change.startState), gone).flatMap(([from, to]) => left(from, to, gone));
    if (!more.length) return change;
    return [
      change,
      {
        changes: more.map(([from, to]) => ({
          from: change.changes.mapPos(from, 1),
          to: change.changes.mapPos(to, -1),
        })),
        sequential: true,
      },
    ];
  });

  // Enter begins a paragraph or an item; one that is empty ends its list.
  const enter = view => {
    const { from, to } = view.state.selection.main;
    const words = view.state.doc.toString();
    const bullet = chipsIn(view.state).find(one => one.kind === "bullet" && one.to === from);
    const empty = bullet && from === to && bullet.from > 0 && /^(\n|$)/.test(words.slice(to));
    const change = empty
      ? { from: bullet.from, to, insert: "\n" }
      : { from, to, insert: lineAfter(words, from) };
    view.dispatch({
      changes: change,
      selection: { anchor: change.from + change.insert.length },
      userEvent: "input.type",
      scrollIntoView: true,
    });
    return true;
  };

  const beside = state => {
    const { from, to, head } = state.selection.main;
    const of = chipsIn(state).filter(one => ["value", "claim", "reference"].includes(one.kind));
    if (from === to) return of.find(one => one.from === head || one.to === head) ?? null;
    return of.find(one => one.from >= from && one.to <= to && one.to - one.from === to - from) ?? null;
  };
  const click = (event, view) => {
    const dom = event.target.closest(".desk-chip");
    if (!dom) return false;
    const place = view.posAtDOM(dom);
    const chip = chipsIn(view.state).find(one => one.from === place);
    if (!chip) return false;
    view.dispatch({ selection: { anchor: chip.to } });
    chosen(beside(view.state), true);
    return true;
  };

  const view = new EditorView({
    doc: area.value,
    extensions: [
      cm.history(),
      cm.Prec.high(
        cm.keymap.of([
          { key: "Enter", run: enter, shift: enter },
          { key: "Mod-Enter", run: () => true },
        ]),
      ),
      cm.keymap.of([...cm.historyKeymap, ...cm.standardKeymap]),
      EditorView.lineWrapping,
      drawn,
      whole,
      EditorView.editorAttributes.of({ class: "desk-field" }),
      EditorView.contentAttributes.of({
        "aria-label": name,
        spellcheck: "true",
        autocorrect: "on",
        autocapitalize: "sentences",
        dir: "auto",
      }),
      EditorView.domEventHandlers({ click }),
      EditorView.updateListener.of(update => {
        if (update.docChanged) {
          area.value = update.state.doc.toString();
          area.dispatchEvent(new Event("input"));
        }
        if (update.selectionSet || update.docChanged) chosen(beside(update.state), false);
      }),
    ],
  });
  area.hidden = true;
  area.closest("label").after(view.dom);
  return {
    dom: view.dom,
    input: view.contentDOM,
    get words() {
      return area.value;
    },
    get at() {
      const { from, to } = view.state.selection.main;
      return [from, to];
    },
    select(from, to = from) {
      const most = view.state.doc.length;
      view.dispatch({ selection: { anchor: Math.min(from, most), head: Math.min(to, most) } });
    },
    focus: () => view.focus(),
    write(from, to, words) {
      view.focus();
      view.dispatch({
        changes: { from, to, insert: words },
        selection: { anchor: from + words.length },
        scrollIntoView: true,
      });
    },
    freeze(still) {
      view.contentDOM.contentEditable = String(!still);
    },
    redraw: () => view.dispatch({ effects: redraw.of(null) }),
    end() {
      view.destroy();
      area.hidden = false;
    },
  };
}

// What of a range is not gone by itself.
function left(from, to, gone) {
  let rest = [[from, to]];
  for (const [begin, end] of gone)
    rest = rest.flatMap(([a, b]) =>
      [
        [a, Math.min(b, begin)],
        [Math.max(a, end), b],
      ].filter(([c, d]) => c < d),
    );
  return rest;
}
