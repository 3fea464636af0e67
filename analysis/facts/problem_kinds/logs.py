"""Words for what is wrong in logs of benchmarks."""

from __future__ import annotations

from collections.abc import Mapping

from analysis.facts.kind import Kind

LOGS: Mapping[str, Kind] = {
    "cut_before": Kind("ends before its last line, {line}"),
    "bandwidth_missing": Kind("{name}: the bandwidth is missing"),
    "banners": Kind("{banners} logs in one file; put each in its own"),
    "begins_late": Kind("begins after its first line"),
    "bytes_or_no_data": Kind(
        "bytes, seconds and rate do not fit together, or no data was moved"
    ),
    "bytes_or_nothing_received": Kind(
        "bytes, seconds and rate do not fit together, or nothing was received"
    ),
    "bytes_seconds_bits": Kind(
        "bytes, seconds and bits per second do not fit together"
    ),
    "bytes_seconds_rate": Kind("bytes, seconds and rate do not fit together"),
    "cells_and_columns": Kind(
        "{cells} cells, but the header has {columns} columns; write decimals with a "
        "point, and quotation marks around a text with a comma"
    ),
    "client_and_server": Kind("logs of a client and of the server in one file"),
    "client_gave_up": Kind("the client gave up: {gave_up}"),
    "clients_unfinished": Kind("{unfinished} of {clients} clients did not finish"),
    "column_twice": Kind("the column {name!r} is there twice"),
    "command_failed": Kind("a command failed"),
    "command_of_client_failed": Kind("{command} of {file} failed"),
    "commands_failed": Kind("{count} commands failed, the first: {first}"),
    "confidence_missed": Kind(
        "the confidence interval is {width}% wide, more than asked for"
    ),
    "confidence_wide": Kind(
        "the confidence interval is {width:g}% wide, more than {asked:g}%"
    ),
    "contradicts_workload": Kind("{name} {value} contradicts {workload}"),
    "count_not_understood": Kind("the count is not understood"),
    "counted_logs": Kind("{logs} logs in one file; put each in its own"),
    "cpu_impossible": Kind(
        "CPU utilisation of {util:g}% is impossible; service demand is void"
    ),
    "csv_names": Kind("names of a CSV file"),
    "datagrams": Kind("datagrams: the rate is that of this side"),
    "doubtful_units": Kind(
        "rate × latency is {busy:.3g} clients, not {clients}: is "
        "a unit wrong, or was there think time?"
    ),
    "ended_early": Kind("ended after {seconds:.3g} of {asked:g} s"),
    "ends_before_rates": Kind(
        "ends before its last lines, Requests/sec and Transfer/sec"
    ),
    "ends_before_result": Kind("ends before the result of its last command"),
    "ends_before_status_codes": Kind("ends before its table of status codes"),
    "ends_before_total": Kind("ends before its total, after {intervals} intervals"),
    "ends_within_transfer": Kind("ends within a transfer"),
    "error_times": Kind("{times} times: {error}"),
    "errors_first": Kind("{errors} errors, the first: {first}"),
    "few_values": Kind("values without names (-P 0): only rate and mean latency"),
    "file_cut_off_damaged": Kind("the file is cut off or damaged"),
    "files_as_one": Kind("{files} files as one transfer"),
    "first_responses": Kind(
        "status codes and percentiles are those of the first {kept:,} "
        "responses of {answered:,}, which is all that hey keeps"
    ),
    "forms_mixed": Kind("values in several forms ({forms}); put each in its own file"),
    "ftp_session_without_end": Kind(
        "the session has no end (221), so the log may be cut off"
    ),
    "gateway_restarted": Kind("a lifetime value falls: the gateway restarted"),
    "hey_keeps_first": Kind("hey keeps the first {kept:,} responses, and no other"),
    "instances_mixed": Kind("the values of several instances are mixed, or cut off"),
    "invalid_csv": Kind("not valid CSV: {error}"),
    "its_last_line_cut_off": Kind("its last line is cut off"),
    "last_connection": Kind("its last connection took until second {second}"),
    "last_lines_missing": Kind("the last lines are missing"),
    "last_test_without_result": Kind("its last test has no result"),
    "latency_missing": Kind("{name}: the latency is missing"),
    "line_columns": Kind("line {line} has {columns} of 8 columns"),
    "line_failed": Kind("it failed"),
    "line_json_cut_off": Kind("the JSON is cut off or damaged"),
    "line_rate_contradicts": Kind(
        "the rate {rate:g} contradicts bytes and seconds, which "
        "make {expected:.2f} {unit}/sec"
    ),
    "little_above_1": Kind(
        "rate × round trip is {little:.3g}, more than one client can do"
    ),
    "little_not_1": Kind("rate × latency ÷ clients is {little:.3g}, not 1"),
    "local_throughput": Kind("throughput and local_throughput do not fit together"),
    "maybe_cut_off": Kind("its last line has no end, so it may be cut off"),
    "megabytes_seconds_mbps": Kind("megabytes, seconds and Mbps do not fit together"),
    "messages_and_latency": Kind("messages and latency do not fit together"),
    "messages_dropped": Kind("{errors} messages were dropped"),
    "messages_seconds_bandwidth": Kind(
        "messages, seconds and bandwidth do not fit together"
    ),
    "missing_or_zero": Kind("{name} is missing, or zero; name it in -k, -o or -O"),
    "missing_value": Kind("{name} is missing"),
    "names_without_values": Kind("the names have no values"),
    "neither_number_nor_text": Kind("{name} is neither a number nor text"),
    "no_answer": Kind("no command got an answer"),
    "no_commas": Kind("the columns are not separated by commas"),
    "no_connection_made": Kind("no connection was made"),
    "no_count": Kind("{name} is {text!r}, no count"),
    "no_csv_line": Kind("this is no line of CSV: {error}"),
    "no_data": Kind("no data of {names}"),
    "no_data_moved": Kind("no data was moved"),
    "no_data_or_unit": Kind("no data was moved, or its unit is unknown"),
    "no_data_received": Kind("no data was received"),
    "no_direction": Kind("no command tells the direction; keep the prompts"),
    "no_figures": Kind("there are no figures in it"),
    "no_file_transferred": Kind("no file was transferred"),
    "no_file_transferred_for": Kind("no file was transferred: {cause}"),
    "no_gateway_interval": Kind("no interval value of the gateway daemon (GD_IALLREQ)"),
    "no_header": Kind(
        "no header (-P 0): the unit of the throughput is unknown; run with -P "
        "1 or with -k"
    ),
    "no_mean_response": Kind("no mean response time of the interval"),
    "no_message_answered": Kind("no message was answered"),
    "no_operation_ended": Kind("no operation ended"),
    "no_result_after_banner": Kind("no result after the banner: {what}"),
    "no_results": Kind("there are no results in it"),
    "no_series": Kind("no series are described; flent before 1.0?"),
    "no_shape": Kind("the shape {shape!r} is none of {shapes}"),
    "no_steady_part": Kind(
        "no steady part: too few progress lines (run uperf with -i 1)"
    ),
    "no_such_column": Kind("there is no column {name!r} in the contract"),
    "no_such_time": Kind("there is no such time"),
    "no_time": Kind("the requests took no time"),
    "no_time_of_test": Kind(
        "the rate of a test whose time is not in the log gives no row"
    ),
    "no_time_total": Kind("its last transfer has no time_total"),
    "no_transaction": Kind("there was no transaction"),
    "no_transactions_table": Kind("no table of transactions; run uperf with -a"),
    "no_value": Kind("there is no value for {name}"),
    "not_number": Kind("{name} is not a number"),
    "not_one_number": Kind("{name} is not one number"),
    "not_understood": Kind("{text} is not understood"),
    "of_test": Kind("{name}: {what}"),
    "old_uperf": Kind("layout of a uperf before 1.0; this program reads 1.0.x"),
    "only_interim_results": Kind("only interim results"),
    "operations_failed": Kind("{percent:g}% of the operations failed"),
    "other_contract": Kind("benchmark_contract is not 1"),
    "part_of_wall_time": Kind("it took {used:g} s of {wall:g} s"),
    "percentiles_do_not_rise": Kind("its percentiles do not rise"),
    "progress_lacks": Kind(
        "the progress lines cover {percent:.0f}% of the measured phase; the figures "
        "are those of the whole phase, over the time of its last line"
    ),
    "programs_failed": Kind("{errors} programs failed"),
    "rate_contradicts": Kind("the rate contradicts bytes and seconds"),
    "rate_in_bits": Kind("the rate is in bits or bytes; run without -f"),
    "rates_per_cpu_second": Kind(
        "its rates are per second of CPU time; keep standard error as well, "
        "which tells the wall-clock time"
    ),
    "receiver_got_nothing": Kind("the receiver got nothing"),
    "responses_differ": Kind("{responses:,} responses differ in length from the first"),
    "results_no_list": Kind("'results' is not a list of objects"),
    "same_figures_twice": Kind(
        "the figures of line {line} again: a log that was printed twice, or two tests "
        "that nothing tells apart; keep one, or put each in its own file"
    ),
    "same_log_twice": Kind("the same text twice in one file; keep it once"),
    "same_test_twice": Kind("the test of line {line} again; it counts once"),
    "same_test_again": Kind("the same test again, or another log"),
    "samples_lack": Kind(
        "the samples of a transfer cover {seconds:.3g} of {planned:g} s"
    ),
    "second_line_missing": Kind("the second line of the values is missing"),
    "seconds_not_positive": Kind("seconds is not positive"),
    "sender_count": Kind("the other side received; this log has the sender's count"),
    "sent_not_arrived": Kind(
        "no report of the server: this is what was sent, not what arrived"
    ),
    "server_log": Kind("log of a server, which measures no latency"),
    "service_demand": Kind("service demand does not fit rate and CPU"),
    "session_broken_off": Kind(
        "the session was broken off: its total does not fit its intervals"
    ),
    "session_no_end": Kind("the session has no end"),
    "several_forms": Kind("several forms in one file; put each in its own"),
    "several_groups": Kind("several groups of clients in one log; run each on its own"),
    "several_logs": Kind("several logs in one file; put each in its own"),
    "several_measures": Kind(
        "neither a transfer nor one request/response test; see the means"
    ),
    "several_runs": Kind("several runs in one file; put each in its own"),
    "several_summaries": Kind("several summaries in one file; put each in its own"),
    "several_units": Kind("{name} is given in several units"),
    "short_for_hey": Kind("it took {seconds:.4f} s, which hey rounds to 0.0001"),
    "short_for_siege": Kind("it took {seconds:g} s, of which siege tells 0.01 s"),
    "short_transfers": Kind("some transfers were too short to be timed"),
    "sides_differ_in_data": Kind(
        "client and server disagree on the data that was moved"
    ),
    "sides_differ_in_time": Kind("client and server differ by {percent:g}% in time"),
    "started_logs": Kind("{starts} logs in one file; put each in its own"),
    "statistics_missing": Kind("the statistics are not there, or not whole"),
    "status_codes_and_replies": Kind("its status codes do not add up to its replies"),
    "status_codes_and_successes": Kind(
        "its status codes do not add up to what succeeded"
    ),
    "stopped_early": Kind("stopped after {seconds:g} s of {planned:g} s"),
    "stream_3_or_old": Kind(
        "nothing tells stream 3 of iperf 2.1, cut off, from iperf 2.0"
    ),
    "stream_totals_missing": Kind("the totals of some streams are missing"),
    "streams_and_sum": Kind("the streams do not add up to the sum"),
    "summary_missing": Kind("the summary is not there, or not whole"),
    "text_not_one_number": Kind("{text} is not one number"),
    "throughput_unit": Kind("a throughput in {unit!r} of transactions; run without -f"),
    "times_contradict": Kind(
        "it began at {one} by one of its times, at {other} by another"
    ),
    "took_too_little": Kind(
        "it took {seconds} of {least:g} s: stopped, or of another log"
    ),
    "total_or_interval": Kind(
        "nothing tells whether the only line is the total or an interval"
    ),
    "too_few_answers": Kind(
        "messages answered: {answers}, in less than 0.001 s, too few for a rate; run "
        "it longer"
    ),
    "total_without_bytes": Kind(
        "its total counts datagrams but no bytes, as that of a server before 3.2; take "
        "the client's log"
    ),
    "totals_missing": Kind("the totals are missing"),
    "transactions_and_operations": Kind(
        "the count of transactions does not fit the operations"
    ),
    "transactions_seconds_throughput": Kind(
        "transactions, seconds and throughput do not fit together"
    ),
    "transfer_client": Kind("a transfer of a client"),
    "transfer_failed": Kind("transfer failed: {what}"),
    "two_counts_differ": Kind("its two counts of connections differ"),
    "unknown_direction": Kind("a transfer of unknown direction"),
    "unproven_rate": Kind(
        "values without names (-P 0), and none proves the rate; use -k"
    ),
    "uperf_error": Kind("{text}"),
    "uperf_failed": Kind("{text}"),
    "uperf_slave": Kind("log of a uperf slave, which prints no measurements"),
    "uperf_strand_failed": Kind("{text}"),
    "usage_printed": Kind("it printed its usage"),
    "value_negative": Kind("a value is negative"),
    "values_and_names": Kind("{values} values for {names} names"),
    "values_without_names": Kind("values without names (-P 0); use -k"),
    "waits_at_end": Kind("{slave} of {time:g}: it waits at the end of a CRR run"),
    "way_failed": Kind("{way} failed: {what}"),
    "way_missing": Kind("one of the two ways is missing"),
    "whole_seconds": Kind(
        "it tells wall-clock time to a second only, so the rate is uncertain "
        "by {percent:.0f}%; use -time 30 or more"
    ),
}
