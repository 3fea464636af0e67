"""What stands before the rules: one build at a time, and the plan of its steps."""

import sys

from workflow.parts import PartJobs
from workflow.rules import Steps, asked_for, made, one_of
from workflow.single import hold, only, shell_prefix

# Which build it is counts from here on, as the plan looks at all inputs.
if workflow.is_main_process:
    hold()

config.setdefault("edition", asked_for(sys.argv[1:]))
STEPS = Steps(config)
# Only who gives out jobs asks for parts: a job finds that they were read. Where jobs
# run is not known until all rules are read.
PARTS = PartJobs(
    STEPS.plan, config, lambda: workflow.is_main_process and workflow.non_local_exec
)

shell.prefix(shell_prefix())


# A build that fails or is killed from here on is one that publishing tells of.
onstart:
    only()
    STEPS.begin()


wildcard_constraints:
    campaign=one_of(STEPS.plan.campaigns),
    edition=one_of(STEPS.plan.editions),
    mark="[0-9]+",
    job="[0-9a-f]+",
    file="[^/]+",
