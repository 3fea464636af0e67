// Which row answers a question: the same ranking as analysis/ask/rank.py, over the same
// index and by the same words and weights (ask.json). A test compares the two.
// biome-ignore lint/correctness/noUnusedVariables: other scripts of the page use it
const reportAnswers = (() => {
  const WORD = /[\p{L}\p{N}]+(?:[./-][\p{L}\p{N}]+)*/gu;
  const GAP = 2;
  const [STUDY, LOAD, ROLE, METRIC, TEST, BASE, SIZES, ANSWER] = [0, 1, 2, 3, 4, 5, 6, 7];

  function fold(text) {
    const plain = text.normalize("NFKC").toLowerCase().replaceAll("−", "-").replaceAll("’", "'");
    return plain.replace(/(\d) (b|kb|mb|gb|gbe)(?![a-z])/g, "$1$2");
  }

  const wordsOf = text => text.replaceAll("'s ", " ").match(WORD) || [];
  const stem = word => (word.length > 4 ? word.replace(/(ies|ing|ed|es|s)$/, "") : word);

  function knownWords(text) {
    const whole = wordsOf(fold(text));
    return [...new Set([...whole, ...whole.flatMap(word => word.split(/[/-]/))])];
  }

  function fits(word, known) {
    const start = stem(word);
    const begins = start.length > 2 && /^\p{L}/u.test(start);
    return known.some(one => one === word || (begins && one.startsWith(start)));
  }

  /** Where the words of a name stand, in their order and close to each other. */
  function places(stems, phrase) {
    for (let start = 0; start < stems.length; start += 1) {
      if (!phrase.length || stems[start] !== phrase[0]) continue;
      const found = [start];
      for (const word of phrase.slice(1)) {
        const at = found[found.length - 1];
        const near = stems.slice(at + 1, at + 2 + GAP).indexOf(word);
        if (near < 0) break;
        found.push(at + 1 + near);
      }
      if (found.length === phrase.length) return found;
    }
    return [];
  }

  /** The words of a study: its own, or those of its sections. */
  function wordsIn({ sections }, { at, title, words }) {
    const parts = sections.filter(one => at && (one.id === at || one.path.split(" › ").includes(title)));
    return words || parts.map(one => one.words).join(" ");
  }

  const round = number => Math.round(number * 1e6) / 1e6;

  /** The ranking over indexes, the newest first: `ask` gives the rows, the best first. */
  function over(indexes) {
    const alike = [...ALIKE, ...ASK.instead];
    const here = new Set(indexes.map(index => index.edition));
    const merged = name => Object.assign({}, ...indexes.map(index => index[name]));
    const called = Object.assign({}, ...[...indexes].reverse().map(index => index.metrics));
    const metricNames = Object.keys(called).map(id => [
      id,
      Object.keys(called)
        .filter(other => `${id}_`.startsWith(`${other}_`))
        .flatMap(other => called[other][1]),
    ]);
    const roleNames = Object.entries(merged("roles"));
    const shapes = Object.entries(merged("shapes"));
    const texts = [];
    const numbers = new Map();
    function numbered(field, text) {
      if (!numbers.has(text)) {
        const parts = field === "load" ? text.match(/\d+|[a-z]+/g) || [] : [];
        numbers.set(text, texts.push([...knownWords(text), ...parts]) - 1);
      }
      return numbers.get(text);
    }
    const studies = new Set();
    const rows = indexes.flatMap((index, edition) => {
      const known = index.studies.map(study => ({ ...study, words: wordsIn(index, study) }));
      const own = new Map(known.map(study => [study.id, study]));
      return index.rows
        .filter(row => {
          const { home } = own.get(row[STUDY]);
          return home === index.edition || !here.has(home);
        })
        .map(row => ({ edition, index, row, study: own.get(row[STUDY]) }));
    });
    for (const one of rows) {
      const { row, study, index } = one;
      one.fields = [
        ["load", row[LOAD]],
        ["test", study.names[row[TEST]] ?? row[TEST]],
        ["base", study.names[row[BASE]] ?? row[BASE]],
        ["title", study.title],
        ["near", `${study.question} ${study.finding} ${index.title}`],
        ["text", study.words],
      ];
      one.place = `${one.edition} ${study.id}`;
      studies.add(one.place);
      for (const field of one.fields) field[1] = numbered(...field);
    }

    function understand(text) {
      const folded = fold(text);
      const words = wordsOf(folded);
      const stems = words.map(stem);
      const covered = new Set();
      function named(phrases) {
        const found = new Set(phrases.flatMap(phrase => places(stems, wordsOf(fold(phrase)).map(stem))));
        for (const at of found) covered.add(at);
        return found;
      }
      const metrics = {};
      const groups = ASK.metrics.map(group => [group.of, named(group.words)]);
      for (const [id, names] of metricNames) {
        const at = named(names);
        const loose = place => groups.some(group => group[1].has(place));
        if (![...at].every(loose)) metrics[id] = at.size;
      }
      for (const [group, { size }] of groups)
        for (const [n, id] of size ? group.entries() : [])
          metrics[id] = (metrics[id] || 0) + (size * (1 - n / 20)) / 2;
      const roles = roleNames.filter(pair => named(pair).size).map(pair => pair[0]);
      const sizes = Object.keys(ASK.sizes).filter(size => named(ASK.sizes[size]).size);
      const loads = [];
      for (const [shape, pattern] of shapes)
        for (const [match] of folded.matchAll(new RegExp(pattern, "g"))) {
          loads.push(shape);
          named([match]);
        }
      const most = Math.max(...Object.values(metrics), 0) || 1;
      for (const id of Object.keys(metrics)) metrics[id] /= most;
      const terms = new Map();
      words.forEach((word, n) => {
        if (ASK.asking.includes(word) || terms.has(word)) return;
        const others = new Set(alike.filter(group => group.includes(word)).flat());
        others.delete(word);
        terms.set(word, { word, others: [...others].sort(), named: covered.has(n) });
      });
      return { metrics, roles, sizes, loads, terms: [...terms.values()] };
    }

    /** The rows, the best first; `unknown` words are in no study. */
    function ask(text) {
      const asked = understand(text.slice(0, ASK.most));
      // Of each text 1 where it has the word, 2 where it has another that would do.
      const known = new Map(asked.terms.map(term => [term, []]));
      function held(term, text) {
        const found = known.get(term);
        if (found[text] === undefined) {
          const others = term.others.some(other => fits(other, texts[text]));
          found[text] = fits(term.word, texts[text]) ? 1 : others ? 2 : 0;
        }
        return found[text];
      }
      const rare = new Map();
      for (const term of asked.terms) {
        const holding = rows.filter(one => one.fields.some(field => held(term, field[1])));
        const having = new Set(holding.map(one => one.place)).size;
        rare.set(term.word, having ? Math.log(1 + studies.size / having) / Math.log(1 + studies.size) : 0);
      }
      const { weights } = ASK;
      function score({ row, fields }) {
        let fit = weights.metric * (asked.metrics[row[METRIC]] || 0);
        if (asked.roles.includes(row[ROLE])) fit += weights.role;
        if (asked.loads.includes(row[LOAD].match(/^[A-Z]*/)[0])) fit += weights.shape;
        fit += weights.size * row[SIZES].split(" ").filter(size => asked.sizes.includes(size)).length;
        for (const term of asked.terms) {
          let best = 0;
          let every = 0;
          for (const [field, text] of fields) {
            if (term.named && (field === "near" || field === "text")) continue;
            const holds = held(term, text);
            if (!holds) continue;
            const worth = holds === 1 ? weights[field] : weights.form * weights[field];
            best = Math.max(best, worth);
            every += worth;
          }
          fit += (best + weights.again * (every - best)) * rare.get(term.word);
        }
        return { fit: round(fit), score: round(fit + (row[ANSWER] ? weights.answer : 0)) };
      }
      const ranked = rows.map(one => ({ ...one, ...score(one) })).sort((a, b) => b.score - a.score);
      const free = asked.terms.filter(term => !term.named);
      const unknown = free.filter(term => !rare.get(term.word)).map(term => term.word);
      const first = ranked[0];
      const answered =
        first?.fit > 0 &&
        (!unknown.length || unknown.length < free.length - unknown.length) &&
        (!Object.keys(asked.metrics).length || first.row[METRIC] in asked.metrics);
      return { rows: ranked, unknown, answered: Boolean(answered) };
    }

    return { ask };
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

  return { over, told };
})();
