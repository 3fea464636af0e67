"""Claims: statements about facts in words close to prose, each checked by every build.

``docs/claims.md`` describes the grammar. Text becomes a :class:`claim.Claim` in
``parse``, facts give it an :class:`outcome.Outcome` in ``evaluate``, and ``wording``
says it to people.
"""
