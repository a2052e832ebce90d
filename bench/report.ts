// The tables that a run prints.
import type { Round, ServerName, Summary } from "./rounds.ts";
import { summarise } from "./rounds.ts";
import type { SlowStreams } from "./slow-streams.ts";

export const CPU_RATIO_MAX = 2;
/** The same on PostgreSQL, without what the database does. */
const POSTGRES_CPU_RATIO_MAX = 2.5;
const TRANSLATION_RATIO_MAX = 2;
const POSTGRES_ADDED_MS_MAX = 1.5;
export const SLOW_STREAMS_MB_MAX = 220;

export interface Measured {
  rounds: Round[];
  memoryMb: Partial<Record<ServerName, number>>;
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
  /** To the relay, where that is not the ratio of the two values. */
  ratio?: (row: Row) => number;
}

const COLUMNS: Column[] = [
  {
    title: "CPU µs / request",
    value: (row) => row.whole.cpuUs,
    digits: 0,
    ratio: (row) => row.whole.cpuRatio,
  },
  { title: "requests / s", value: (row) => row.whole.perSecond, digits: 0 },
  { title: "added p50 ms", value: (row) => row.whole.addedP50Ms, digits: 3 },
  { title: "added p99 ms", value: (row) => row.whole.addedP99Ms, digits: 3 },
  {
    title: "stream: CPU µs / stream",
    value: (row) => row.stream.cpuUs,
    digits: 0,
    ratio: (row) => row.stream.cpuRatio,
  },
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

function rowOf(measured: Measured, server: ServerName): Row {
  return {
    whole: summarise(measured.rounds, server, "whole"),
    stream: summarise(measured.rounds, server, "stream"),
    memoryMb: measured.memoryMb[server] ?? Number.NaN,
  };
}

const TITLES: Partial<Record<ServerName, string>> = {
  gateway: "gateway",
  postgresql: "gateway on PostgreSQL",
};

/** Bare relay, the gateways of the run and their ratios, as a Markdown table. */
export function mainTable(measured: Measured): string {
  const relay = rowOf(measured, "relay");
  const line = (name: string, cell: (column: Column) => string) =>
    `| ${[name, ...COLUMNS.map(cell)].join(" | ")} |`;
  const plain = (row: Row) => (column: Column) => column.value(row).toFixed(column.digits);
  const ratio = (row: Row) => (column: Column) => {
    if (column.ratio) return `${column.ratio(row).toFixed(2)} ×`;
    const [above, below] = [column.value(row), column.value(relay)];
    // Where the relay adds nothing that can be measured, a ratio would be noise.
    return below > 0 && above > 0 ? `${(above / below).toFixed(2)} ×` : "–";
  };
  const gateways = (Object.entries(TITLES) as [ServerName, string][])
    .filter(([name]) => measured.memoryMb[name] !== undefined)
    .map(([name, title]) => ({ title, row: rowOf(measured, name) }));
  return [
    line("", (column) => column.title),
    line("---", () => "---:"),
    line("bare relay", plain(relay)),
    ...gateways.map(({ title, row }) => line(title, plain(row))),
    ...gateways.map(({ title, row }) => line(`${title} / relay`, ratio(row))),
  ].join("\n");
}

function held(value: number, limit: number): string {
  return `(limit ${limit}): ${value <= limit ? "met" : "MISSED"}`;
}

export function cpuVerdict(measured: Measured): string {
  const ratio = rowOf(measured, "gateway").whole.cpuRatio;
  return `CPU per request, gateway / relay: ${ratio.toFixed(2)} × ${held(ratio, CPU_RATIO_MAX)}`;
}

/** What a request costs on PostgreSQL: the gateway's own part, and beside it the database's. */
export function postgresVerdict(measured: Measured): string {
  const { whole, stream } = rowOf(measured, "postgresql");
  const ratio = whole.cpuRatio;
  return (
    `PostgreSQL: CPU per request, gateway ${whole.cpuUs.toFixed(0)} µs = ${ratio.toFixed(2)} × the relay ` +
    `${held(ratio, POSTGRES_CPU_RATIO_MAX)}, database ${whole.databaseUs.toFixed(0)} µs; per stream ` +
    `${stream.cpuUs.toFixed(0)} + ${stream.databaseUs.toFixed(0)} µs; added p50 ` +
    `${whole.addedP50Ms.toFixed(3)} ms ${held(whole.addedP50Ms, POSTGRES_ADDED_MS_MAX)}`
  );
}

/** What it costs to rewrite a stream from the vendor's wire into the client's. */
export function translationVerdict({ rounds }: Measured): string {
  const translated = summarise(rounds, "translated", "stream").cpuUs;
  const passed = summarise(rounds, "gateway", "stream").cpuUs;
  const ratio = translated / passed;
  return (
    `CPU per stream, translated / passed: ${translated.toFixed(0)} / ${passed.toFixed(0)} µs = ` +
    `${ratio.toFixed(2)} × ${held(ratio, TRANSLATION_RATIO_MAX)}`
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
