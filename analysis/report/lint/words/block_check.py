"""The check of the sentences of one passage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from analysis.facts.fact import Fact
from analysis.report.lint.exceptions import allowed_spans, without_allowed
from analysis.report.lint.words.account import against_known
from analysis.report.lint.words.binding import Stretch, mismatches, of_one_study
from analysis.report.lint.words.edition_wording import EditionWording
from analysis.report.lint.words.judge import Case, judge
from analysis.report.lint.words.made import undeclared
from analysis.report.lint.words.mention import Mention
from analysis.report.lint.words.predictions import says_predicted, unsaid
from analysis.report.lint.words.prints import Print
from analysis.report.lint.words.relevance import (
    leaves_open,
    reaches_beyond,
    speaks,
    tells_result,
)
from analysis.report.lint.words.remarks import Remarks, Whence, WordingIssue
from analysis.report.lint.words.result_clause import ResultClause
from analysis.report.lint.words.said import negated, turned
from analysis.report.lint.words.senses import Word, words_that_assert
from analysis.report.lint.words.stand import Stand, joined, with_prints
from analysis.report.lint.words.terms_apart import blank_terms
from analysis.report.lint.words.text_blocks import Span, TextBlock, marks
from analysis.report.lint.words.topic import Topics
from analysis.report.lint.words.unchecked import apart, unchecked, unchecked_question
from analysis.report.lint.words.verbs import clashes, is_counted
from analysis.report.lint.words.weigh import Said


class BlockCheck:
    """The check of one passage; ``near`` are the values printed in and around it."""

    def __init__(
        self,
        knowledge: EditionWording,
        whence: Whence,
        passage: TextBlock,
        printed: Sequence[Print],
        near: Sequence[Print],
    ) -> None:
        self.knowledge, self.whence, self.passage = knowledge, whence, passage
        self.printed, self.near = printed, near
        self.study = whence.study
        self.before: Word | None = None
        self.prints = any(p.facts or p.way == "count" for p in near)
        self.plain = blank_terms(without_allowed(passage.words, whence.allow))
        self.place = whence.place
        self.remark = Remarks(whence.path, passage, knowledge.material)

    @cached_property
    def mentions(self) -> list[Mention]:
        """What its words name."""
        return self.knowledge.vocabulary_of(self.study).mentions(self.passage.words)

    @cached_property
    def around(self) -> list[Mention]:
        """What the words name that it hangs on."""
        terms = self.knowledge.vocabulary_of(self.study)
        return [m for words in self.passage.around for m in terms.mentions(words)]

    @cached_property
    def marked(self) -> list[Span]:
        """What its author says without data, and the exceptions of the text."""
        own = allowed_spans(self.passage.words, self.whence.allow)
        return [*self.passage.unchecked, *(Span(*ends) for ends in own)]

    @cached_property
    def subjects(self) -> Topics:
        """Finds what its words are said of."""
        metrics = self.knowledge.material.metrics
        return Topics(self.passage, self.mentions, self.around, metrics)

    @cached_property
    def words(self) -> list[Word]:
        """Its words that assert something."""
        return list(words_that_assert(self.plain))

    def remarks(self) -> list[WordingIssue]:
        """What there is to say of it, in the order of its sentences."""
        words, found = self.words, list[WordingIssue]()
        bare = not (words or self.near or self.study or self.whence.results)
        for sentence in self.passage.sentences:
            own = [w for w in words if sentence.holds(w.start)]
            if not bare:
                found += self._values(sentence, own)
                found += self._words(sentence, own)
            found += self._made(sentence)
        return found

    def _values(self, sentence: Span, words: Sequence[Word]) -> Iterator[WordingIssue]:
        printed = [
            (at, self.printed[n]) for at, n in marks(self.passage.words, sentence)
        ]
        if not printed:
            return
        own = [m for m in self.mentions if sentence.holds(m.start)]
        stretch = Stretch(self.passage.words, sentence, own, printed, self.around)
        studies = self.knowledge.material.studies
        told: set[int] = set()
        for found in mismatches(stretch, studies, self.study):
            if found.at not in told:
                told.add(found.at)
                yield self.remark.mismatch(found)
        for at in unsaid(self.passage, sentence, printed):
            what = "a predicted value in a sentence that does not say so"
            mend = "write 'is predicted to', or call the value modelled"
            yield self.remark.of(True, what, at, mend)
        for clash in clashes(self.passage, stretch, words):
            if clash.at not in told:
                yield self.remark.of(True, clash.what, clash.at, clash.mend)

    def _words(self, sentence: Span, words: Sequence[Word]) -> Iterator[WordingIssue]:
        own = [m for m in self.mentions if sentence.holds(m.start)]
        near = own or (self.around if self.place == "declaration" else own)
        judged: list[Word] = []
        for clause in self.passage.clauses(sentence):
            inside = [w for w in words if clause.holds(w.start)]
            whence = (self.place, self.prints)
            result = tells_result(self.passage, sentence, clause, near, *whence)
            for word in inside:
                if self._tells(word, sentence, clause, result):
                    yield from self._word(word, sentence, clause)
                    judged.append(word)
                self.before = word
            if self.whence.results or self.place == "declaration":
                yield from self._unchecked(sentence, clause, judged)
            elif self.study and apart(self.passage, clause, self.mentions):
                said = self.passage.words[clause.start : clause.end].strip(" ,.;:")
                yield self.remark.nothing_behind(said, clause.start)

    def _made(self, sentence: Span) -> Iterator[WordingIssue]:
        """What nothing declares of how runs were made."""
        if self.place == "declaration":
            return
        passage, knowledge = self.passage, self.knowledge
        declared, known = knowledge.campaigns, knowledge.known(self.study)
        found = [*undeclared(passage, sentence, self.mentions, declared)]
        found += against_known(passage, sentence, self.mentions, known)
        for at, said in found:
            yield self.remark.undeclared(said, at)

    def _tells(self, word: Word, sentence: Span, clause: Span, result: bool) -> bool:
        """Whether a word tells a result: in texts of results, unless it is marked."""
        named = any(m.start <= word.start < m.end for m in self.mentions)
        if named and word.sense.kind == "same":  # identical configurations
            return False
        marked = any(span.holds(word.start) for span in self.marked)
        if self.whence.results and not marked:
            return not leaves_open(self.passage, sentence, clause)
        return result and speaks(word, clause, self.mentions, self.passage)

    def _unchecked(
        self, sentence: Span, clause: Span, judged: Sequence[Word]
    ) -> Iterator[WordingIssue]:
        results, known = self.whence.results, self.knowledge.declared_words(self.study)
        own = ResultClause(
            passage=self.passage,
            sentence=sentence,
            span=clause,
            mentions=self.mentions,
            judged=judged if results else self.words,
            printed=self.printed,
            known=known,
            marked=self.marked,
            foreign=self.knowledge.foreign(self.study),
            strangers=self._strangers(sentence),
            asserts=any(clause.holds(w.start) for w in self.words),
        )
        if said := unchecked(own) if results else unchecked_question(own):
            yield self.remark.nothing_behind(said, clause.start)

    def _strangers(self, sentence: Span) -> list[Mention]:
        """Names of configurations that no value of a sentence is about."""
        words = self.passage.words
        printed = [self.printed[n] for _, n in marks(words, sentence)]
        return self.knowledge.strangers(words, sentence, printed, self.study)

    def _word(self, word: Word, sentence: Span, clause: Span) -> Iterator[WordingIssue]:
        if is_counted(self.passage, self.printed, sentence, word):
            return
        apart = not any(marks(self.passage.words, sentence)) and self._apart(clause)
        if apart or reaches_beyond(self.passage, sentence, self.mentions):
            yield self.remark.unbacked(word)
            return
        studies = [self.study] if self.study else self._studies(sentence)
        known = [f for id in studies for f in self.knowledge.changes.get(id, ())]
        words = self.passage.words
        found = judge(
            Case(
                said=self._said(word, clause),
                clause=clause,
                words=words,
                sentence=words[sentence.start : sentence.end],
                mentions=self.mentions,
                subject=self.subjects.of(word, sentence, clause),
                stand=self._stand(studies, known),
                known=known,
                before=self.before,
            )
        )
        firm = speaks(word, clause, self.mentions, self.passage)
        if found.verdict == "against" and firm:
            yield self.remark.against(word, found.facts, self.study)
        elif found.verdict != "backed":
            yield self.remark.unbacked(word, found.facts)

    def _apart(self, clause: Span) -> bool:
        """Whether a clause sets configurations side by side that no study compares."""
        own = [m for m in self.mentions if clause.holds(m.start) and not m.loose]
        named = [m for m in own if m.dimension == "configuration"]
        studies = self.knowledge.material.studies
        return self.study is None and not of_one_study(named, studies)

    def _stand(self, studies: Sequence[str], known: Sequence[Fact]) -> Stand:
        """What stands behind words of a text; other texts than a study's name one.

        An entry that was declared has no claims of its own: there, the data suffice.
        """
        if self.study is None and len(studies) == len(self.knowledge.material.studies):
            own = Stand()
        elif self.study is None:
            own = joined(self.knowledge.stands[id] for id in studies)
        else:
            own = self.knowledge.stands[self.study]
        if self.place == "declaration" and self.study:
            return Stand({f.key: f for f in known}, own.ratios, own.others)
        return with_prints(own, self.near, known)

    def _said(self, word: Word, clause: Span) -> Said:
        def is_turned(fact: Fact) -> bool:
            words, mentions = self.passage.words, self.mentions
            test, baseline = fact.configuration, fact.baseline
            return turned(words, clause, word, mentions, test, baseline)

        if self.passage.kind == "title":  # its subject stands before a colon
            clause = Span(0, len(self.passage.words))
        around = (*self.passage.around, self.passage.words)
        denied = negated(self.passage.words, clause, word, self.mentions)
        return Said(word, denied, is_turned, any(map(says_predicted, around)))

    def _studies(self, sentence: Span) -> list[str]:
        named = [m for m in self.mentions if sentence.holds(m.start)]
        return self.knowledge.meant(named, self.near)
