import { expect, test } from "bun:test";
import { chartOf, escapeText, inOrder, placeOn, powerName, scaleOf } from "./chart.ts";
import { fullName, type PeerReport, type Report, shortNumber, tableOf } from "./report.ts";
import { figureOf } from "./statistics.ts";

function peer(id: string, cpuUs: number, addedMs: number, perSecond: number): PeerReport {
  const figures = (factor: number) => ({
    cpuUs: figureOf([cpuUs * factor]),
    perSecond: figureOf([perSecond / factor]),
    addedP50Ms: figureOf([addedMs * factor]),
    addedFirstByteMs: figureOf([addedMs]),
  });
  const kinds = { whole: figures(1), stream: figures(2) };
  const about = { version: "1.2.3", runtime: "C", books: "none", proved: null, memoryMb: 10 };
  return { id, title: `The <${id}> & co`, ...about, ...kinds };
}

const report: Report = {
  startedAt: "2030-01-02T03:00:00.000Z",
  endedAt: "2030-01-02T03:04:05.000Z",
  machine: { cpu: "A chip", cores: 2, memoryGb: 8, kernel: "6.1", bun: "1.0" },
  load: { before: 0.25, after: 2 },
  pace: { sets: 3, roundSeconds: 2, settleMs: 0, busyConnections: 64 },
  peers: [peer("slow", 5_000, 40, 90), peer("faregate-sqlite", 200, -0.01, 5_000)],
  skipped: [{ id: "gone", title: "Gone", variant: "with a log", reason: "no Go here" }],
  rounds: [],
};

test("a scale goes from the power of ten below to the one above", () => {
  expect(scaleOf([35, 4_000])).toEqual({ from: 1, to: 4 });
  expect(scaleOf([100, 100])).toEqual({ from: 2, to: 3 });
  expect(scaleOf([-1, 0.2])).toEqual({ from: -1, to: 0 });
  expect(scaleOf([-1, 0])).toEqual({ from: 0, to: 1 });
});

test("a value has its place between the powers, and what is not above nothing stands at the beginning", () => {
  const scale = { from: 0, to: 2 };
  expect(placeOn(scale, 1)).toBe(0);
  expect(placeOn(scale, 10)).toBe(0.5);
  expect(placeOn(scale, 100)).toBe(1);
  expect(placeOn(scale, -3)).toBe(0);
  expect(placeOn(scale, 1_000)).toBe(1);
});

test("the names of a scale are short", () => {
  const names = [-2, 0, 3, 4, 5, 6].map(powerName);
  expect(names).toEqual(["0.01", "1", "1000", "10k", "100k", "1M"]);
});

test("the chart is whole XML, shows every number, and has the least CPU on top", () => {
  const svg = chartOf(report);
  // Every element that opens also closes, and no text can end one.
  const opened = svg.match(/<(svg|style|g|text)\b/g)?.length;
  expect(svg.match(/<\/(svg|style|g|text)>/g)?.length).toBe(opened ?? -1);
  expect(svg).toContain("The &lt;slow&gt; &amp; co 1.2.3");
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  for (const number of ["5,000", "10,000", "200", "400", "40.0", "80.0", "-0.01", "90.0", "45.0"]) {
    expect(svg).toContain(`>${number}</text>`);
  }
  expect(svg.indexOf("faregate-sqlite")).toBeLessThan(svg.indexOf("slow"));
  expect(inOrder(report.peers).map(({ id }) => id)).toEqual(["faregate-sqlite", "slow"]);
  expect(svg).toContain("Not run here: Gone, with a log");
  expect(svg).toContain("2 × A chip, Linux 6.1, Bun 1.0; 2030-01-02");
});

test("the chart has colours for light and for dark pages, and the background to go with them", () => {
  const [light = "", dark = ""] = chartOf(report).split("prefers-color-scheme: dark");
  const classes = new Set([...light.matchAll(/\.(\w+) \{/g)].map(([, name]) => name));
  for (const name of classes) {
    if (name !== "num") expect(dark).toContain(`.${name} {`);
  }
  expect(dark).toContain('<rect class="back"');
});

test("the table has a row for everyone who ran and a line for everyone who did not", () => {
  const lines = tableOf(report).split("\n");
  const cells = lines.map((line) => line.split("|").length);
  expect(new Set(cells.slice(0, 4)).size).toBe(1);
  expect(lines[3]).toContain("| 200 | -0.01 | 5,000 | 400 |");
  expect(lines.at(-1)).toBe("left out: Gone, with a log: no Go here");
});

test("numbers have about three figures, and a version stands beside the name that it belongs to", () => {
  expect([1_234.6, 99.94, 9.876, 0.123].map(shortNumber)).toEqual([
    "1,235",
    "99.9",
    "9.88",
    "0.12",
  ]);
  expect(fullName({ title: "A", variant: "SQLite", version: "1.0" })).toBe("A 1.0, SQLite");
  expect(fullName({ title: "A", version: "of this project" })).toBe("A");
  expect(escapeText("a<b & c>d")).toBe("a&lt;b &amp; c&gt;d");
});
