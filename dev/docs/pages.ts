// Parts of the documents that are made from the code: a page names each between two comments.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Glob } from "bun";
import { COMMAND_ERRORS } from "../../src/cli/terminal/arguments.ts";
import { startApp } from "../../src/compose/app.ts";
import { readConfig } from "../../src/config/config.ts";
import { LIMIT_AREAS, limitVariable } from "../../src/config/limits.ts";
import { SETTING_AREAS } from "../../src/config/settings.ts";
import { UNOFFERED } from "../../src/gateway/routes/unoffered.ts";
import { FAULTS } from "../../src/lib/faults.ts";
import { UNOFFERED_FIELDS } from "../../src/protocols/unoffered-fields.ts";
import { openStore } from "../../src/store/open.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { apiLists } from "./api-lists.ts";
import { code, groupedBy, table } from "./tables.ts";

const docsDir = join(import.meta.dir, "..", "..", "docs");
const MARKED = /(<!-- generated: ([^>]+) -->\n)[\s\S]*?(<!-- end -->)/g;

type Section = readonly [name: string, text: string];

function settingSections(): Section[] {
  return Object.entries(SETTING_AREAS).map(([area, settings]) => {
    const rows = Object.entries<readonly [string, string]>(settings).map(
      ([name, [value, about]]) => [code(name), code(value), about],
    );
    const hasDefaults = rows.some(([, value]) => value !== "");
    const text = hasDefaults
      ? table(["variable", "default", "what it is"], rows)
      : table(
          ["variable", "what it is"],
          rows.map(([name = "", , about = ""]) => [name, about]),
        );
    return [`settings ${area}`, text];
  });
}

function limitSection(): Section {
  const areas = Object.entries(LIMIT_AREAS).map(([area, limits]) => {
    const rows = Object.entries<readonly [number, string, unknown?]>(limits).map(
      ([name, [value, about]]) => [code(limitVariable(name)), value.toLocaleString("en-US"), about],
    );
    return `### ${area}\n\n${table(["variable", "default", "what it limits"], rows)}`;
  });
  return ["limits", areas.join("\n\n")];
}

interface FaultRow {
  readonly status: number;
  readonly type: string;
  readonly about: string;
  readonly code?: string;
  readonly retry?: boolean;
}

/** What the header `x-should-retry` says; a 429 has `retry-after` instead. */
function retryWord(status: number, retry: boolean | undefined): string {
  if (retry !== undefined) return retry ? "yes" : "no";
  if (status === 429) return "later";
  return status < 500 ? "no" : "";
}

function errorSections(): Section[] {
  const rows = Object.entries<FaultRow>(FAULTS).map(([name, row]) => ({
    ...row,
    code: row.code ?? name,
  }));
  const alike = groupedBy(rows, ({ status, type, about, retry }) =>
    [status, type, about, retry].join(" "),
  );
  const cells = alike.map((group) => {
    const [{ status = 0, about = "", retry } = {}] = group;
    const codes = [...new Set(group.map((row) => code(row.code)))].join(", ");
    return [String(status), codes, about, retryWord(status, retry)];
  });
  const byStatus = cells.toSorted(([one = ""], [other = ""]) => one.localeCompare(other));
  const types = groupedBy(rows, ({ type }) => type).map((ofType) => {
    const codes = [...new Set(ofType.map((row) => code(row.code)))];
    return { type: code(ofType[0]?.type ?? ""), codes };
  });
  const [common, ...others] = types.toSorted((one, other) => other.codes.length - one.codes.length);
  const exceptions = others.map(({ type, codes: [first = "", ...more] }) => {
    const word = first === code("400") ? "the code " : "";
    return `${type} for ${word}${[first, ...more].join(", ")}`;
  });
  const typeWords = `The \`type\` is ${common?.type}, except ${exceptions.join("; ")}.`;
  const commands = Object.entries(COMMAND_ERRORS).map(([name, { exit, about }]) => [
    code(name),
    String(exit),
    about,
  ]);
  return [
    ["errors", `${typeWords}\n\n${table(["status", "`code`", "when", "retry"], byStatus)}`],
    ["command errors", table(["`code`", "exit code", "when"], commands)],
  ];
}

const FACE_NAMES: Readonly<Record<string, string>> = {
  openai: "OpenAI",
  messages: "Anthropic",
  gemini: "Google",
};

function unofferedSections(): Section[] {
  const paths = UNOFFERED.filter(({ face, path }) => face !== "gemini" || !path.startsWith("/v1/"));
  const faces = groupedBy(paths, ({ face, anyClient }) => (anyClient ? "any" : face));
  const pathLines = faces.map((group) => {
    const [{ face = "", anyClient } = {}] = group;
    const name = anyClient ? "Other gateways and servers" : (FACE_NAMES[face] ?? face);
    return `- ${name}: ${group.map(({ path }) => code(path)).join(", ")}`;
  });
  const wires = groupedBy(
    UNOFFERED_FIELDS.map((field) => ({
      name: field.name,
      wires: field.wires.map(code).join(", "),
    })),
    ({ name }) => name,
  );
  const fields = wires.map((group) => {
    const all = group.map((field) => field.wires).join(", ");
    return `- ${code(group[0]?.name ?? "")}: ${all}`;
  });
  return [
    ["paths not offered", pathLines.join("\n")],
    ["fields not offered", fields.join("\n")],
  ];
}

/** The help of each metric, as a server prints it for Prometheus. */
function metricsSection(text: string): Section {
  const rows = [...text.matchAll(/^# HELP (\w+) (.+)$/gm)].map(([, name = "", help = ""]) => [
    code(name),
    help.replace(/\.$/, ""),
  ]);
  return ["metrics", table(["metric", "what it is"], rows)];
}

/** Runs `use` beside a fresh server. */
async function besideServer<T>(
  settings: Readonly<Record<string, string>>,
  use: (app: Awaited<ReturnType<typeof startApp>>) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "faregate-docs-"));
  const config = readConfig({ FAREGATE_DATA: folder, FAREGATE_PORT: "0", ...settings });
  const store = await openStore(config, { create: true, serve: true });
  const app = await startApp(config, store, createLog("error"));
  try {
    return await use(app);
  } finally {
    await app.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Sections that only a server knows: its routes and its metrics. */
async function serverSections(): Promise<Section[]> {
  const { platform, others } = await besideServer({}, ({ routes }) => apiLists(routes));
  const metrics = await besideServer({ FAREGATE_METRICS_PUBLIC: "on" }, async ({ port }) =>
    (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
  );
  return [["api", others], ["api platform", platform], metricsSection(metrics)];
}

/** Pages of docs/ with generated parts, by their paths: as they are, and as they should be. */
export async function generatedPages() {
  const sections = new Map<string, string>([
    ...settingSections(),
    limitSection(),
    ...errorSections(),
    ...unofferedSections(),
    ...(await serverSections()),
  ]);
  const pages: { path: string; text: string; current: string }[] = [];
  for (const name of [...new Glob("*.md").scanSync(docsDir)].sort()) {
    const path = join(docsDir, name);
    const text = await Bun.file(path).text();
    const current = text.replace(MARKED, (_, start: string, section: string, end: string) => {
      const made = sections.get(section);
      if (made === undefined)
        throw new Error(`${name} asks for "${section}", which does not exist.`);
      return `${start}\n${made}\n\n${end}`;
    });
    if (MARKED.test(text)) pages.push({ path: `docs/${name}`, text, current });
    MARKED.lastIndex = 0;
  }
  return { pages, sections };
}
