#!/bin/sh
# Is this release as it was published?  sh verify.sh [KEY]
# KEY is the fingerprint (SHA256:…) of who should have signed it, learnt elsewhere.
cd "$(dirname "$0")" || exit 2
signed() { # FILE NAMESPACE: is its signature good, and by KEY or one of signers.txt?
  key=$(ssh-keygen -Y check-novalidate -n "$2" -s "$1.sig" <"$1" 2>&1) || { echo "$1: no good signature: $key"; return; }
  by=$(grep -sF -- "${key##* }" signers.txt) || by=${key##* }
  if case "${3:-$(cat signers.txt)}" in '' | *"${key##* }"*) true ;; *) false ;; esac then echo "$1: signed by $by" >&2
  else echo "$1: signed by another: $by"; fi
}
bad=$({
  LC_ALL=C sha256sum --quiet --check SHA256SUMS 2>&1
  find . ! -type d | awk 'NR == FNR { known["./" substr($0, 67)]; next } !($0 in known) { print $0 ": not on the list" }' SHA256SUMS - | grep -vxE '\./(SHA256SUMS|SHA256SUMS\.sig|release\.json): .*'
  find . ! -type d ! -type f -exec echo {}: no file \;
  for commit in approvals/*.commit; do [ -f "$commit.sig" ] && signed "$commit" git; done
  if [ -f SHA256SUMS.sig ]; then signed SHA256SUMS netperf-report "$1"
  elif [ -n "$1" ] || grep -qF SHA256SUMS.sig release.json; then echo "SHA256SUMS: its signature is missing"
  else echo "SHA256SUMS: not signed: who published this cannot be told" >&2; fi
})
[ -z "$bad" ] && echo "as it was published (release.json, the server's note, is on no list)" || { echo "$bad"; exit 1; }
