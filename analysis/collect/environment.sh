#!/bin/sh
# What of a Linux host may change what it measures: one "Name: value" a line.
# collect runs it by ssh; by hand: sh environment.sh > raw/lab/environment/client.txt
show() { [ -n "$2" ] && printf '%s: %s\n' "$1" "$(printf %s "$2" | tr -s '\n\t ' ' ')"; }
file() { [ -r "$2" ] && show "$1" "$(cat "$2" 2>/dev/null)"; }
cpu=/sys/devices/system/cpu
show Kernel "$(uname -sr)"
show Machine "$(uname -m)"
show "CPU model" "$(sed -n 's/^model name[[:space:]]*: //p; s/^processor 0: //p' /proc/cpuinfo | head -1)"
show "CPUs online" "$(getconf _NPROCESSORS_ONLN)"
file SMT $cpu/smt/control
show "CPU governor" "$(cat $cpu/cpu*/cpufreq/scaling_governor 2>/dev/null | sort -u)"
file "CPU no turbo" $cpu/intel_pstate/no_turbo
for item in "$cpu"/vulnerabilities/*; do file "Mitigation ${item##*/}" "$item"; done
file "Transparent huge pages" /sys/kernel/mm/transparent_hugepage/enabled
for name in net.core.rmem_max net.core.wmem_max net.core.netdev_max_backlog net.core.default_qdisc \
  net.core.busy_poll net.core.busy_read net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.ipv4.tcp_congestion_control \
  net.ipv4.tcp_timestamps net.ipv4.tcp_sack net.ipv4.tcp_window_scaling net.ipv4.tcp_slow_start_after_idle \
  net.ipv4.tcp_notsent_lowat net.ipv4.tcp_mtu_probing kernel.numa_balancing; do
  file "$name" "/proc/sys/$(echo "$name" | tr . /)"
done
for item in /sys/class/net/*; do
  nic=${item##*/}
  [ "$nic" = lo ] && continue
  show "Driver of $nic" "$(basename "$(readlink "$item/device/driver" 2>/dev/null)" 2>/dev/null)"
  file "MTU of $nic" "$item/mtu"
  file "Speed of $nic" "$item/speed"
  command -v ethtool >/dev/null || continue
  show "Firmware of $nic" "$(ethtool -i "$nic" 2>/dev/null | sed -n 's/^firmware-version: //p')"
  ethtool -k "$nic" 2>/dev/null | sed -n "s/^\([a-z][a-z-]*\(offload\|checksumming\|gather\)\): \(on\|off\).*/\1 of $nic: \3/p"
  ethtool -c "$nic" 2>/dev/null | sed -n "s/^\(rx-usecs\|tx-usecs\): /\1 of $nic: /p"
done
exit 0
