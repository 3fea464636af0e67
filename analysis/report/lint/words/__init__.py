"""What the words of reviewed texts assert, and what stands behind it.

``text_blocks`` parts a text into sentences, ``vocabulary`` finds what they speak of,
``senses`` which of their words assert something. ``binding`` holds printed values
against what the words name, ``verbs`` against what they say, and ``weigh`` what is
asserted against claims and printed values.
"""
