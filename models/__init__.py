"""Performance models: pure functions of parameters that read no raw data.

Parameters stand in ``models/params/*.yaml`` with their unit and source; what all models
have in common is in :mod:`models.prediction`.
"""
