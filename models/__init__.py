"""Performance models: pure functions of parameters that read no raw data.

Each model keeps the protocol of :mod:`models.prediction`. Parameters stand in
``models/params/*.yaml`` with their unit, their source and how they came about.
"""
