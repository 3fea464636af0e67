"""Origins: how a number came to be, strongest first."""

from __future__ import annotations

from typing import Literal, get_args

Origin = Literal["measured", "published", "modelled", "synthetic"]
ORIGINS: tuple[Origin, ...] = get_args(Origin)
