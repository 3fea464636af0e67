"""The pipeline, as plain ``snakemake`` finds it; its rules are in workflow/Snakefile."""


include: "workflow/Snakefile"


rule project:
    default_target: True
    input:
        rules.all.input,
