// Which row answers a question: the same ranking as analysis/ask/rank.py, over the same
// index and by the same words and weights (ask.json). A test compares the two.
// biome-ignore lint/correctness/noUnusedVariables: other scripts of the page use it
const reportAnswers = (() => {
  const WORD = /[\p{L}\p{N}]+(?:[./-][\p{L}\p{N}]+)*/gu;
  const [GAP, LONGEST, SPELT, LIKE] = [2, 4, 6, 0.75];
  const [STUDY, LOAD, ROLE, METRIC, TEST, BASE, SIZES, ANSWER] = [0, 1, 2, 3, 4, 5, 6, 7];

  function fold(text) {
    const plain = text.normalize("NFKC").toLowerCase().replaceAll("−", "-").replaceAll("’", "'");
    return plain.replace(/(\d)k(?![a-z\d])/g, "$1kb").replace(/(\d) (b|kb|mb|gb|gbe)(?![a-z])/g, "$1$2");
  }

  const wordsOf = text => text.replaceAll("'s ", " ").match(WORD) || [];
  const ENDING = /(?:([bdgmnprt])\1ing|([bdgmnprt])\2ed|ies|ing|ed|es|s)$/;
  const stem = word => (word.length > 4 ? word.replace(ENDING, (_, a, b) => a || b || "") : word);
  const round = number => Math.round(number * 1e6) / 1e6;

  function initials(text) {
    const found = [];
    for (const [run] of text.matchAll(/[A-Z][\p{L}\p{N}_-]*(?: [A-Z][\p{L}\p{N}_-]*)+/gu)) {
      const first = run.replace(/(\S)\S* ?/g, "$1").toLowerCase();
      for (let start = 0; start < first.length; start += 1)
        for (let end = start + 2; end <= Math.min(first.length, start + LONGEST); end += 1)
          found.push(first.slice(start, end));
    }
    return found;
  }

  function knownWords(text) {
    const whole = wordsOf(fold(text));
    const parts = whole.flatMap(word => [...word.split(/[/-]/), ...(word.match(/\d+(?:\.\d+)*/g) || [])]);
    return [...new Set([...whole, ...parts, ...initials(text)])];
  }

  function fits(word, known) {
    const start = stem(word);
    const begins = start.length > 2 && /^\p{L}/u.test(start);
    return known.some(one => one === word || (begins && one.startsWith(start)));
  }

  const pairsOf = word => new Set([...word].slice(1).map((_, n) => word.slice(n, n + 2)));

  /** Where the words of a name stand, in their order and close to each other. */
  function place(stems, phrase) {
    for (let start = 0; start < stems.length; start += 1) {
      if (!phrase.length || !stems[start].includes(phrase[0])) continue;
      const found = [start];
      for (const word of phrase.slice(1)) {
        const at = found[found.length - 1];
        const near = stems.slice(at + 1, at + 2 + GAP).findIndex(one => one.includes(word));
        if (near >= 0) found.push(at + 1 + near);
      }
      if (found.length === phrase.length) return found;
    }
    return [];
  }

  const where = (stems, phrases) => [
    ...new Set(phrases.flatMap(phrase => place(stems, wordsOf(fold(phrase)).map(stem)))),
  ];

  /** The texts of a row, each with the weight that its words have. */
  function fieldsOf({ row, study, index }) {
    const [test, base] = [TEST, BASE].map(n => study.names[row[n]] ?? row[n]);
    const known = wordsOf(fold(base));
    const changed = wordsOf(fold(test)).filter(word => !known.includes(word));
    return [
      ["load", row[LOAD]],
      ["test", test],
      ["new", changed.join(" ")],
      ["base", base],
      ["title", study.title],
      ["near", `${study.question} ${study.finding} ${index.title}`],
      ["text", study.words],
    ];
  }

  /** The ranking over indexes, the newest first: `ask` gives the rows, the best first. */
  function over(indexes) {
    const alike = [...ALIKE, ...ASK.instead];
    const asking = [...ASK.asking, ...ASK.changing].map(stem);
    const here = new Set(indexes.map(index => index.edition));
    const merged = name => Object.assign({}, ...indexes.map(index => index[name]));
    const called = Object.assign({}, ...[...indexes].reverse().map(index => index.metrics));
    const ids = Object.keys(called);
    const kinds = id => ids.filter(other => `${id}_`.startsWith(`${other}_`));
    const metricNames = ids.map(id => [id, kinds(id).flatMap(other => called[other][1])]);
    const roleNames = Object.entries(merged("roles")).map(([role, name]) => [role, [role, name]]);
    const shapes = Object.entries(merged("shapes"));
    const texts = new Map();
    const rows = indexes.flatMap((index, edition) => {
      const own = new Map(index.studies.map(study => [study.id, study]));
      return index.rows
        .map(row => ({ edition, index, row, study: own.get(row[STUDY]) }))
        .filter(({ study }) => study.home === index.edition || !here.has(study.home));
    });
    for (const one of rows) {
      one.place = `${one.edition} ${one.study.id}`;
      one.fields = fieldsOf(one);
      for (const [, text] of one.fields) if (!texts.has(text)) texts.set(text, knownWords(text));
    }
    const studies = new Set(rows.map(one => one.place)).size;
    let vocabulary = null;

    /** All words that something has, each with its pairs of letters. */
    function readVocabulary() {
      const named = [
        ...metricNames.map(pair => pair[1]),
        ...ASK.metrics.map(group => group.words),
        Object.values(merged("roles")),
        ...Object.values(ASK.sizes),
        ...alike,
        [...ASK.asking, ...ASK.changing],
      ];
      const known = [...texts.values(), ...named.flat().map(knownWords)].flat();
      return new Map([...new Set(known)].map(word => [word, pairsOf(word)]));
    }

    /** A word, or where nothing has it the most similar one of those that are known. */
    function spelt(word) {
      vocabulary ||= readVocabulary();
      if (word.length < SPELT || fits(word, [...vocabulary.keys()])) return word;
      const pairs = pairsOf(word);
      let best = [word, 0];
      for (const [one, known] of vocabulary) {
        const like = (2 * [...pairs].filter(pair => known.has(pair)).length) / (pairs.size + known.size);
        if (like > best[1]) best = [one, like];
      }
      return best[1] >= LIKE ? best[0] : word;
    }

    function metricsIn(words, others, name) {
      const exact = words.map(word => [stem(word)]);
      const near = words.map((word, n) => [word, ...others[n]].map(stem));
      const groups = ASK.metrics.map(group => [group.of, where(exact, group.words)]);
      const loose = new Set(groups.flatMap(group => group[1]));
      const metrics = {};
      for (const [id, phrases] of metricNames) {
        let at = where(exact, phrases);
        let share = at.some(n => !loose.has(n)) ? at.length : 0;
        if (!at.length) {
          at = where(near, phrases);
          share = at.length / 2;
        }
        if (share) metrics[id] = share;
        name(at, id);
      }
      for (const [group, at] of groups) {
        for (const id of group) name(at, id);
        for (const [n, id] of at.length ? group.entries() : [])
          metrics[id] = (metrics[id] || 0) + (at.length * (1 - n / 20)) / 2;
      }
      const most = Math.max(...Object.values(metrics), 0) || 1;
      return Object.fromEntries(Object.entries(metrics).map(([id, share]) => [id, share / most]));
    }

    function understand(text) {
      const given = wordsOf(fold(text));
      const words = given.map(spelt);
      const others = words.map(word => {
        const groups = alike.filter(group => group.map(stem).includes(stem(word))).flat();
        return [...new Set(groups)].filter(one => one !== word);
      });
      const named = words.map(() => new Set());
      const name = (at, id) => {
        for (const n of at) named[n].add(id);
        return at.length;
      };
      const metrics = metricsIn(words, others, name);
      const whole = words.join(" ");
      const matched = shapes.map(([shape, pattern]) => [shape, whole.match(new RegExp(pattern, "g")) || []]);
      const exact = words.map(word => [stem(word)]);
      const parts = [...roleNames, ...Object.entries(ASK.sizes), ...matched]
        .filter(([id, phrases]) => name(where(exact, phrases), id))
        .map(pair => pair[0]);
      const terms = [];
      words.forEach((word, n) => {
        const same = terms.some(term => term.word === word || term.others.includes(word));
        if (!asking.includes(stem(word)) && !same)
          terms.push({ word, others: others[n], names: [...named[n]] });
      });
      const read = words.filter((word, n) => word !== given[n]);
      return { metrics, parts, terms, read };
    }

    /** The rows, the best first; `unknown` words are in no study, `lacking` ones not in the first row. */
    function ask(text) {
      const asked = understand(text.slice(0, ASK.most));
      const { weights } = ASK;
      const held = new Map(asked.terms.map(term => [term, new Map()]));
      const has = (phrase, text) => phrase.split(" ").every(word => fits(word, texts.get(text)));
      /** 1 where a text has a word, less where it has one that would do. */
      function holds(term, text) {
        const known = held.get(term);
        if (!known.has(text)) {
          const form = () => (term.others.some(other => has(other, text)) ? weights.form : 0);
          known.set(text, has(term.word, text) ? 1 : form());
        }
        return known.get(text);
      }
      const rare = new Map();
      for (const term of asked.terms) {
        const holding = rows.filter(one => one.fields.some(field => holds(term, field[1])));
        const having = new Set(holding.map(one => one.place)).size;
        rare.set(term, having ? Math.log(1 + studies / having) / Math.log(1 + studies) : 0);
      }
      function score({ row, fields }) {
        let fit = weights.metric * (asked.metrics[row[METRIC]] || 0);
        if (asked.parts.includes(row[ROLE])) fit += weights.role;
        if (asked.parts.includes(row[LOAD].match(/^[A-Z]*/)[0])) fit += weights.shape;
        fit += weights.size * row[SIZES].split(" ").filter(size => asked.parts.includes(size)).length;
        const [lacking, mentions] = [[], []];
        let less = 0;
        for (const term of asked.terms) {
          let [best, every, mentioned] = [0, 0, 0];
          for (const [field, text] of fields) {
            if (term.names.length && (field === "near" || field === "text")) continue;
            const worth = weights[field] * holds(term, text);
            best = Math.max(best, worth);
            every += worth;
            if (field === "text") mentioned = worth;
          }
          fit += (best + weights.again * (every - best)) * rare.get(term);
          const named = term.names.some(id => id === row[METRIC] || !ids.includes(id));
          if (named || every > mentioned) continue;
          lacking.push(term.word);
          if (every) mentions.push(term.word);
          if (!term.names.length && rare.get(term)) less += weights.lack;
        }
        const scored = fit + (row[ANSWER] ? weights.answer : 0) - less;
        return { fit: round(fit), score: round(scored), lacking, mentions };
      }
      const ranked = rows.map(one => ({ ...one, ...score(one) })).sort((a, b) => b.score - a.score);
      const free = asked.terms.filter(term => !term.names.length);
      const first = ranked[0];
      const without = free.filter(term => !first || first.lacking.includes(term.word));
      const unknown = without.filter(term => !rare.get(term)).map(term => term.word);
      const mentioned = first?.mentions || [];
      const lacking = (first?.lacking || []).filter(word => ![...unknown, ...mentioned].includes(word));
      const sum = (terms, least) => terms.reduce((all, term) => all + (rare.get(term) || least), 0);
      const ofRows = asked.terms.filter(term => !term.names.some(id => ids.includes(id)));
      const having = sum(
        ofRows.filter(term => !first?.lacking.includes(term.word)),
        0,
      );
      const answered =
        first?.fit > 0 &&
        (!without.length || sum(without, 1) < having) &&
        (!Object.keys(asked.metrics).length || first.row[METRIC] in asked.metrics);
      return { rows: ranked, unknown, lacking, mentioned, read: asked.read, answered: Boolean(answered) };
    }

    return { ask };
  }

  /** What is to be said before values, as analysis/ask/answers.py says it. */
  function remarks({ answered, unknown, lacking, mentioned, read, rows }) {
    const listed = (before, words) =>
      words.length ? `${before} ${words.map(word => `‘${word}’`).join(", ")}.` : "";
    return [
      answered ? "" : "No report answers this.",
      listed("No study mentions", unknown),
      listed("What comes first says nothing about", lacking),
      listed("What comes first only mentions", mentioned),
      listed("Read as", read),
      !answered && rows[0]?.fit > 0 ? "The nearest:" : "",
    ].filter(Boolean);
  }

  /** A row in words: what it is of, its change or value, and the values of its sides. */
  function told({ index, row, study }) {
    const of = Object.fromEntries(index.columns.map((name, n) => [name, row[n]]));
    const side = (id, printed) => (printed ? `${study.names[id] ?? id} ${printed}` : "");
    const what = [index.metrics[of.metric][0], index.roles[of.role] ?? of.role, of.workload];
    const sides = [side(of.test, of.value), side(of.baseline, of.base)].filter(Boolean).join("; ");
    const about = [of.change ? of.change_interval : of.value_interval, of.verdict, of.origin];
    const title = `${what.filter(Boolean).join(", ")}: ${of.change || of.value}`;
    return { title, text: `${sides} (${about.filter(Boolean).join(", ")})` };
  }

  return { over, remarks, told };
})();
