#!/bin/sh
# Builds what a pull request proposes and what it would change, and says how they differ.
# report.sh BASE: BASE is the commit or branch to compare with. Leaves the pages and PDFs
# in report/build/ and the comment in report/build/changes.md.
set -eu
base=${1:?the commit or branch to compare with}
base=$(git rev-parse --verify --end-of-options "$base^{commit}")
before=$(mktemp -d)
trap 'git worktree remove --force "$before/tree"; rm -rf "$before"' EXIT
git worktree add --quiet --detach "$before/tree" "$base"
make report
make -C "$before/tree" report
: > report/build/changes.md
for manifest in report/build/*/manifest.json; do
  edition=$(basename "$(dirname "$manifest")")
  old=$before/tree/report/build/$edition
  printf '\n## %s\n\n' "$edition" >> report/build/changes.md
  if [ -f "$old/manifest.json" ]; then
    .venv/bin/python -m analysis diff --format markdown "$old" "report/build/$edition" \
      >> report/build/changes.md
  else
    echo 'A new edition.' >> report/build/changes.md
  fi
done
