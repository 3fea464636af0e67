#!/bin/sh
# sh measure.sh FOLDER [SESSION]: measures settings in shuffled rounds, and leaves what
# `campaign init` reads: FOLDER/SETTING/LOAD/session1-rep01/ with the logs of both sides,
# CPU time before and after, mpstat of the client where it is installed, and meta.json.
# A session is all that runs without a restart: restart the hosts, then give the next number.
# Edit what follows, or set it in the environment; `netperf-report plan` says how many rounds.
set -eu
: "${SETTINGS:=before after before2}" # before2 is the control: it is set like before
: "${ROUNDS:=5}" "${SECONDS_EACH:=10}"
: "${TOOL:=iperf3}"                   # iperf3, uperf, netperf or sockperf
case $TOOL in
  iperf3) : "${LOADS:=stream streams}" ;;
  netperf) : "${LOADS:=stream rr}" ;;
  *) : "${LOADS:=rr}" ;;
esac
: "${SERVER:=ssh srv}" "${CLIENT:=}"  # what runs a command there: ssh HOST, ip netns exec NAME, or nothing
: "${ADDRESS:=srv}"                   # of the server, as the client reaches it
: "${SET:=./set}"                     # your script that applies a setting: ./set before

commands() { # commands LOAD: what serves and what drives it
  case $TOOL:$1 in
    iperf3:stream) serve="iperf3 -s -1"; drive="iperf3 -c $ADDRESS -t $SECONDS_EACH -J" ;;
    iperf3:streams) serve="iperf3 -s -1"; drive="iperf3 -c $ADDRESS -t $SECONDS_EACH -J -P 4" ;;
    netperf:stream) serve="netserver -D"; drive="netperf -H $ADDRESS -t TCP_STREAM -l $SECONDS_EACH -c -C" ;;
    netperf:rr) serve="netserver -D"; drive="netperf -H $ADDRESS -t TCP_RR -l $SECONDS_EACH -c -C -- -r 100,100" ;;
    sockperf:rr) serve="sockperf server --tcp"; drive="sockperf ping-pong --tcp -i $ADDRESS -t $SECONDS_EACH -m 100" ;;
    uperf:*) serve="uperf -s"; drive="uperf -m $1.xml -a -i 1 -R" ;; # a profile a load
    *) echo "error: $1 of $TOOL is not known here: add it to commands()" >&2; exit 2 ;;
  esac
}
folder=${1:?where the runs are left}
session=${2:-1}
for word in "$folder" "$session" $SETTINGS $LOADS; do
  case $word in -* | *[!A-Za-z0-9._/-]*) echo "error: $word: use letters, digits and . _ / -" >&2; exit 2 ;; esac
done
# Two hosts have their /proc/stat. Two sides of one host share it: a control group each.
groups=
case "$SERVER$CLIENT" in *ssh*) ;; *)
  for base in /sys/fs/cgroup/cpuacct /sys/fs/cgroup; do
    mkdir -p "$base/measure-client" "$base/measure-server" 2>/dev/null || continue
    [ -f "$base/measure-client/cgroup.procs" ] && groups=$base && break
  done
  [ "$groups" ] || echo "note: no control groups here: the CPU time of the sides is not told apart" >&2 ;;
esac
side() { # side NAME PREFIX COMMAND: the shell becomes it there, so that one signal ends it
  [ -z "$groups" ] || exec sh -c 'echo $$ > "$0" && exec "$@"' "$groups/measure-$1/cgroup.procs" $2 $3
  exec $2 $3
}
snapshot() { # snapshot WHEN
  for name in client server; do
    case $name in client) prefix=$CLIENT ;; *) prefix=$SERVER ;; esac
    if [ "$groups" ]; then
      cat "$groups/measure-$name/cpuacct.stat" 2>/dev/null || cat "$groups/measure-$name/cpu.stat"
    else
      $prefix cat /proc/stat
    fi > "$d/$name.$1"
  done
}
run() { # run SETTING LOAD REPETITION
  d=$folder/$1/$2/session$session-rep$3
  [ ! -e "$d" ] || { echo "error: $d is there: choose another session" >&2; exit 2; }
  mkdir -p "$d"
  commands "$2"
  side server "$SERVER" "$serve" > "$d/server.txt" 2>&1 &
  served=$!
  sleep 1
  extra=
  if [ -z "$groups" ] && $CLIENT sh -c 'command -v mpstat' >/dev/null 2>&1; then
    $CLIENT mpstat -o JSON 1 "$SECONDS_EACH" > "$d/client-mpstat.json" 2>/dev/null &
    extra=$!
  fi
  snapshot before
  start=$(date +%s.%N)
  rc=0
  (side client "$CLIENT" "$drive") > "$d/client.txt" 2> "$d/client.err" || rc=$?
  end=$(date +%s.%N)
  snapshot after
  [ -s "$d/client.err" ] || rm "$d/client.err"
  [ -z "$extra" ] || wait "$extra" || true
  kill "$served" 2>/dev/null || true
  case $SERVER in *ssh*) $SERVER pkill -x "${serve%% *}" || true ;; esac
  wait "$served" 2>/dev/null || true
  printf '{"t_start": %s, "t_end": %s, "rc": %s, "client_cmd": "%s", "server_cmd": "%s", "note": "session=%s config=%s"}\n' \
    "$start" "$end" "$rc" "$drive" "$serve" "$session" "$1" > "$d/meta.json"
  echo "$1 $2 session $session, repetition $3: exit code $rc"
}
round=1
while [ "$round" -le "$ROUNDS" ]; do
  # each round has all settings and loads, so that a drift of the machine meets all alike
  for setting in $(printf '%s\n' $SETTINGS | shuf); do
    $SET "$setting"
    for load in $(printf '%s\n' $LOADS | shuf); do
      run "$setting" "$load" "$(printf %02d "$round")"
    done
  done
  round=$((round + 1))
done
