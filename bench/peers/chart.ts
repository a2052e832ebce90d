// The picture of a run: one row for each peer, one column for each measure, on scales of powers of ten.
import {
  fullName,
  MEASURES,
  type Measure,
  type PeerReport,
  type Report,
  shortNumber,
} from "./report.ts";

const WIDTH = 960;
const NAMES_WIDTH = 236;
const PANEL_WIDTH = 226;
const PANEL_GAP = 14;
const HEAD_HEIGHT = 84;
const ROW_HEIGHT = 46;
const FOOT_HEIGHT = 50;
/** Room at the right of a panel for the number beside the last mark. */
const NUMBER_WIDTH = 52;
const MARK_RADIUS = 4.5;
/** Whole answers and streams have a line of their own, so that no number lies on another. */
const LINE_SHIFT = 10;

/** A peer with a name of our own is the one that the page is about. */
const OURS = /^faregate/;

const STYLE = `
.back { fill: #ffffff; stroke: #d8dbe2 } .ink { fill: #1c2330 } .soft { fill: #5b6474 }
.grid { stroke: #e4e7ec } .band { fill: #eef4ff } .whole { fill: #5b6474 }
.stream { fill: none; stroke: #5b6474; stroke-width: 2 }
.ours .whole { fill: #1d5fd0 } .ours .stream { stroke: #1d5fd0 } .ours .ink { fill: #174ea6 }
@media (prefers-color-scheme: dark) {
.back { fill: #14181f; stroke: #313946 } .ink { fill: #e8ebf0 } .soft { fill: #a3acba }
.grid { stroke: #29303b } .band { fill: #1a2538 } .whole { fill: #a3acba } .stream { stroke: #a3acba }
.ours .whole { fill: #7fb0ff } .ours .stream { stroke: #7fb0ff } .ours .ink { fill: #a9c9ff }
}`;

interface Scale {
  /** Powers of ten from the first line to the last. */
  from: number;
  to: number;
}

/** The powers of ten between which all values lie. What is not above zero has no place on it. */
export function scaleOf(values: readonly number[]): Scale {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return { from: 0, to: 1 };
  const from = Math.floor(Math.log10(Math.min(...positive)));
  return { from, to: Math.max(from + 1, Math.ceil(Math.log10(Math.max(...positive)))) };
}

/** From 0 to 1. What lies below the scale, as noise around nothing does, stands at its beginning. */
export function placeOn({ from, to }: Scale, value: number): number {
  if (value <= 10 ** from) return 0;
  return Math.min(1, (Math.log10(value) - from) / (to - from));
}

export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function text(x: number, y: number, content: string, look: string, size = 12): string {
  const place = `x="${x.toFixed(1)}" y="${y.toFixed(1)}"`;
  return `<text ${place} font-size="${size}" ${look}>${escapeText(content)}</text>`;
}

function panelX(index: number): number {
  return NAMES_WIDTH + index * (PANEL_WIDTH + PANEL_GAP);
}

function rowY(index: number): number {
  return HEAD_HEIGHT + index * ROW_HEIGHT;
}

/** The least CPU first, so that the order says something. */
export function inOrder(peers: readonly PeerReport[]): PeerReport[] {
  return peers.toSorted((a, b) => a.whole.cpuUs.median - b.whole.cpuUs.median);
}

/** Short enough for a scale of many powers: 0.01, 1, 100, 10k, 1M. */
export function powerName(power: number): string {
  if (power < 4) return String(10 ** power);
  return power < 6 ? `${10 ** (power - 3)}k` : `${10 ** (power - 6)}M`;
}

function gridOf(scale: Scale, x: number, rows: number): string[] {
  const inner = PANEL_WIDTH - NUMBER_WIDTH;
  const powers = Array.from({ length: scale.to - scale.from + 1 }, (_, step) => scale.from + step);
  return powers.flatMap((power) => {
    const at = x + placeOn(scale, 10 ** power) * inner;
    const line = `<line class="grid" x1="${at.toFixed(1)}" x2="${at.toFixed(1)}" y1="${HEAD_HEIGHT}" y2="${rowY(rows)}"/>`;
    const name = powerName(power);
    return [line, text(at, HEAD_HEIGHT - 6, name, 'class="soft" text-anchor="middle"', 10)];
  });
}

function markOf(kind: "whole" | "stream", scale: Scale, x: number, y: number, value: number) {
  const at = x + placeOn(scale, value) * (PANEL_WIDTH - NUMBER_WIDTH);
  const mark = `<circle class="${kind}" cx="${at.toFixed(1)}" cy="${y}" r="${MARK_RADIUS}"/>`;
  return [mark, text(at + 10, y + 4, shortNumber(value), 'class="ink num"', 11)];
}

function panelOf(measure: Measure, index: number, peers: readonly PeerReport[]): string[] {
  const x = panelX(index);
  const value = (peer: PeerReport, kind: "whole" | "stream") => measure.figure(peer[kind]).median;
  const scale = scaleOf(peers.flatMap((peer) => [value(peer, "whole"), value(peer, "stream")]));
  const title = `${measure.title}${measure.unit && `, ${measure.unit}`}`;
  const marks = peers.map((peer, row) => {
    const middle = rowY(row) + ROW_HEIGHT / 2;
    const whole = markOf("whole", scale, x, middle - LINE_SHIFT, value(peer, "whole"));
    const stream = markOf("stream", scale, x, middle + LINE_SHIFT, value(peer, "stream"));
    const look = OURS.test(peer.id) ? ' class="ours"' : "";
    return `<g${look}>${[...whole, ...stream].join("")}</g>`;
  });
  return [
    text(x - 2, HEAD_HEIGHT - 26, title, 'class="ink" font-weight="600"'),
    ...gridOf(scale, x, peers.length),
    ...marks,
  ];
}

function namesOf(peers: readonly PeerReport[]): string[] {
  return peers.flatMap((peer, row) => {
    const ours = OURS.test(peer.id);
    const y = rowY(row);
    const band = `<rect class="band" x="8" y="${y + 1}" width="${WIDTH - 16}" height="${ROW_HEIGHT - 2}" rx="6"/>`;
    const name = text(20, y + 20, fullName(peer), 'class="ink" font-weight="600"', 13);
    const books = text(20, y + 36, peer.books, 'class="soft"', 11);
    return [ours ? band : "", `<g${ours ? ' class="ours"' : ""}>${name}${books}</g>`];
  });
}

function legend(): string[] {
  const y = 34;
  return [
    text(20, 30, "Gateways before one mock vendor", 'class="ink" font-weight="600"', 16),
    `<circle class="whole" cx="${panelX(1) + 6}" cy="${y - 8}" r="${MARK_RADIUS}"/>`,
    text(panelX(1) + 18, y - 4, "whole answer", 'class="soft"'),
    `<circle class="stream" cx="${panelX(1) + 116}" cy="${y - 8}" r="${MARK_RADIUS}"/>`,
    text(panelX(1) + 128, y - 4, "stream of 64 chunks", 'class="soft"'),
    text(panelX(2) + 20, y - 4, "logarithmic scales", 'class="soft"'),
  ];
}

function footOf({ machine, endedAt, load, skipped, pace }: Report, y: number): string[] {
  const busy = `load ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after`;
  const where = `${machine.cores} × ${machine.cpu}, Linux ${machine.kernel}, Bun ${machine.bun}`;
  const out = skipped.map(fullName).join("; ");
  const better = "Less is better, but for requests/s.";
  return [
    text(
      20,
      y + 20,
      `${where}; ${endedAt.slice(0, 10)}; median of ${pace.sets} sets; ${busy}`,
      'class="soft"',
      11,
    ),
    text(20, y + 36, out === "" ? better : `${better} Not run here: ${out}`, 'class="soft"', 11),
  ];
}

/** Everyone's figures as one SVG that brings its own background for light and for dark pages. */
export function chartOf(report: Report): string {
  const peers = inOrder(report.peers);
  const height = rowY(peers.length) + FOOT_HEIGHT;
  const about = `${peers.length} gateways: ${MEASURES.map(({ title }) => title).join("; ")}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif" role="img" aria-label="${escapeText(about)}">`,
    `<style>${STYLE}\n.num { font-variant-numeric: tabular-nums }</style>`,
    `<rect class="back" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="10"/>`,
    ...legend(),
    ...namesOf(peers),
    ...MEASURES.flatMap((measure, index) => panelOf(measure, index, peers)),
    ...footOf(report, rowY(peers.length)),
    "</svg>",
    "",
  ].join("\n");
}
