"""The pipeline on one page: generate → ingest → load → derive → figures → report → index.

Every rule is one verb of the command line, `python -m analysis <verb>`. A job runs
again when its key changes: a hash of the contents of all that goes into it, of its
code and of the libraries. Dates count for nothing. What a job makes is replaced when
the new one is whole and never deleted, so rules declare a mark instead of it.
"""

import re
from pathlib import Path

from analysis.campaign import campaign_folder
from workflow.made import void_marks
from workflow.plan import STAGES, plan
from workflow.single import hold, shell_prefix

if workflow.is_main_process:
    hold()

PLAN = plan(config.get("engine", "auto"), config.get("edition", ""))
STEPS = PLAN.steps
WANTED = config.get("edition", "").split() or PLAN.editions

if workflow.is_main_process:
    void_marks(STEPS.values())

shell.prefix(shell_prefix())


def key(name):
    """The key of a step whose name may have the wildcard of its rule."""
    return lambda wildcards: STEPS[name.format(**wildcards)].key


def inputs(name):
    """The files and folders from which such a step is made."""
    return lambda wildcards: STEPS[name.format(**wildcards)].inputs


def before(name):
    """The marks of the steps before such a step."""
    return lambda wildcards: [
        STEPS[step].mark for step in STEPS[name.format(**wildcards)].before
    ]


wildcard_constraints:
    campaign="|".join(map(re.escape, PLAN.campaigns)) or "none",
    edition="|".join(map(re.escape, PLAN.editions)) or "none",


rule all:
    default_target: True
    input:
        STEPS["derive"].mark,
        STEPS["backtest"].mark,
        STEPS["index"].mark,
        [STEPS[f"report-{edition}"].mark for edition in WANTED],


rule generate:
    """Make the files of a campaign that nobody measured; beside the back-test."""
    output:
        "data/build/made/generate-{campaign}",
    log:
        "data/build/log/generate-{campaign}.log",
    priority: 2
    conda:
        "environment.yml"
    params:
        key=key("generate-{campaign}"),
        files="data/build/raw/{campaign}",
        of=inputs("generate-{campaign}"),
    shell:
        "python -m synthetic {wildcards.campaign:q} --out {params.files:q}"
        " 2>&1 | tee {log:q} >&2"
        " && python -m workflow.made {output:q} {params.key} {params.files:q}"
        " --of {params.of:q}"


rule ingest:
    """Read one campaign's raw files into tables; a file is known by its bytes."""
    input:
        before("ingest-{campaign}"),
    output:
        "data/build/made/ingest-{campaign}",
    log:
        "data/build/log/ingest-{campaign}.log",
    conda:
        "environment.yml"
    threads: workflow.cores
    params:
        key=key("ingest-{campaign}"),
        raw=lambda wildcards: campaign_folder(Path("raw"), wildcards.campaign),
        tables="data/build/ingest/{campaign}",
        of=inputs("ingest-{campaign}"),
    shell:
        "python -m analysis ingest --campaign {params.raw:q} --out {params.tables:q}"
        " --for-build"
        " 2>&1 | tee {log:q} >&2"
        " && python -m workflow.made {output:q} {params.key} {params.tables:q}"
        " --of {params.of:q}"


rule load:
    """Join all campaigns' tables in one database."""
    input:
        [STEPS[f"ingest-{campaign}"].mark for campaign in PLAN.campaigns],
    output:
        STEPS["load"].mark,
    log:
        "data/build/log/load.log",
    conda:
        "environment.yml"
    params:
        key=STEPS["load"].key,
        tables=[STEPS[f"ingest-{campaign}"].result for campaign in PLAN.campaigns],
        database=STEPS["load"].result,
    shell:
        "python -m analysis load --tables {params.tables:q} --out {params.database:q}"
        " --raw raw 2>&1 | tee {log:q} >&2"
        " && python -m workflow.made {output:q} {params.key} {params.database:q}"


rule derive:
    """Derive the facts of all editions, and what they rest on."""
    input:
        STEPS["load"].mark,
    output:
        STEPS["derive"].mark,
    log:
        "data/build/log/derive.log",
    conda:
        "environment.yml"
    params:
        key=STEPS["derive"].key,
        database=STEPS["load"].result,
        editions=PLAN.editions,
        facts=STEPS["derive"].result,
        beside=STEPS["derive"].beside,
        of=STEPS["derive"].inputs,
    shell:
        "python -m analysis derive --database {params.database:q} --report report"
        " --editions {params.editions:q} --raw raw --out {params.facts:q} 2>&1 | tee {log:q} >&2"
        " && python -m workflow.made {output:q} {params.key} {params.facts:q}"
        " --with {params.beside:q} --of {params.of:q}"


rule backtest:
    """Test the models on published numbers; first, as it needs nothing and one core."""
    output:
        STEPS["backtest"].mark,
    log:
        "data/build/log/backtest.log",
    priority: 2
    conda:
        "environment.yml"
    params:
        key=STEPS["backtest"].key,
        backtest=STEPS["backtest"].result,
        of=STEPS["backtest"].inputs,
    shell:
        "python -m analysis backtest --published data/published.csv"
        " --metrics data/metrics.yaml --out {params.backtest:q} 2>&1 | tee {log:q} >&2"
        " && python -m workflow.made {output:q} {params.key} {params.backtest:q}"
        " --of {params.of:q}"


rule figures:
    """Draw the figures of one edition."""
    input:
        STEPS["derive"].mark,
    output:
        "data/build/made/figures-{edition}",
    log:
        "data/build/log/figures-{edition}.log",
    conda:
        "environment.yml"
    params:
        key=key("figures-{edition}"),
        facts=STEPS["derive"].result,
        figures="data/build/figures/{edition}",
        of=inputs("figures-{edition}"),
    shell:
        "python -m analysis figures --edition {wildcards.edition:q}"
        " --facts {params.facts:q} --out {params.figures:q} 2>&1 | tee {log:q} >&2"
        " && python -m workflow.made {output:q} {params.key} {params.figures:q}"
        " --of {params.of:q}"


rule report:
    """Render one edition; a finished report stays until the next one is whole."""
    input:
        STEPS["derive"].mark,
        STEPS["backtest"].mark,
        "data/build/made/figures-{edition}",
    output:
        "data/build/made/report-{edition}",
    log:
        "data/build/log/report-{edition}.log",
    conda:
        "environment.yml"
    params:
        key=key("report-{edition}"),
        engine=config.get("engine", "auto"),
        facts=STEPS["derive"].result,
        figures="data/build/figures/{edition}",
        backtest=STEPS["backtest"].result,
        pages="report/build/{edition}",
        index=STEPS["index"].result,
        code=[f"{verb}={PLAN.code[verb]}" for verb in STAGES],
        libraries=[f"{name}={of}" for name, of in PLAN.libraries.items()],
        of=inputs("report-{edition}"),
        listed=[STEPS["index"].mark, STEPS["index"].key],
    shell:
        "python -m analysis report --edition {wildcards.edition:q}"
        " --engine {params.engine:q} --facts {params.facts:q}"
        " --figures {params.figures:q} --backtest {params.backtest:q}"
        " --out {params.pages:q} --code {params.code:q}"
        " --libraries {params.libraries:q} --index {params.index:q}"
        " 2>&1 | tee {log:q} >&2"
        " && python -m workflow.made {output:q} {params.key} {params.pages:q}"
        " {params.listed:q} {params.index:q} --of {params.of:q}"


rule index:
    """Write the page that lists all editions, where one came or went.

    It waits for no report: each brings the page up to date when it is in place, as the
    start of another job takes longer than that.
    """
    output:
        STEPS["index"].mark,
    log:
        "data/build/log/index.log",
    priority: 1
    conda:
        "environment.yml"
    params:
        key=STEPS["index"].key,
        page=STEPS["index"].result,
    shell:
        "python -m analysis index --builds report/build --out {params.page:q}"
        " 2>&1 | tee {log:q} >&2"
        " && python -m workflow.made {output:q} {params.key} {params.page:q}"
