"""What stands before the rules: one build at a time, and the plan of its steps."""

import sys

from workflow.rules import Steps, asked_for, made, one_of
from workflow.single import hold, only, shell_prefix

# Which build it is counts from here on, as the plan looks at all inputs.
if workflow.is_main_process:
    hold()

config.setdefault("edition", asked_for(sys.argv[1:]))
STEPS = Steps(config)

shell.prefix(shell_prefix())


# A build that fails or is killed from here on is one that publishing tells of.
onstart:
    only()
    STEPS.begin()


wildcard_constraints:
    campaign=one_of(STEPS.plan.campaigns),
    edition=one_of(STEPS.plan.editions),
    mark="[0-9]+",
    file="[^/]+",
