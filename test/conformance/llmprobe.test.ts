// An independent suite for the wire, run as its users run it.
import { beforeAll, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";

const MODEL = "sandbox-1.0";
const SURFACES = ["models", "chat", "responses", "messages", "count-tokens"];
const PROBE = join(
  dirname(fileURLToPath(import.meta.resolve("llmprobe/package.json"))),
  "bin/dist/llmprobe.mjs",
);

interface Check {
  readonly id: string;
  readonly surface: string;
  readonly outcome: string;
  readonly failures: readonly unknown[];
}

interface Report {
  readonly conformance: {
    readonly bySurface: readonly { surface: string; passed: number; total: number }[];
    readonly results: readonly Check[];
  };
}

const { server } = await perFile(serve);
let exitCode: number;
let report: Report;

beforeAll(async () => {
  const target = [server.url, "-k", server.firstKey, "-m", MODEL];
  const quiet = ["--no-save", "--no-bench", "--json"];
  const child = Bun.spawn([process.execPath, PROBE, ...target, ...quiet], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  exitCode = await child.exited;
  if (!output.startsWith("{")) throw new Error(`llmprobe gave no report: ${output}${errors}`);
  report = JSON.parse(output);
});

test("no required check fails", () => {
  const failed = report.conformance.results.filter(
    ({ outcome }) => !["pass", "skipped", "unsupported", "inconclusive"].includes(outcome),
  );
  expect(failed).toEqual([]);
  expect(exitCode).toBe(0);
});

test("every surface we serve was found and passed in full", () => {
  const { bySurface } = report.conformance;
  expect(bySurface.map(({ surface }) => surface).toSorted()).toEqual(SURFACES.toSorted());
  for (const { surface, passed, total } of bySurface) {
    expect(`${surface}: ${passed} of ${total}`).toBe(`${surface}: ${total} of ${total}`);
    expect(total).toBeGreaterThan(0);
  }
});

test("what it calls unsupported is what we refuse on purpose", () => {
  const refused = report.conformance.results
    .filter(({ surface, outcome }) => SURFACES.includes(surface) && outcome === "unsupported")
    .map(({ id }) => id);
  const known = [
    // Refused with 400: nothing runs unattended on a prepaid balance.
    "responses-background",
    // Two that the suite itself does not try on this surface.
    "responses-mcp-tools",
    "responses-reasoning-roundtrip",
  ];
  expect(refused.toSorted()).toEqual(known);
});

test("the books agree after all of it", async () => {
  expect(await server.command("verify")).toMatchObject({ ok: true });
  const key = await (await server.fetch("/key", server.firstKey)).json();
  expect(key).toMatchObject({ held: "0.0" });
});
