"""The pipeline: generate → ingest → derive → figures → report.

Every rule is one verb of the command line, and declares what it makes. ``params: key``
is a hash of the contents of all that goes into a rule (workflow/plan.py): a new date
runs nothing, a changed byte runs what follows from it. Facts and reports are made beside
those that people read, and put in their place when they are whole, so a step that fails
leaves the last good ones.
"""

from workflow.jobs import any_of, logged, shell_prefix
from workflow.plan import plan_of

PLAN = plan_of(str(config.get("edition", "")), config.get("engine", ""))
shell.prefix(shell_prefix())


onstart:
    if PLAN.whole:
        for name in PLAN.unfinished:
            print(
                f"raw/{name} is left out: no edition uses it, and it is unfinished"
            )


onerror:
    # Editions that were finished are listed, whatever became of the others.
    shell("python -m analysis index >/dev/null 2>&1 || true")


wildcard_constraints:
    campaign=any_of(PLAN.campaigns),
    edition=any_of(PLAN.editions),
    file=r"(?!index\.html$|manifest\.json$)[^/]+",


localrules:
    facts,
    place,
    file_of_report,
    index,
    catalogue,


rule all:
    """The editions that are asked for, and of a whole build what lists them all."""
    input:
        expand("report/build/{edition}/index.html", edition=PLAN.wanted),
        expand("data/build/rendered/{edition}.placed", edition=PLAN.wanted),
        "report/build/index.html",


rule generate:
    """The raw files of a campaign that nobody measured, from its declaration."""
    input:
        ancient("synthetic/campaigns/{campaign}"),
    output:
        directory("data/build/raw/{campaign}"),
    log:
        "data/build/log/generate-{campaign}.log",
    priority: 2
    conda:
        "environment.yml"
    params:
        key=PLAN.key("generate"),
    shell:
        logged("synthetic {wildcards.campaign:q} --out {output:q}")


rule ingest:
    """A campaign's tables: a folder with a Parquet file for each."""
    input:
        # What a rule makes must not be ancient: then Snakemake would look at no key.
        lambda of: (
            PLAN.raw(of.campaign)
            if of.campaign in PLAN.generated
            else ancient(PLAN.raw(of.campaign))
        ),
    output:
        directory("data/build/ingest/{campaign}"),
    log:
        "data/build/log/ingest-{campaign}.log",
    priority: 2
    conda:
        "environment.yml"
    threads: lambda of: workflow.cores if PLAN.megabytes(of.campaign) > 64 else 1
    resources:
        mem_mb=lambda of: min(1000 + PLAN.megabytes(of.campaign), 4000),
        runtime=lambda of: 10 + PLAN.megabytes(of.campaign) // 100,
    params:
        key=PLAN.key("ingest"),
    shell:
        logged("analysis ingest --campaign {input:q} --out {output:q} --cache")


rule derive:
    """The facts of one edition, and the evidence that they rest on."""
    input:
        tables=lambda of: PLAN.tables(of.edition),
        declared=lambda of: ancient(PLAN.declared(of.edition)),
    output:
        directory("data/build/derived/{edition}"),
    log:
        "data/build/log/derive-{edition}.log",
    priority: 1
    conda:
        "environment.yml"
    resources:
        mem_mb=lambda of: min(1000 + PLAN.megabytes(*PLAN.rests_on(of.edition)), 4000),
    params:
        key=PLAN.key("derive"),
    shell:
        logged("analysis derive --edition {wildcards.edition:q} --out {output:q}")


rule facts:
    """The facts of one edition where people and programs read them: the last good ones."""
    input:
        "data/build/derived/{edition}",
    output:
        directory("data/build/facts/{edition}"),
    log:
        "data/build/log/facts-{edition}.log",
    priority: 1
    conda:
        "environment.yml"
    params:
        key=PLAN.key("derive"),
    shell:
        logged("workflow.place {input:q} {output:q}")


rule backtest:
    """How far models are off where loads were measured or numbers published."""
    input:
        tables=expand("data/build/ingest/{campaign}", campaign=PLAN.tested_on),
        data=ancient(PLAN.data),
    output:
        "data/build/backtest.json",
    log:
        "data/build/log/backtest.log",
    conda:
        "environment.yml"
    params:
        key=PLAN.key("backtest"),
    shell:
        logged("analysis backtest --tables {input.tables:q} --out {output:q}")


rule figures:
    """The figures of one edition: a folder each, with picture, data and words."""
    input:
        facts=lambda of: PLAN.facts(of.edition),
        declared=lambda of: ancient(PLAN.declared(of.edition)),
    output:
        directory("data/build/figures/{edition}"),
    log:
        "data/build/log/figures-{edition}.log",
    group:
        "edition"
    conda:
        "environment.yml"
    threads: 1 if len(PLAN.wanted) > 1 else workflow.cores
    params:
        key=PLAN.key("figures"),
    shell:
        logged(
            "analysis figures --edition {wildcards.edition:q} --facts data/build/facts"
            " --out {output:q} --cores {threads} --cache"
        )


rule report:
    """One edition as HTML, PDF and all it carries, not yet where readers find it."""
    input:
        facts=lambda of: PLAN.facts(of.edition),
        figures=lambda of: PLAN.figures(of.edition),
        tables=lambda of: PLAN.tables(of.edition),
        backtest="data/build/backtest.json",
        texts=lambda of: ancient(PLAN.texts(of.edition)),
    output:
        directory("data/build/rendered/{edition}"),
    log:
        "data/build/log/report-{edition}.log",
    group:
        "edition"
    conda:
        "environment.yml"
    params:
        key=PLAN.key("report"),
        engine=PLAN.engine,
    shell:
        logged(
            "analysis report --edition {wildcards.edition:q} --engine {params.engine}"
            " --out {output:q}"
        )


rule place:
    """The report where readers find it: all of its files change in one step."""
    input:
        "data/build/rendered/{edition}",
    output:
        page=update(report("report/build/{edition}/index.html", category="{edition}")),
        manifest=update("report/build/{edition}/manifest.json"),
        # Snakemake keeps what is updated after a failure; this says what was placed.
        placed="data/build/rendered/{edition}.placed",
    log:
        "data/build/log/place-{edition}.log",
    conda:
        "environment.yml"
    params:
        key=PLAN.key("report"),
    shell:
        logged(
            "workflow.place {input:q} report/build/{wildcards.edition:q}"
            " {output.placed:q} {params.key}"
        )


rule file_of_report:
    """Another file of a report by its path, such as its PDF."""
    input:
        "report/build/{edition}/index.html",
    output:
        update("report/build/{edition}/{file}"),
    log:
        "data/build/log/file-{edition}-{file}.log",
    conda:
        "environment.yml"
    shell:
        "test -f {output:q} || {{ echo 'error: {output}: this report has no such file'"
        " | tee {log:q} >&2; exit 1; }}"


rule index:
    """The page that lists all editions, and the one that compares them."""
    input:
        expand("data/build/rendered/{edition}.placed", edition=PLAN.wanted),
        "report/build/catalogue.html" if PLAN.whole else [],
    output:
        "report/build/index.html",
    log:
        "data/build/log/index.log",
    conda:
        "environment.yml"
    params:
        key=PLAN.key("index"),
    shell:
        logged("analysis index --out {output:q}")


rule database:
    """All tables in one database, for questions that no report answers."""
    input:
        expand("data/build/ingest/{campaign}", campaign=PLAN.finished),
    output:
        "data/build/perf.duckdb",
    log:
        "data/build/log/database.log",
    conda:
        "environment.yml"
    resources:
        mem_mb=min(1000 + PLAN.megabytes(*PLAN.finished), 4000),
    params:
        key=PLAN.key("database"),
    shell:
        logged("analysis load --tables {input:q} --out {output:q}")


rule catalogue:
    """The page of all campaigns: what each lacks, and what moved over months."""
    input:
        "data/build/perf.duckdb",
    output:
        "report/build/catalogue.html",
    log:
        "data/build/log/catalogue.log",
    conda:
        "environment.yml"
    params:
        key=PLAN.key("catalogue"),
    shell:
        logged("analysis catalogue --format html --out {output:q}")
