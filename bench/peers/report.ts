// What a run says: the JSON that is kept, and the table that is printed.
import type { Pace } from "./measure.ts";
import type { BooksProof } from "./peer.ts";
import type { Figure, Figures, PeerRound } from "./statistics.ts";

export interface Report {
  startedAt: string;
  endedAt: string;
  machine: Machine;
  /** Of one minute, before the first round and after the last. */
  load: { before: number; after: number };
  pace: Pace & { busyConnections: number };
  peers: PeerReport[];
  skipped: Skipped[];
  rounds: PeerRound[];
}

export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  kernel: string;
  bun: string;
}

export interface PeerReport {
  id: string;
  title: string;
  variant?: string;
  version: string;
  runtime: string;
  books: string;
  /** Only where the run has checked what was written down against what was answered. */
  proved: BooksProof | null;
  memoryMb: number;
  whole: Figures;
  stream: Figures;
}

interface Skipped {
  id: string;
  title: string;
  variant?: string;
  reason: string;
}

export interface Measure {
  title: string;
  unit: string;
  figure: (figures: Figures) => Figure;
}

/** What the table and the chart both show, of whole answers and of streams. */
export const MEASURES: readonly Measure[] = [
  { title: "CPU per request", unit: "µs", figure: ({ cpuUs }) => cpuUs },
  { title: "added p50, one connection", unit: "ms", figure: ({ addedP50Ms }) => addedP50Ms },
  { title: "requests/s, 64 connections", unit: "", figure: ({ perSecond }) => perSecond },
];

/** The name with the version, which belongs to the gateway and not to its database. */
export function fullName(
  peer: Pick<PeerReport, "title" | "variant"> & { version?: string },
): string {
  const version = /^v?\d/.test(peer.version ?? "") ? ` ${peer.version}` : "";
  return peer.title + version + (peer.variant === undefined ? "" : `, ${peer.variant}`);
}

/** Three figures say all that such a measurement knows. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString("en-US");
  if (size >= 10) return value.toFixed(1);
  return value.toFixed(2);
}

/** A Markdown table with one row for each peer, and below it who was left out and why. */
export function tableOf(report: Report): string {
  const kinds = ["whole", "stream"] as const;
  const titles = kinds.flatMap((kind) =>
    MEASURES.map(({ title, unit }) => `${kind}: ${title}${unit && `, ${unit}`}`),
  );
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const rows = report.peers.map((peer) => {
    const figures = kinds.flatMap((kind) =>
      MEASURES.map(({ figure }) => shortNumber(figure(peer[kind]).median)),
    );
    return line([fullName(peer), peer.books, ...figures, shortNumber(peer.memoryMb)]);
  });
  const skipped = report.skipped.map((one) => `left out: ${fullName(one)}: ${one.reason}`);
  return [
    line(["", "writes down", ...titles, "RSS MB"]),
    line(["---", "---", ...titles.map(() => "---:"), "---:"]),
    ...rows,
    ...(skipped.length > 0 ? ["", ...skipped] : []),
  ].join("\n");
}

/** The machine and the day, without which no figure says anything. */
export function whereAndWhen({ machine, endedAt, load }: Report): string {
  const { cpu, cores, memoryGb, kernel, bun } = machine;
  return (
    `${cores} × ${cpu}, ${memoryGb} GB, Linux ${kernel}, Bun ${bun}, ${endedAt.slice(0, 10)}, ` +
    `load ${load.before.toFixed(1)} before and ${load.after.toFixed(1)} after`
  );
}
