"""What stands between ``make`` and Snakemake; the stages know nothing of either."""
