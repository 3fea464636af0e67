"""Raw exports in, a reviewed performance report out.

Five stages, each a package: ``ingest``, ``derive``, ``figures``, ``report`` and
``publish``. The stages talk through files (see ``docs/tour.md``); none of them
knows of Snakemake.
"""
