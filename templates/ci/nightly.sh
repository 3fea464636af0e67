#!/bin/sh
# Measures tonight, builds, and fails where something regressed that nobody acknowledged.
# nightly.sh NAME [BASELINE TEST]: measure.sh, which is yours, leaves tonight's runs
# in raw/NAME-YYYYMMDD. Campaigns of earlier nights are kept in raw/, which the runner does
# not clean. With BASELINE and TEST tonight gets an edition, whose comparisons count as
# well. Leaves regress.xml and regress.md.
set -eu
name=${1:?the first part of the names of campaigns, such as night}
tonight=raw/$name-$(date +%Y%m%d)
id=$(basename "$tonight")
last=
for folder in raw/"$name"-*/; do
  [ "$folder" = "$tonight/" ] || [ ! -f "$folder/campaign.yaml" ] || last=$folder
done
make ".venv/$(ls uv.lock requirements.txt 2>/dev/null | head -1)" # the environment
sh measure.sh "$tonight"
# described like the last night, with the days of this one
[ -z "$last" ] || cp -n "${last}campaign.yaml" "$tonight/"
.venv/bin/python -m analysis campaign init "$tonight"
.venv/bin/python -m analysis checksums "$tonight"
[ -z "${2:-}" ] || [ -d "report/$id" ] ||
  .venv/bin/python -m analysis edition new "$id" --campaign "$id" \
    --baseline "$2" --tests "${3:?what is compared with $2}"
make report
.venv/bin/python -m analysis regress --trends ${2:+--edition "$id"} \
  --junit regress.xml --markdown regress.md
