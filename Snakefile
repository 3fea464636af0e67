"""The pipeline: generate → ingest → load → derive → figures → report → index.

Every rule is one verb of the command line. A job runs again when its key changes, a
hash of the contents of all that goes into it; dates count for nothing. What it makes
is replaced when the new one is whole, so rules declare a mark instead of it.
"""


include: "workflow/common.smk"


rule all:
    input:
        STEPS.wanted,


rule generate:
    """Make the files of a campaign that nobody measured."""
    output:
        "data/build/marks/generate-{campaign}/{mark}",
    log:
        "data/build/log/generate-{campaign}-{mark}.log",
    priority: 2
    conda:
        "environment.yml"
    params:
        **STEPS.params("generate-{campaign}"),
    shell:
        made("synthetic {wildcards.campaign:q} --out {params.out:q}")


rule part:
    """Read some parts of a large campaign, where steps are jobs of a cluster."""
    output:
        "data/build/parts/{campaign}/jobs/{job}.read",
    log:
        "data/build/log/part-{campaign}-{job}.log",
    priority: 2
    conda:
        "environment.yml"
    threads: workflow.cores
    resources:
        **PARTS.needs(),
    params:
        code=STEPS.plan.code["ingest"],
    shell:
        "(python -m analysis ingest --campaign raw/{wildcards.campaign:q}"
        " --parts data/build/parts/{wildcards.campaign:q} --read-by {params.code}"
        " --only data/build/parts/{wildcards.campaign:q}/jobs/{wildcards.job}"
        " 2>&1 | tee {log:q} >&2) && touch {output:q}"


rule ingest:
    """Read one campaign's raw files into tables; a file is known by its bytes."""
    input:
        lambda of: [ancient(mark) for mark in PARTS.of(of)],
        made=STEPS.before("ingest-{campaign}"),
    output:
        "data/build/marks/ingest-{campaign}/{mark}",
    log:
        "data/build/log/ingest-{campaign}-{mark}.log",
    priority: 2
    conda:
        "environment.yml"
    threads: STEPS.readers(workflow.cores)
    resources:
        **STEPS.needs("{campaign}"),
    params:
        **STEPS.params("ingest-{campaign}"),
        raw=STEPS.raw,
        code=STEPS.plan.code["ingest"],
    shell:
        made(
            "analysis ingest --for-build --campaign {params.raw:q} --out {params.out:q}"
            " --parts data/build/parts/{wildcards.campaign:q} --read-by {params.code}",
            before="input.made",
        )


rule load:
    """Join all campaigns' tables in one database."""
    input:
        STEPS.before("load"),
    output:
        "data/build/marks/load/{mark}",
    log:
        "data/build/log/load-{mark}.log",
    priority: 1
    conda:
        "environment.yml"
    resources:
        **STEPS.needs(),
    params:
        **STEPS.params("load"),
        tables=STEPS.tables,
    shell:
        made("analysis load --tables {params.tables:q} --out {params.out:q}")


rule derive:
    """Derive the facts of the editions, and what they rest on."""
    input:
        STEPS.before("derive"),
    output:
        "data/build/marks/derive/{mark}",
    log:
        "data/build/log/derive-{mark}.log",
    priority: 1
    conda:
        "environment.yml"
    resources:
        **STEPS.needs(),
    params:
        **STEPS.params("derive"),
        editions=STEPS.plan.editions,
        by=STEPS.derived_by,
    shell:
        made(
            "analysis derive --for-build --editions {params.editions:q} --out {params.out:q}"
            " --kept data/build/studies --read-by {params.by}"
        )


rule backtest:
    """Test the models on published numbers, beside steps that leave a core."""
    output:
        "data/build/marks/backtest/{mark}",
    log:
        "data/build/log/backtest-{mark}.log",
    conda:
        "environment.yml"
    params:
        **STEPS.params("backtest"),
    shell:
        made("analysis backtest --out {params.out:q}")


rule figures:
    """Draw the figures of one edition."""
    input:
        STEPS.before("figures-{edition}"),
    output:
        "data/build/marks/figures-{edition}/{mark}",
    log:
        "data/build/log/figures-{edition}-{mark}.log",
    group:
        STEPS.job
    conda:
        "environment.yml"
    threads: 1 if STEPS.several else workflow.cores
    params:
        **STEPS.params("figures-{edition}"),
    shell:
        made(
            "analysis figures --edition {wildcards.edition:q} --out {params.out:q}"
            " --cores {threads}"
        )


rule report:
    """Render one edition, and bring the page of all editions up to date."""
    input:
        STEPS.before("report-{edition}"),
    output:
        "data/build/marks/report-{edition}/{mark}",
    log:
        "data/build/log/report-{edition}-{mark}.log",
    group:
        STEPS.job
    conda:
        "environment.yml"
    params:
        **STEPS.params("report-{edition}"),
        told=STEPS.told,
    shell:
        made(
            "analysis report --for-build --edition {wildcards.edition:q} --out {params.out:q}"
            " {params.told:q}"
        )


rule page:
    """A file of a report by its path; it is there when the report is made."""
    input:
        lambda of: ancient(STEPS[f"report-{of.edition}"].mark),
    output:
        update("report/build/{edition}/{file}"),
    log:
        "data/build/log/page-{edition}-{file}.log",
    localrule: True
    conda:
        "environment.yml"
    shell:
        "test -f {output:q} || {{ echo 'error: {output}: this report has no such file'"
        " | tee {log:q} >&2; exit 1; }}"


rule index:
    """List all editions on a page, where one came or went; it waits for no report."""
    output:
        "data/build/marks/index/{mark}",
    log:
        "data/build/log/index-{mark}.log",
    conda:
        "environment.yml"
    params:
        **STEPS.params("index"),
    shell:
        made("analysis index --out {params.out:q}")
