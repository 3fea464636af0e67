"""Uncertainty: how spreads of parameters become a range of a prediction."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

Floats = NDArray[np.float64]
DRAWS = 200
SEED = 20260305
POINTS = (5, 50, 95)
# Share of a parameter's variance that two configurations of one study have in common.
COMMON = 0.64


@lru_cache(maxsize=64)
def uniforms(dimensions: int, draws: int = DRAWS) -> Floats:
    """A Latin hypercube in (0, 1), draws × dimensions; the same at every call."""
    from scipy.stats import qmc  # half a second that most questions need not wait

    cube = qmc.LatinHypercube(d=dimensions, rng=np.random.default_rng(SEED))
    sample: Floats = cube.random(draws)
    sample.flags.writeable = False
    return sample


@lru_cache(maxsize=64)
def normals(dimensions: int, draws: int = DRAWS) -> Floats:
    """As :func:`uniforms`, of the standard normal distribution."""
    sample: Floats = ndtri(uniforms(dimensions, draws))
    sample.flags.writeable = False
    return sample


def paired_normals(dimensions: int) -> tuple[Floats, Floats]:
    """Two samples whose columns share the part ``COMMON`` of their variance."""
    z = normals(3 * dimensions)
    common, own = np.sqrt(COMMON), np.sqrt(1 - COMMON)
    shared, first, second = np.split(z, 3, axis=1)
    return common * shared + own * first, common * shared + own * second


def points(sample: Floats) -> tuple[float, float, float]:
    """The 5%, 50% and 95% points of a sample."""
    low, middle, high = np.percentile(sample, POINTS)
    return float(low), float(middle), float(high)


def lognormal_points(middle: float, sigma: float) -> tuple[float, float, float]:
    """The 5%, 50% and 95% points of a lognormal with median and log deviation."""
    reach = float(np.exp(ndtri(0.95) * sigma))
    return middle / reach, middle, middle * reach


def structural_sigma(utilisation: Floats) -> Floats:
    """Log deviation that the structure of a queueing model leaves, by utilisation.

    2% below 70% of the busiest CPU or adapter, 7% from 85% on, linear between: near
    saturation small errors of a demand move the knee.
    """
    return np.interp(utilisation, [0.70, 0.85], [0.02, 0.07])
