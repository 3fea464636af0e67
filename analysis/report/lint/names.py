"""Digits that are no results: names, sizes, versions, dates, citations."""

from __future__ import annotations

import re

_MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|"
    "December"
)
_NUMBERED = (
    "RFC|ISO|IEEE|IPv|HTTP|TLS|SSL|USB|PCIe?|Python|Debian|Linux|Ubuntu|[Kk]ernel|"
    "z/OS|z/VM|Java|[Vv]ersion|[Rr]elease|[Cc]hapter|[Ss]ection|[Tt]able|[Ff]igure|"
    "[Pp]art|[Ss]tep|[Pp]hase|[Pp]ort|[Ll]ayer|[Ll]evel|CPU|CP"
)
_SIZES = (
    "bytes?|bits?|B|kB|KB|MB|GB|TB|KiB|MiB|GiB|kilobytes?|megabytes?|gigabytes?|GbE|"
    "-?byte|-?bit"
)
_NO_RESULTS = re.compile(
    "|".join(
        (
            r"\b(?:CRR|RR|STR)\d+\([^()\n]*\)",  # workloads
            r"https?://\S+",
            r"\[[^\[\]\n]*@[^\[\]]*\]|@[\w:.-]*\w",  # citations, references
            r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}:\d{2}\b",  # dates, times
            rf"\b(?:\d{{1,2}} )?(?:{_MONTHS})(?: \d{{1,2}},)?(?: \d{{4}})?\b",
            r"(?<![\w.,])(?:19|20)\d{2}(?![\w,.]*\d|\s?%)",  # years
            r"\b[vV]?\d+(?:\.\d+){2,}[\w.-]*|\b[vV]\d+(?:\.\d+)*",  # versions
            rf"\b(?:{_NUMBERED})[ /-]?\d+(?:[.-]?\w+)*(?![\d.,]*\s?%)",
            rf"\b\d[\d,.]*(?:\s|-)?(?:{_SIZES})\b(?!/| per second)",  # sizes
            r"[^\W\d][\w.-]*\d[\w.-]*",  # names with digits: A2, z17, x86_64
            r"\b\d+(?:st|nd|rd|th)\b",
        )
    ),
    re.MULTILINE,
)


def blank_names(text: str) -> str:
    """The text without these digits, every other character in its place."""
    return _NO_RESULTS.sub(lambda m: re.sub(r"\S", " ", m[0]), text)
