"""What search engines and catalogues read of a report: schema.org as JSON-LD.

A browser runs no element of its type, so the page's policy need not list it.
"""

from __future__ import annotations

from typing import Any

from analysis.report.beside.cards import script_json
from analysis.report.material import Material

_ELEMENT = '<script type="application/ld+json">{}</script>\n'


def linked_data(material: Material) -> str:
    """The element of a report and of the data behind it, HTML."""
    edition = material.edition
    about: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Report",
        "name": material.title,
        "description": edition.description or edition.subtitle,
        "reportNumber": edition.number and str(edition.number),
        "author": [{"@type": "Person", "name": name} for name in edition.authors],
        "datePublished": edition.date.isoformat(),
        "inLanguage": edition.language,
        "creativeWorkStatus": edition.status,
        "keywords": ", ".join(edition.keywords),
        "isBasedOn": [
            {
                "@type": "Dataset",
                "name": one.title,
                "description": one.measured.how or one.title,
                "creator": {"@type": "Organization", "name": one.measured.by},
                "temporalCoverage": f"{one.measured.start}/{one.measured.end}",
                "license": one.licence,
            }
            for one in material.campaigns.values()
        ],
        "hasPart": {
            "@type": "Dataset",
            "name": f"Facts of: {material.title}",
            "description": "Each value with its interval, runs and raw files",
            "distribution": {
                "@type": "DataDownload",
                "contentUrl": "facts.json",
                "encodingFormat": "application/json",
            },
        },
    }
    return _ELEMENT.format(script_json(_without_blanks(about)))


def _without_blanks(data: Any) -> Any:
    if isinstance(data, list):
        return [_without_blanks(one) for one in data]
    if isinstance(data, dict):
        return {name: _without_blanks(one) for name, one in data.items() if one}
    return data
