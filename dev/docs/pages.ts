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
import { apiTables } from "./api-tables.ts";
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

function errorSections(): Section[] {
  const rows = Object.entries<FaultRow>(FAULTS).map(([name, row]) => ({
    ...row,
    code: row.code ?? name,
  }));
  const types = groupedBy(rows, ({ type }) => type).map((ofType) => {
    const alike = groupedBy(ofType, ({ status, about, retry }) => `${status} ${about} ${retry}`);
    const cells = alike.map((group) => {
      const [{ status = 0, about = "", retry } = {}] = group;
      const codes = [...new Set(group.map((row) => code(row.code)))].join(", ");
      const isSaid = retry === undefined ? "" : retry ? "yes" : "no";
      return [String(status), codes, about, isSaid];
    });
    const byStatus = cells.toSorted(([one = ""], [other = ""]) => one.localeCompare(other));
    return `### Type \`${ofType[0]?.type}\`\n\n${table(["status", "`code`", "when", "retry"], byStatus)}`;
  });
  const commands = Object.entries(COMMAND_ERRORS).map(([name, { exit, about }]) => [
    code(name),
    String(exit),
    about,
  ]);
  return [
    ["errors", types.join("\n\n")],
    ["command errors", table(["`code`", "exit code", "when"], commands)],
  ];
}

function unofferedSections(): Section[] {
  const paths = UNOFFERED.filter(({ face, path }) => face !== "gemini" || !path.startsWith("/v1/"));
  const pathRows = groupedBy(paths, ({ says }) => says).map((group) => [
    [...new Set(group.map(({ path }) => code(path)))].join(", "),
    group[0]?.says ?? "",
  ]);
  const fieldRows = UNOFFERED_FIELDS.map(({ wires, name, says }) => [
    wires.map(code).join(", "),
    code(name),
    says,
  ]);
  return [
    ["paths not offered", table(["path", "message"], pathRows)],
    ["fields not offered", table(["wire", "field", "message"], fieldRows)],
  ];
}

/** The help of each metric, as a server prints it for Prometheus. */
function metricsSection(text: string): Section {
  const kinds = new Map(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, ...pair]) => pair as [string, string]),
  );
  const rows = [...text.matchAll(/^# HELP (\w+) (.+)$/gm)].map(([, name = "", help = ""]) => [
    code(name),
    kinds.get(name) ?? "",
    help.replace(/\.$/, ""),
  ]);
  return ["metrics", table(["metric", "kind", "what it is"], rows)];
}

/** What only a server knows: its routes and its metrics. */
async function serverSections(): Promise<Section[]> {
  const folder = mkdtempSync(join(tmpdir(), "faregate-docs-"));
  const config = readConfig({
    ...{ FAREGATE_DATA: folder, FAREGATE_PORT: "0", FAREGATE_METRICS_PUBLIC: "on" },
  });
  const store = await openStore(config, { create: true, serve: true });
  const app = await startApp(config, store, createLog("error"));
  try {
    const metrics = await fetch(`http://127.0.0.1:${app.port}/metrics`);
    return [["api", await apiTables(app.routes)], metricsSection(await metrics.text())];
  } finally {
    await app.stop();
    rmSync(folder, { recursive: true });
  }
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
