"""Words that say that something rises, falls, or is better or worse than it was."""

from __future__ import annotations

from analysis.report.lint.words.sense import Sense

_MUCH = (
    r"(?:(?:far|much|many|even|still|slightly|somewhat|a (?:little|lot|bit|trifle)) )?"
)
_AFTER = (
    r"(?= (?:than|of|CPU|work|time|costs?|throughput|bandwidth|transactions|bytes|data|"
    r"latency|rates?|for|at|on|over|in|when|without|with|under|by|as|and|but)\b"
    r"|[.,;:)]|$)"
)
_CPUS = r"(?:CPs?|CPUs?|processors?|cores?)"
_OF_CPUS = r"(?:(?<=CP )|(?<=CPU )|(?<=CPs )|(?<=CPUs )|(?<=processor )|(?<=core ))"
_COSTS = r"(?:costs?|pays?|spen[dt]s?|asks?|needs?|uses?|burns?|takes?|demands?)"
DIRECTIONS: dict[str, Sense] = {
    "longer": Sense(
        "quality", r"longer (?:wait|to answer|responses?|answers?|delay|by)"
        r"|(?:takes?|took|waits?|waited|is|are) (?:\w+ )?longer|(?:longer|long) wait"
        r"|lengthen\w*|prolong\w*", -1, "benchmark",
    ),
    "shorter": Sense(
        "quality", r"shorter|shorten\w*|cut short|prompter|more promptly|snappier", 1,
        "benchmark",
    ),
    "faster": Sense(
        "quality", r"faster|quick(?:er|ly)|more (?:quickly|swiftly|rapidly)|sooner"
        r"|(?<!one )(?<!two )speed\w*"
        r"|accelerat(?!ors?\b)\w+|swifter|hast\w+|time to spare|more responsive", 1,
        "benchmark",
    ),
    "slower": Sense(
        "quality", r"slower|slow(?:s|ed|ing)(?: down)?|slow down|more slowly"
        r"|slow(?:s|ed|ing)? (?:\w+ ){1,3}down|(?:much|far) later"
        r"|slowdowns?|sluggish\w*"
        r"|(?:served|answered|comes?|came|arriv\w+|finish\w*|done) (?:\w+ )?later"
        r"|decelerat\w+|retard\w+|held up|bogged down|stall(?:s|ed)|lag(?:s|ged|ging)?"
        r"(?: behind)?|less responsive", -1, "benchmark",
    ),
    "cheaper": Sense(
        "quality", r"cheap(?:er|ly)?|spar(?:es?|ed|ing)|sav(?:e|es|ed|ing|ings)"
        r"|less expensive"
        r"|less costly|lighter|eas(?:es|ed|ier) on|reliev\w+|relie[fv]\w*"
        r"|unburden\w*|thrift\w*"
        r"|more (?:economical|frugal|efficient)\w*|gets? away with|work(?:s|ed)? less"
        rf"|fewer {_CPUS}|{_OF_CPUS}(?:fewer|less)"
        rf"|{_COSTS} (?:\S+ ){{0,5}}?{_MUCH}(?:less|fewer){_AFTER}", 1, "cpu",
    ),
    "dearer": Sense(
        "quality", r"dearer|costlier|(?:more )?(?:expensive|costly)|heavier|busier"
        r"|burden\w*"
        r"|weigh(?:s|ed|ing)? (?:\w+ )?(?:on|upon|down)|pay(?:s|ing)? for|paid for"
        r"|bears? the brunt|has a price|have a price|at the expense of"
        r"|costs? (?:\S+ )?anything|to its knees|tax(?:es|ed|ing)"
        r"|work(?:s|ed)? (?:\w+ )?(?:more|harder)"
        rf"|more {_CPUS}|{_OF_CPUS}more"
        rf"|{_COSTS} (?:\S+ ){{0,5}}?{_MUCH}more{_AFTER}|more CPU time", -1, "cpu",
    ),
    "more": Sense(
        "moves", r"(?:moves?|carr(?:y|ies)|handles?|complet\w+|serves?|delivers?"
        r"|manag\w+|sends?|get) (?:\S+ ){0,3}?(?:far |much |even )?more(?! than one)"
        r"|more (?:throughput|bandwidth|transactions|work per second)", 1, "benchmark",
    ),
    "less": Sense(
        "moves", r"(?:moves?|carr(?:y|ies)|handles?|complet\w+|serves?|delivers?"
        r"|manag\w+|sends?) (?:\S+ ){0,3}?(?:far |much |even )?(?:less|fewer)"
        r"|less (?:throughput|bandwidth|latency|CPU time)", -1, "benchmark",
    ),
    "better": Sense(
        "quality", r"better|improv\w+|gain(?:s|ed|ing)?|outperform\w*|outd(?:o|oes"
        r"|id|one)"
        r"|beat(?:s|en|ing)?|ahead|superior\w*|advantage\w*|benefit\w*|profit\w*"
        r"|win(?:s|ning)?"
        r"|won|victor\w*|prefer(?:s|red|able)?|favou?r(?:s|ed|able|ably)?|pays? off"
        r"|excel\w*"
        r"|outstrip\w*|outpac\w+|surpass\w*|eclips\w+|enhanc(?:es|ed|ing)|ha(?:s|d"
        r"|ve) the edge|edges? out"
        r"|(?:keeps?|takes?|has|holds?) (?:its|the|a) lead|thriv\w+|flourish\w*"
        r"|shin(?:es|ed)"
        r"|works? wonders|does? well|good for|comes? out on top|trump\w*|upgrade|👍|✓"
        r"|✔|healthier|speed-?ups?", 1,
    ),
    "worse": Sense(
        "quality", r"worse\w*|regress\w*|los(?:es?|t|ing|s|ses)|suffer\w*|deteriorat\w+"
        r"|degrad\w+|harm(?:s|ed|ful)?|hurt(?:s|ing)?|penal\w+|behind|inferior\w*"
        r"|disadvantag\w+|drawback\w*|impair\w*|hamper\w*|cripple\w*|handicap\w*"
        r"|weaken\w*"
        r"|fares? badly|bad for|hard(?:er)? on|trails?|trailing|takes? a hit"
        r"|tak(?:es|ing) its toll|setback|inefficien\w+"
        r"|struggl\w+|backfir\w+|pain\w*|wast(?:es|ed|eful)|👎|✗|✘|⊥|detriment\w*"
        r"|sacrific\w+", -1,
    ),
    "differs": Sense(
        "moves", r"makes? (?:a|the|all the) (?:big |great )?difference|night and day"
        r"|trend(?:s|ed)?(?= towards?)|affect(?:s|ed)"
        r"|depends? on offload|diverg\w+|matters? (?:most|much|a lot)"
        r"|big difference", 0,
    ),
    "falls": Sense(
        "moves",
        r"falls?(?! into)|fell|fallen|falling|down(?= (?:by|from) )"
        r"|drop(?:s|ped|ping)?|decreas\w+|declin\w+"
        r"|shr[aiu]nk\w*"
        r"|diminish\w*|dwindl\w+|s[aiu]nk(?:s|ing)?|plummet\w*|plung\w+|slump\w*"
        r"|tumbl\w+"
        r"|dip(?:s|ped|ping)|reduc\w+|lower(?:s|ed|ing)?|collaps\w+|slip(?:s|ped|ping)"
        r"|(?<!the )sl[iy]d\w*|gives? way|gave way|go(?:es)? down|went down|came down"
        r"|comes? down|nosedive|takes a dive"
        r"|reced\w+|cut(?:s|ting)?(?= (?:the |its )?(?:latency|rate|throughput|cost"
        r"|CPU))"
        r"|halving|evaporat\w+|crumbl\w+|eros?i?o?n?d?e?d?s|fewer|nosediv\w+"
        r"|(?:is|are|was|were|edg\w+|heads?|trends?|tick\w*) (?:\w+ly |way |well "
        r"|far )?(?:down|downwards?)"
        r"|(?:is|are|was|were|be|lies?|stays?|comes? out) (?:\w+ly |well "
        r"|far )?below|undercuts?|crash(?:es|ed)"
        r"|(?<=: )down\b|↓|📉",
        -1,
    ),
    "rises": Sense(
        "moves",
        r"ris(?:e|es|ing|en)|up(?= (?:by|from) )|rose"
        r"|increas\w+|grow(?:s|n|ing|th)?|grew|climb\w*|soar\w*"
        r"|surg(?:e|es|ed|ing)|jump\w*|leap(?:s|t|ed)?|sho[ot]+s? up|rocket\w*"
        r"|balloon\w*|exceed(?:s|ed)|tops"
        r"|(?:is|are|was|were|be|lies?|stays?|comes? out) (?:\w+ly |well |far )?above"
        r"|swell\w*|mount(?:s|ed|ing) |go(?:es)? up|going up|went up|higher|inflat\w+"
        r"|escalat\w+|rais(?:e|es|ed|ing)|lift(?:s|ed)|boost\w*|creep\w* up|picks? up"
        r"|(?:is|are|was|were|edg\w+|heads?|trends?|tick\w*|inch\w*) (?:\w+ly |way "
        r"|well |far )?up(?:wards?)?"
        r"|adds? to|(?<=: )up\b|↑|📈|accumulat\w+|expand(?:s|ed)|upturn|uptick",
        1,
    ),
}  # fmt: skip
