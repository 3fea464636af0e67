// Words of a search: their other forms, and what readers say for the same.
// biome-ignore lint/correctness/noUnusedVariables: other scripts of the page use it
const reportWords = (() => {
  // What asks, and tells nothing of what is asked for.
  const SMALL = new Set(
    (
      "a an and are as at by does do for from how if in is it its much of on or " +
      "than that the to what which with"
    ).split(" "),
  );
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
    const told = words.filter(word => !SMALL.has(word));
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

  return { of, has, begins, fold };
})();
