"""Words for ratios, shares, ranks, growth, scatter, sameness, certainty and size."""

from __future__ import annotations

from analysis.report.lint.words.sense import Sense

_NUMBER = (
    r"two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|hundred"
    r"|thousand|"
    r"several|many|multi|\w+ty|\d+"
)
KINDS: dict[str, Sense] = {
    "again": Sense(
        "again", r"the same (?:is true|holds|goes|applies|story|pattern|picture"
        r"|can be said)"
        r"|so (?:do|does|did|is|are|has|have)(?= (?:the|that|those|it|its|all|every"
        r"|streams)\b)"
        r"|as (?:do|does|did)(?= (?:the|that|those|its|all|every)\b)"
        r"|likewise|similarly|(?:is|are|does|do) no (?:exception|different)"
        r"|(?:does|do|doing) (?:so|the (?:same|opposite|reverse|contrary))"
        r"|(?:in for|gets?|got|sees?|saw|shares?|shared) the same(?=[.,;]|$)"
        r"|vice versa|opposite"
        r"|the other way (?:a)?round|follows? suit|mirrors?|(?:It|They|That) (?:does"
        r"|do|is|are"
        r"|did)(?=\.)|with (?:it|them)(?=[.;])", 0,
    ),
    "growth": Sense(
        "growth", r"(?:saving|gain|reduction|increase|advantage"
        r"|lead)s? (?:\w+ )?(?:grow|shrink|ris|fall"
        r"|increas|widen)\w*|(?:grow|ris|shrink|increas|fall|scal|drop"
        r"|climb)\w* (?:\w+ ){0,2}?(?:with|in step with|"
        r"along with|as) (?:\w+ ){0,3}?(?:payload|size|clients?|connections?"
        r"|messages?|number|"
        r"step)\w*|linear(?:ly)?|exponential\w*|quadratic\w*|logarithmic\w*"
        r"|proportion\w*"
        r"|with (?:every|each) (?:\w+ )?(?:step|client|byte|connection|doubling)"
        r"|the (?:more|larger|bigger|longer|smaller|fewer|greater) the\b"
        r"|as (?:messages|payloads?|"
        r"loads?) (?:grow|get)", 0,
    ),
    "modes": Sense(
        "modes", r"bimodal\w*|unimodal|two (?:speeds|modes|groups of runs|peaks)"
        r"|multimodal", 0
    ),
    "scatter": Sense(
        "scatter", r"scatter(?:s|ed|ing)?|wider|narrower|variance|variabilit\w+"
        r"|jitter\w*"
        r"|noisier|quieter|less noisy|more (?:stable|erratic|variable|predictable|even|"
        r"consistent|regular)|erratic\w*|less (?:stable|predictable|variable"
        r"|consistent)"
        r"|steadier|unstable", 0,
    ),
    "half": Sense(
        "ratio", r"halv\w+|half (?:of|the|its|as|that|busy|idle|full|empty)|in half"
        r"|by half|cut in two|(?:a|one) half"
        r"|at half|two-?fold|twofold|twice (?:as|the|what|over|more|its|that)"
        r"|(?:costs?|takes?|pays?) twice|doubl\w+|dimidi\w+|(?:fifty"
        r"|50) ?(?:per ?cent|%)", 0,
        "", 2.0,
    ),
    "third": Sense(
        "ratio", r"tripl\w+|trebl\w+|three-?fold|thrice|(?:a|one|its) third(?! of all)"
        r"|three times|thirds|two[- ]thirds", 0, "", 3.0,
    ),
    "quarter": Sense(
        "ratio", r"quadrupl\w+|four-?fold|four times|(?:a|one|three"
        r"|its) quarters?", 0, "", 4.0,
    ),
    "times": Sense(
        "ratio", rf"(?:{_NUMBER})[- ]?fold|\w+fold\b(?<!unfold)(?<!manifold)"
        rf"|quintupl\w+"
        rf"|(?:{_NUMBER}) times (?:as|the|what|more|less|faster|slower|higher|lower"
        rf"|over|its)"
        r"|orders? of magnitude|multipl(?:ies|ied)|a multiple of|dwarf\w*|(?:a"
        r"|one) (?:fifth|"
        r"tenth|sixth|hundredth)", 0, "", 5.0,
    ),
    "share": Sense(
        "share", r"none (?:\w+ )?(?:excluded|failed|lost|missing|left out)"
        r"|no (?:runs?|repetitions?) (?:\w+ ){0,2}?(?:excluded|failed|lost|missing)"
        r"(?=[.,;]|$)"
        r"|(?:the |vast )*(?:majority|minority|lion's share)|the bulk of"
        r"|(?:most|half|some|several|many|few|a handful|a third|a quarter|nearly all"
        r"|almost all|practically all|a fifth) of (?:all |the |these "
        r"|those )*(?:comparisons|"
        r"workloads|changes|metrics|runs|rate|latency|cost|CPU|throughput|time|work"
        r"|gain|loss"
        r"|handshakes|connections|streams)|(?:nearly|almost|practically) (?:all"
        r"|every|each)"
        r"|all but (?:one|two|three|a few)(?= of| com| work)", 0,
    ),
    "best": Sense(
        "rank", r"best|fastest|quickest|cheapest|lightest|leanest|soonest|swiftest"
        r"|shortest"
        r"|worst|slowest|dearest|costliest|longest|heaviest|busiest|highest|lowest"
        r"|largest"
        r"|smallest|biggest|greatest|strongest|weakest|steepest|least(?! \d)|tiniest"
        r"|widest"
        r"|(?:gain|profit|benefit|lose|suffer|save|weigh|fall|rise|grow|improve"
        r"|change|move"
        r"|cost|react|respond)(?:s|ed)? (?:by )?(?:the )?most\b(?! of)"
        r"|most (?:of all|affected)"
        r"|second to none|than any (?:other|else)|than all (?:the )?other|above all"
        r"|unbeaten"
        r"|unrivalled|unmatched|unsurpassed|foremost|of them all|leader|champion"
        r"|tops the|ranks? (?:first|last)|optimal|ideal choice|number one", 0,
    ),
    "tiny": Sense(
        "size", r"marginal\w*|negligibl\w+|trivial\w*|next to (?:nothing|none)"
        r"|by a hair|(?:hardly|not|barely) worth"
        r"|minor\b|imperceptibl\w+|hardly any|barely any|insubstantial"
        r"|infinitesimal|un-?notic\w+|(?:nobody|no one|no user|hardly any(?:body|one))"
        r" (?:will |would |ever |could )*(?:notic|feel|miss)\w*"
        r"|(?:can|may|could) (?:safely |well )?be (?:ignored|neglected)", -1,
    ),
    "huge": Sense(
        "size", r"by a (?:wide|large|huge) margin|dramatic\w*|drastic\w*|massive\w*"
        r"|enormous\w*"
        r"|hug(?:e|ely)|vast(?:ly)?|by far|tremendous\w*|spectacular\w*|staggering\w*"
        r"|substantial\w*|considerabl[ey]|noticeabl[ey]|visibl[ey]|sharpl?y?\b"
        r"|steep(?:ly)?"
        r"|a fraction of|vanish\w*|(?:goes|go|gone|went) away|disappear\w*", 1,
    ),
    "same": Sense(
        "same", r"comparable|unchanged|no (?:\w+ )?(?:difference|change|effect"
        r"|influence|"
        r"impact|bearing)|never (?:changes?|moves?|matters?|differs?|affects?)"
        r"|parity|tantamount|identical(?:ly)?"
        r"|equal(?:s|ly)?|equivalent|(?:are|is|was|were|look|all|much|remain) alike"
        r"|unaffected|unaltered|unmoved|untouched"
        r"|(?:on )?(?:a )?par\b|as (?:fast|quick|quickly|good|cheap|dear|well|soon"
        r"|much|many|"
        r"slow|high|low|expensive) (?:\w+ ){0,3}?as|as before|as it was|as they were"
        r"|what it was(?= *[.,;]|$)|where it was|(?:stay|stays|stayed|remains?"
        r"|remained|"
        r"holds?|held|keeps?|kept) (?:\w+ )?(?:steady|constant|level|put|flat|stable"
        r"|even|"
        r"still)|flat|indistinguishable|no(?:t| longer) distinguishable|draws? level"
        r"|neutral"
        r"|(?:do|does|did) not (?:change|move|differ|matter|vary|care)"
        r"|nothing (?:changes|moves|"
        r"happens|changed|moved|differs)|nor does anything|tie[ds]?\b|breaks? even"
        r"|for free"
        r"|free of charge|costs? nothing|at no cost|without (?:cost|loss|penalty)"
        r"|constant"
        r"|(?:is|are|was|were|be|stays?|remains?|costs?|performs?|exactly|just"
        r"|much) the same"
        r"|the same (?:latency|cost|rate|throughput|speed|price|performance|CPU"
        r"|response|"
        r"amount)|performs? as|resembl\w+|cannot be told apart|all one|immaterial"
        r"|(?:lies?|stays?|falls?|is|are|was|were|remains?) (?:\w+ )?within "
        r"(?:the |its )?(?:noise|scatter|margin of error)|arte?i?facts?|flukes?"
        r"|coincidences?|illusions?"
        r"|irrelevant|indifferent|match(?:es|ed)?(?= (?:that|those|the|A|B)\b)", 0,
    ),
    "unsure": Sense("unsure", r"inconclusive", 0),
    "sure": Sense(
        "sure", r"(?:in)?significan\w+|proven?\b|proves|proof|beyond (?:any "
        r"|all )?(?:\w+ )?"
        r"doubt|without (?:a |any )?doubt|no doubt|doubtless|undoubted\w*|undeniabl\w+"
        r"|unquestionabl\w+|conclusive\w*|statistically|definit(?:e|ely|ive|ively)"
        r"|demonstrabl\w+|beyond (?:noise|chance|question)|not (?:by|due to) chance"
        r"|unmistakabl\w+|establish(?:es|ed)|certainly|a certainty|clear-cut"
        r"|incontrovertibl\w+",
        0,
    ),
}  # fmt: skip
