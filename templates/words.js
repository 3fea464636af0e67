// Words of a search: their other forms, and what readers say for the same.
// biome-ignore lint/correctness/noUnusedVariables: other scripts of the page use it
const reportWords = (() => {
  let meanings = null;

  /** Terms of the glossary with the words that they stand for, both ways. */
  function terms() {
    if (meanings) return meanings;
    meanings = [...document.querySelectorAll("dt:has([id^='term-'])")]
      .map(term => {
        const name = term.nextElementSibling?.textContent.trim().split(/[.(]/)[0] || "";
        return [term.textContent.trim().toLowerCase(), name.toLowerCase().trim()];
      })
      .filter(pair => pair[1]);
    return meanings;
  }

  const stem = word => (word.length > 4 ? word.replace(/(ies|ing|ed|es|s)$/, "") : word);

  /** A word and the others that would do as well; the first is what was written. */
  function forms(word) {
    const alike = ALIKE.filter(group => group.includes(word)).flat();
    const meant = terms()
      .filter(([term]) => term === word)
      .map(pair => pair[1]);
    return [...new Set([word, stem(word), ...alike, ...meant])];
  }

  /** Each word that tells something, as the list of its forms. */
  function of(text) {
    const words = text.split(/[\s,;?!]+/).filter(Boolean);
    const told = words.filter(word => !ASK.asking.includes(word));
    return (told.length ? told : words).map(forms);
  }

  const place = (text, form) => {
    let at = text.indexOf(form);
    // Short forms begin words: "rr" is not in "error".
    while (form.length < 4 && at > 0 && /\p{L}/u.test(text[at - 1])) at = text.indexOf(form, at + 1);
    return at;
  };
  const has = (text, word) => word.some(form => place(text, form) >= 0);
  const begins = (text, word) =>
    word.some(form => {
      const at = place(text, form);
      return at === 0 || (at > 0 && /\W/.test(text[at - 1]));
    });

  const fold = text => text.toLowerCase().replaceAll("−", "-");

  // What a kind of entry counts for, and what each word in its title adds.
  const WEIGHT = {
    Term: [55, 80],
    Section: [60, 80],
    Figure: [50, 80],
    Table: [40, 40],
  };

  /** What a form of a word counts for in an entry: most in its title, nothing where it is not. */
  function held(entry, forms, title) {
    if (!has(entry.whole, forms)) return 0;
    if (!has(entry.folded, forms)) return 10;
    return begins(entry.folded, forms) ? title : title / 2;
  }

  /** What a word counts for: what else would do as well counts half. */
  const worth = (entry, word, title) =>
    Math.max(held(entry, word.slice(0, 2), title), held(entry, word, title) / 2);

  /** How many of the words an entry has, and how well it answers. */
  function answer(entry, words) {
    const [kind, title] = WEIGHT[entry.kind || "Section"];
    const worths = words.map(word => worth(entry, word, title));
    const same = entry.folded === words.map(word => word[0]).join(" ") ? 2 * title : 0;
    const sum = kind + same + worths.reduce((a, b) => a + b, 0);
    return { entry, has: worths.filter(Boolean).length, score: sum * entry.place };
  }

  // An appendix and a table of all studies have many words: they count as if they had one less.
  const rank = one => one.has - (one.entry.place < 1 ? 1 : 0);

  /** The entries that have all of the words, or most of them, and then with one less.
   * An entry has its title as ``folded``, all its text as ``whole``, a ``place`` that its
   * score is multiplied by, and a ``kind``; without one it is a section. */
  function answers(entries, words) {
    const known = entries.map(entry => answer(entry, words));
    const most = Math.max(0, ...known.map(one => one.has));
    if (most < Math.max(1, words.length / 2)) return [];
    return known
      .filter(one => one.has >= Math.max(most - 1, (words.length + 1) / 2))
      .sort((a, b) => rank(b) - rank(a) || b.score - a.score)
      .map(one => one.entry);
  }

  return { of, has, begins, fold, answers };
})();
