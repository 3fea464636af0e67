"""Digits that are no results by their form: names, sizes, versions, dates, citations.

Only what cannot be a result has a form here. Names that an edition declares are known
from its declarations, see :mod:`analysis.report.lint.known`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|"
    "December"
)
_DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
_SEASONS = "spring|summer|autumn|fall|winter|early|mid|late|end|middle|beginning"
# After one of these stands a version, a release or the number of a standard.
_NUMBERED = (
    "RFC|ISO(?:/IEC)?|IEC|IEEE|NIST|FIPS|ANSI|ITU|IPv|HTTP/?|TLSv?|SSLv?|DTLSv?|SMBv?|"
    "NFSv?|USB|PCIe?|Gen|Python|Perl|Java|JDK|GCC|gcc|Debian|Linux|Ubuntu|RHEL|SLES|"
    "Fedora|Red Hat Enterprise Linux|[Kk]ernel|Windows|z/OS|z/VM|z/VSE|z/TPF|CICS|IMS|"
    "Db2|MQ|uperf|iperf|netperf|sysstat|ethtool|systemd|glibc|OpenSSL|V|PKCS ?#?|CVE"
)
# After one of these stands the place of one thing among others of its kind.
_PLACED = (
    "[Cc]hapter|[Ss]ection|[Tt]able|[Ff]igure|[Pp]art|[Ss]tep|[Pp]hase|[Pp]ort|[Ll]ayer|"
    "[Ll]evel|[Vv]olume|[Pp]age|[Tt]ype|[Ss]ubtype|[Ss]ubpool|[Aa]ppendix|[Ll]ine|[Ii]tem|[Nn]ote|"
    "[Rr]ow|[Cc]olumn|[Ee]quation|[Ee]xample|[Nn]umbers?|No\\.|[Oo]ption|[Cc]hannel|"
    "[Ss]lot|[Nn]ode|[Cc]ore|CPU|CP|[Qq]ueue|[Gg]eneration|[Mm]odel|[Dd]ay|[Rr]ungs?|"
    "[Ii]ssue|[Pp]riority|[Cc]lass|[Rr]ecord|[Gg]roup|[Cc]ipher|code point|[Tt]ier"
)
SIZE = (
    "(?:bytes?|bits?|B|kB|KB|MB|GB|TB|KiB|MiB|GiB|TiB|kilobytes?|megabytes?|gigabytes?|"
    "terabytes?|kilobits?|[MG]Hz)"
)
_SPEED = r"(?!\s?/|ps\b|\s+(?:a|per|each|every)\s+(?:second|s)\b)"
_SHARE = (
    r"(?!\s?(?:%|\u2030)|\s?per\s?cent|\s+of\s+(?:an?\s+|the\s+)?(?:\d|hundred|ten))"
)
_NUMBER = r"\d+(?:\.\d+)*"
_HOUR = r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?"
_ZONE = r"(?:UTC|GMT|CES?T|E[SD]T|Z\b|[ap]\.?m\b|o'clock|hours\b)"
_YEAR = r"(?:19|20)\d{2}"
# What may follow a year: no noun that it would count.
_AFTER_YEAR = (
    r"(?=\s*(?:[.,;:!?)\]|\u2013-]|$)|\s+(?:and|or|to|with|when|as|by|the|an?|in|on|at|of|"
    r"under|for|from|until|but|which|that|it|they|was|were|is|are|has|had|have|did|"
    r"after|before|since|while|where|edition|report|version|release|standard)\b)"
)
_FORMS = (
    r"https?://\S+|\b[\w.+-]+@[\w-]+\.\w+",
    r"(?<![\w/])(?:/[\w.+-]+){2,}",  # paths
    r"@[\w:.-]*\w",
    r"(?i:\b(?:pp?|ch|chap|sec|vol|no|figs?|tab|eqs?))\.\s?\(?\d+(?:[-\u2013]\d+)?\)?",
    r"\((?:[1-9]|[ivx]+)\)",
    r"\b(?:V?P?CHPIDs?|PCHIDs?|VCHIDs?|P?FIDs?|VLANs?|SMF|TN) [0-9A-F]{1,4}\b",
    r"(?<=[\w,;] )[A-Z][\w-]{2,} \d{1,2}\.\d{1,2}\b(?!\.?\d)"
    r"(?!\s?(?:%|\u00b5|[kKMG]?B|x|\u00d7))",
    r"\b[A-Z][\w-]*\d\w* \d{1,2}\.\d{1,2}(?= )",
    rf"\b{_YEAR}-\d{{2}}(?:-\d{{2}})?\b",
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?(?:\s?[-\u2013]\s?\d{{1,2}})? )?(?:{MONTHS})\b"
    rf"(?: \d{{1,2}}(?:st|nd|rd|th)?,?(?= {_YEAR}|[.,;)\s]|$)(?! \w+s\b))?"
    rf"(?:,? {_YEAR}\b)?",
    rf"(?i:\b(?:in|since|until|till|from|by|before|after|during|of|between|and|to|"
    rf"(?:{_SEASONS})(?: of)?|copyright)|\u00a9|\(c\))\s+{_YEAR}\b{_AFTER_YEAR}",
    rf"\b[A-Z][\w.'-]+ (?:and [A-Z][\w-]+ |et al\.? )?\({_YEAR}\)",
    r"\b(?:19|20)\d0s\b|\b[23]D\b|\b80\d\.\d+\w*",
    rf"\b(?:[Vv]ersions?|[Rr]eleases?) {_NUMBER}(?:\.\d+){{2}}[\w.-]*",
    rf"\b(?:[Vv]ersions?|[Rr]eleases?) \d{{1,2}}\b(?![.,]?\d){_SHARE}",
    rf"\b{_HOUR}(?= (?:and|to|until|-|\u2013) {_HOUR}\s?{_ZONE})",
    rf"\b{_HOUR}\s?{_ZONE}",
    rf"\b(?:at|between|until|since|before|after|from|on (?:{_DAYS}) at) {_HOUR}\b"
    rf"(?: (?:and|to) {_HOUR}\b)?",
    rf"\b[vV]?\d+(?:\.\d+){{2,}}[\w.+/-]*{_SHARE}",  # versions, addresses
    r"\bV\d+R\d+(?:M\d+)?\b",
    r"\b(?:OS|RS|S)/\d{3,4}\b",
    r"\b\d{4}-(?:[A-Z][A-Z0-9]{2}|\d{3})\b",  # machines, by type and model
    rf"\b(?:{_NUMBERED})[ /-]?{_NUMBER}(?:[.-]?\w+)*{_SHARE}",
    rf"\b(?:{_PLACED})s? {_NUMBER}(?:(?:,? (?:and|or|to) |, |-|\u2013){_NUMBER})*"
    rf"(?![\d.,:]*\d|\w|\s?\u00b5s|\s?ms\b|\s?[GM]B){_SHARE}",
    r"\b[A-Z][A-Z0-9_]{2,}\s?=\s?\d+\b",  # settings
    r"\b(?:sha|SHA|AES|RSA|DES|CRC|MD|UTF|ISO|EN|DIN)-?\d+(?:[-/_]\w+)*\b",
    r"\b0x[0-9A-Fa-f]+\b",
    r"\b\d+\.\d+(?= (?:report|release|edition|manual|kernel|version)\b)",
    r"(?<![\d,.])[\d,]+-?(?:bit|byte|way|tier|node|core|port|socket)s?\b",
    r"(?<![\d,.])\d{1,3}-(?!fold|percent|per|times|point|odd|second)[a-z]{3,}\b",
    r"\b\d+(?:\.\d+)?\s?G(?:b|bit )?E\b|\b\d+GBASE-\w+|\b\d+[A-Z]{3,}[\w-]*\b(?<!ps)",
    r"(?<![\w.])[mnkpijxy]\s?(?:[+\u2212*\u00d7/-]|[=<>\u2264\u2265])\s?\d+(?:\.\d+)?\b",
    r"(?<!every )(?<!each )(?<!Every )\b\d+(?:st|nd|rd|th)\b",
)
_NO_RESULTS = re.compile("|".join(_FORMS), re.MULTILINE)
# Most words have no digit, and few of the forms fit such words.
_WITHOUT_DIGITS = re.compile("|".join(f for f in _FORMS if r"\d" not in f))
_SIZE = re.compile(
    rf"(?<![\w.,])(?:\d[\d,.]* (?:or|and|to) (?=\d))?\d[\d,.]*(?:\s|-)?{SIZE}\b{_SPEED}"
)
_DIGIT = re.compile(r"\d")
_CODE = re.compile(r"`[^`\n]*`")
_RESULT_IN_CODE = re.compile(
    r"\d\s?(?:%|\u00b5s|ms\b|[kMGT]?i?[Bb](?:it)?(?:/s|ps)|trans|per\s?cent|x\b|\u00d7)"
)
_NAME = re.compile(r"[^\W\d_][\w.#-]*\d(?:[\w.#-]*\w)?(?:/\w*\d\w*)*")
# What looks like a name and is a number with a word glued to it.
_GLUED = re.compile(
    r"(?:(?-i:x)|by|to|at|minus|plus|times|about|approx|ca|circa|some|up|down|only|nearly|"
    r"factor|half|percent)[._-]?\d[\d.,]*(?:x|k|percent|pct|times|fold)?"
    r"|[^\W\d_]+\d+(?:percent|pct|times|fold)|v\d+\.\d+",
    re.IGNORECASE,
)


def blank(words: str, pattern: re.Pattern[str]) -> str:
    """The words without what fits, every other character in its place."""
    return pattern.sub(lambda found: re.sub(r"\S", " ", found[0]), words)


def blank_names(words: str) -> str:
    """The words without digits that cannot be results, by their form.

    Code stays where it holds something like a result.
    """
    words = _CODE.sub(_code, words)
    return blank(words, _NO_RESULTS if _DIGIT.search(words) else _WITHOUT_DIGITS)


def blank_sizes(words: str) -> str:
    """The words without sizes in bytes or bits; speeds stay."""
    return blank(words, _SIZE)


def sizes(words: str) -> Iterator[re.Match[str]]:
    """The sizes in bytes or bits."""
    return _SIZE.finditer(words)


def names(words: str) -> Iterator[tuple[int, str, bool]]:
    """Names with digits: where, what, and whether one is a number in disguise."""
    for found in _NAME.finditer(words):
        yield found.start(), found[0], bool(_GLUED.fullmatch(found[0]))


def _code(found: re.Match[str]) -> str:
    if _RESULT_IN_CODE.search(found[0]):
        return found[0].replace("`", " ")
    return " " * len(found[0])
