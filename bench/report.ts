// The tables that a run prints.
import type { Round, Summary } from "./rounds.ts";
import { summarise } from "./rounds.ts";
import type { SlowStreams } from "./slow-streams.ts";

export const CPU_RATIO_MAX = 2.5;
const TRANSLATION_RATIO_MAX = 2;
export const SLOW_STREAMS_MB_MAX = 250;

export interface Measured {
  rounds: Round[];
  memoryMb: Record<"relay" | "gateway", number>;
}

interface Row {
  whole: Summary;
  stream: Summary;
  memoryMb: number;
}

interface Column {
  title: string;
  value: (row: Row) => number;
  digits: number;
}

const COLUMNS: Column[] = [
  { title: "CPU µs / request", value: (row) => row.whole.cpuUs, digits: 0 },
  { title: "requests / s", value: (row) => row.whole.perSecond, digits: 0 },
  { title: "added p50 ms", value: (row) => row.whole.addedP50Ms, digits: 3 },
  { title: "added p99 ms", value: (row) => row.whole.addedP99Ms, digits: 3 },
  { title: "stream: CPU µs / stream", value: (row) => row.stream.cpuUs, digits: 0 },
  { title: "stream: streams / s", value: (row) => row.stream.perSecond, digits: 0 },
  {
    title: "stream: added first byte p50 ms",
    value: (row) => row.stream.addedFirstByteMs,
    digits: 3,
  },
  { title: "stream: added p50 ms", value: (row) => row.stream.addedP50Ms, digits: 3 },
  { title: "stream: added p99 ms", value: (row) => row.stream.addedP99Ms, digits: 3 },
  { title: "RSS MB", value: (row) => row.memoryMb, digits: 0 },
];

function rowOf(measured: Measured, server: "relay" | "gateway"): Row {
  return {
    whole: summarise(measured.rounds, server, "whole"),
    stream: summarise(measured.rounds, server, "stream"),
    memoryMb: measured.memoryMb[server],
  };
}

/** Bare relay, gateway and their ratio, as a Markdown table. */
export function mainTable(measured: Measured): string {
  const relay = rowOf(measured, "relay");
  const gateway = rowOf(measured, "gateway");
  const line = (name: string, cell: (column: Column) => string) =>
    `| ${[name, ...COLUMNS.map(cell)].join(" | ")} |`;
  const ratio = (column: Column) => {
    const [above, below] = [column.value(gateway), column.value(relay)];
    // Where the relay adds nothing that can be measured, a ratio would be noise.
    return below > 0 && above > 0 ? `${(above / below).toFixed(2)} ×` : "–";
  };
  return [
    line("", (column) => column.title),
    line("---", () => "---:"),
    line("bare relay", (column) => column.value(relay).toFixed(column.digits)),
    line("gateway", (column) => column.value(gateway).toFixed(column.digits)),
    line("gateway / relay", ratio),
  ].join("\n");
}

export function cpuVerdict(measured: Measured): string {
  const ratio = rowOf(measured, "gateway").whole.cpuUs / rowOf(measured, "relay").whole.cpuUs;
  const verdict = ratio <= CPU_RATIO_MAX ? "met" : "MISSED";
  return `CPU per request, gateway / relay: ${ratio.toFixed(2)} × (limit ${CPU_RATIO_MAX}): ${verdict}`;
}

/** What it costs to rewrite a stream from the vendor's wire into the client's. */
export function translationVerdict({ rounds }: Measured): string {
  const translated = summarise(rounds, "translated", "stream").cpuUs;
  const passed = summarise(rounds, "gateway", "stream").cpuUs;
  const ratio = translated / passed;
  const verdict = ratio <= TRANSLATION_RATIO_MAX ? "met" : "MISSED";
  return (
    `CPU per stream, translated / passed: ${translated.toFixed(0)} / ${passed.toFixed(0)} µs = ` +
    `${ratio.toFixed(2)} × (limit ${TRANSLATION_RATIO_MAX}): ${verdict}`
  );
}

export function slowStreamsText(slow: SlowStreams): string {
  const kilobytes = ((slow.peakMb - slow.idleMb) * 1_024) / slow.streams;
  const limit = `limit ${SLOW_STREAMS_MB_MAX}`;
  const verdict = slow.peakMb < SLOW_STREAMS_MB_MAX ? "met" : "MISSED";
  return (
    `${slow.openPeak} slow streams at one time through the ${slow.server}, all complete: ` +
    `peak RSS ${slow.peakMb.toFixed(0)} MB, ${kilobytes.toFixed(0)} KB each` +
    (slow.server === "gateway" ? ` (${limit}): ${verdict}` : "")
  );
}
