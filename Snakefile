"""The pipeline on one page: ingest → load → derive → figures → report → index.

Every rule is one verb of the command line, `python -m analysis <verb>`. A job runs
again when an input changes in content or when the meaning of its code does:
`fingerprints` hash every module that the verb imports, without comments.
"""

import re
from pathlib import Path

from analysis.edition import find_editions
from analysis.fingerprint import content_digest, fingerprints
from workflow.single import hold, shell_prefix

if workflow.is_main_process:
    hold()

WANTED = config.get("edition", "").split() or find_editions(Path("report"))
CAMPAIGNS = sorted(path.parent.name for path in Path("raw").glob("*/campaign.yaml"))
FACTS = "data/build/facts.json"
BACKTEST = "data/build/backtest.json"
INDEX = "report/build/index.html"


def files(*patterns):
    """Paths of the files that match any of the patterns, sorted; no editor's drafts."""
    found = (path for pattern in patterns for path in Path().glob(pattern))
    return sorted(
        str(path)
        for path in found
        if path.is_file() and path.name.strip(".~") == path.name
    )


def declared(edition="*"):
    """What authors declare: data/, campaigns, and one edition with its studies."""
    return files(
        "data/*",
        "raw/*/campaign.yaml",
        f"report/{edition}/edition.yaml",
        f"report/{edition}/studies/*/study.yaml",
    )


def made(name, *results):
    """The mark of files that are replaced, never deleted; void where one is missing.

    Snakemake deletes what a rule declares as output before the rule runs, and again
    when it fails. Finished reports and facts must outlive both, so their rules declare
    a mark. That of facts holds their checksum: what reads them runs when it changes.
    """
    mark = Path("data/build/made", name)
    if not all(Path(result).exists() for result in results):
        mark.unlink(missing_ok=True)
    return str(mark)


def made_report(edition):
    """The mark of one edition's pages."""
    pages = ("index.html", f"{edition}.pdf", "manifest.json")
    pages = (f"report/build/{edition}/{page}" for page in pages)
    return made(f"report-{edition}", *pages)


MADE_FACTS = made("facts", FACTS)
MADE_BACKTEST = made("backtest", BACKTEST)
MADE_INDEX = made("index", INDEX)
MADE_REPORTS = [made_report(edition) for edition in WANTED]

VERBS = ("backtest", "ingest", "load", "derive", "figures", "report", "index")
CODE = fingerprints(VERBS)
STAGES = [f"{verb}={CODE[verb]}" for verb in ("ingest", "derive", "figures", "report")]

shell.prefix(shell_prefix())


rule all:
    default_target: True
    input:
        MADE_FACTS,
        MADE_BACKTEST,
        MADE_INDEX,
        MADE_REPORTS,


rule ingest:
    """Read one campaign's raw files into tables; a file is known by its bytes."""
    output:
        directory("data/build/ingest/{campaign}"),
    log:
        "data/build/log/ingest-{campaign}.log",
    conda:
        "environment.yml"
    threads: workflow.cores
    params:
        code=CODE["ingest"],
        raw=lambda wildcards: content_digest(Path("raw") / wildcards.campaign),
    shell:
        "python -m analysis ingest --campaign raw/{wildcards.campaign} --out {output}"
        " 2>&1 | tee {log} >&2"


rule load:
    """Join all campaigns' tables in one database."""
    input:
        expand("data/build/ingest/{campaign}", campaign=CAMPAIGNS),
    output:
        "data/build/perf.duckdb",
    log:
        "data/build/log/load.log",
    conda:
        "environment.yml"
    params:
        code=CODE["load"],
    shell:
        "python -m analysis load --tables {input} --out {output} 2>&1 | tee {log} >&2"


rule derive:
    """Derive the facts of all editions."""
    input:
        declared(),
        database=rules.load.output,
    output:
        MADE_FACTS,
    log:
        "data/build/log/derive.log",
    conda:
        "environment.yml"
    params:
        code=CODE["derive"],
        facts=FACTS,
    shell:
        "python -m analysis derive --database {input.database} --report report --raw raw"
        " --out {params.facts} 2>&1 | tee {log} >&2 && cksum {params.facts} > {output}"


rule backtest:
    """Test the models on published numbers; first, as it needs nothing and one core."""
    input:
        published="data/published.csv",
        metrics="data/metrics.yaml",
    output:
        MADE_BACKTEST,
    log:
        "data/build/log/backtest.log",
    priority: 2
    conda:
        "environment.yml"
    params:
        code=CODE["backtest"],
        backtest=BACKTEST,
    shell:
        "python -m analysis backtest --published {input.published}"
        " --metrics {input.metrics} --out {params.backtest} 2>&1 | tee {log} >&2"
        " && cksum {params.backtest} > {output}"


rule figures:
    """Draw the figures of one edition."""
    input:
        lambda wildcards: declared(wildcards.edition),
        MADE_FACTS,
    output:
        directory("data/build/figures/{edition}"),
    log:
        "data/build/log/figures-{edition}.log",
    conda:
        "environment.yml"
    params:
        code=CODE["figures"],
        facts=FACTS,
    shell:
        "python -m analysis figures --edition {wildcards.edition} --facts {params.facts}"
        " --out {output} 2>&1 | tee {log} >&2"


rule report:
    """Render one edition; a finished report stays until the next one is whole."""
    input:
        lambda wildcards: declared(wildcards.edition),
        lambda wildcards: files(f"report/{wildcards.edition}/**/*", "templates/**/*"),
        expand("data/build/ingest/{campaign}", campaign=CAMPAIGNS),
        MADE_FACTS,
        MADE_BACKTEST,
        figures="data/build/figures/{edition}",
    output:
        touch("data/build/made/report-{edition}"),
    log:
        "data/build/log/report-{edition}.log",
    wildcard_constraints:
        edition="|".join(map(re.escape, WANTED)) or "none",
    conda:
        "environment.yml"
    params:
        code=STAGES,
        index=INDEX,
        engine=config.get("engine", "auto"),
        facts=FACTS,
        backtest=BACKTEST,
    shell:
        "python -m analysis report --edition {wildcards.edition} --engine {params.engine}"
        " --facts {params.facts} --figures {input.figures}"
        " --backtest {params.backtest}"
        " --out report/build/{wildcards.edition} --code {params.code}"
        " --index {params.index} 2>&1 | tee {log} >&2"


rule index:
    """Write the page that lists all editions, where one came or went.

    It waits for no report: each brings the page up to date when it is in place, as the
    start of another job takes longer than that.
    """
    output:
        touch(MADE_INDEX),
    log:
        "data/build/log/index.log",
    priority: 1
    conda:
        "environment.yml"
    params:
        code=CODE["index"],
        editions=find_editions(Path("report")),
        index=INDEX,
    shell:
        "python -m analysis index --builds report/build --out {params.index} 2>&1"
        " | tee {log} >&2"
