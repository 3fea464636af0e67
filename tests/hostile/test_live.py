"""What the tests of hostile texts take for a part of a page is just that."""

from __future__ import annotations

import pytest
from lxml import html

from tests.hostile.live import live


@pytest.mark.parametrize(
    "more",
    [
        "<a href='facts.html#nothing'>x</a>",
        "<a href='facts.html'>x</a>",
        "<a href='data/../x.csv'>x</a>",
        "<template class='layout'></template>",
        "<figure><template class='layout'><p>x</p></template></figure>",
        "<script type='application/json' id='cards'>{}</script>",
        "<script type='application/json' id='cards' src='x'>{}</script>",
        "<p><script type='application/json' id='cards'>{}</script></p>",
    ],
)
def test_what_only_looks_like_a_part_of_the_page_is_found(more: str) -> None:
    ours = (
        "<a href='facts.html#a'>1</a><a href='data/a.csv'>x</a><figure>"
        "<template class='layout'><svg class='narrow'></svg></template></figure>"
        "<script type='application/json' id='cards'>{}</script>"
    )
    main = html.fromstring(f"<main id='text'>{ours}</main>")
    assert list(live(main, {"a"})) == []
    main = html.fromstring(f"<main id='text'>{ours}{more}</main>")
    assert list(live(main, {"a"})) != []
