"""The pipeline on one page: ingest → load → derive → figures → report → index.

Every rule is one verb of the command line, `python -m analysis <verb>`. A job runs
again when an input changes in content or when the meaning of its code does:
`fingerprint` hashes every module that the verb imports, without comments.
"""

from pathlib import Path

from analysis.edition import find_editions
from analysis.fingerprint import content_digest, fingerprint
from workflow.single import hold, shell_prefix

if workflow.is_main_process:
    hold()

WANTED = config.get("edition", "").split() or find_editions(Path("report"))
CAMPAIGNS = sorted(path.parent.name for path in Path("raw").glob("*/campaign.yaml"))
FACTS = "data/build/facts.json"
BACKTEST = "data/build/backtest.json"


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


def made(name, *pages):
    """The mark of pages that are replaced and never deleted; void where one is missing.

    Snakemake deletes what a rule declares as output before the rule runs, and again
    when it fails. A finished report must outlive both, so its rule declares a mark.
    """
    mark = Path("data/build/made", name)
    if not all(Path("report/build", page).exists() for page in pages):
        mark.unlink(missing_ok=True)
    return str(mark)


MADE_INDEX = made("index", "index.html")
MADE_REPORTS = [
    made(f"report-{e}", f"{e}/index.html", f"{e}/{e}.pdf", f"{e}/manifest.json")
    for e in WANTED
]

STAGES = [
    f"{verb}={fingerprint(verb)}" for verb in ("ingest", "derive", "figures", "report")
]

shell.prefix(shell_prefix())


rule all:
    default_target: True
    input:
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
        code=fingerprint("ingest"),
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
        code=fingerprint("load"),
    shell:
        "python -m analysis load --tables {input} --out {output} 2>&1 | tee {log} >&2"


rule derive:
    """Derive the facts of all editions."""
    input:
        declared(),
        database=rules.load.output,
    output:
        FACTS,
    log:
        "data/build/log/derive.log",
    conda:
        "environment.yml"
    params:
        code=fingerprint("derive"),
    shell:
        "python -m analysis derive --database {input.database} --report report --raw raw"
        " --out {output} 2>&1 | tee {log} >&2"


rule backtest:
    """Test the models on published numbers; first, as it needs nothing and one core."""
    input:
        published="data/published.csv",
        metrics="data/metrics.yaml",
    output:
        BACKTEST,
    log:
        "data/build/log/backtest.log",
    priority: 1
    conda:
        "environment.yml"
    params:
        code=fingerprint("backtest"),
    shell:
        "python -m analysis backtest --published {input.published}"
        " --metrics {input.metrics} --out {output} 2>&1 | tee {log} >&2"


rule figures:
    """Draw the figures of one edition."""
    input:
        lambda wildcards: declared(wildcards.edition),
        facts=FACTS,
    output:
        directory("data/build/figures/{edition}"),
    log:
        "data/build/log/figures-{edition}.log",
    conda:
        "environment.yml"
    params:
        code=fingerprint("figures"),
    shell:
        "python -m analysis figures --edition {wildcards.edition} --facts {input.facts}"
        " --out {output} 2>&1 | tee {log} >&2"


rule report:
    """Render one edition; a finished report stays until the next one is whole."""
    input:
        lambda wildcards: declared(wildcards.edition),
        lambda wildcards: files(f"report/{wildcards.edition}/**/*", "templates/**/*"),
        expand("data/build/ingest/{campaign}", campaign=CAMPAIGNS),
        facts=FACTS,
        backtest=BACKTEST,
        figures="data/build/figures/{edition}",
    output:
        touch("data/build/made/report-{edition}"),
    log:
        "data/build/log/report-{edition}.log",
    conda:
        "environment.yml"
    params:
        code=STAGES,
        engine=config.get("engine", "auto"),
    shell:
        "python -m analysis report --edition {wildcards.edition} --engine {params.engine}"
        " --facts {input.facts} --figures {input.figures} --backtest {input.backtest}"
        " --out report/build/{wildcards.edition} --code {params.code}"
        " 2>&1 | tee {log} >&2"


rule index:
    """Write the page that lists all editions."""
    input:
        MADE_REPORTS,
    output:
        touch(MADE_INDEX),
    log:
        "data/build/log/index.log",
    conda:
        "environment.yml"
    params:
        code=fingerprint("index"),
    shell:
        "python -m analysis index --builds report/build --out report/build/index.html 2>&1 | tee {log} >&2"
