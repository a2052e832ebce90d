// What a command prints arrives whole, however slowly it is read, and a reader who leaves hears nothing of it.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withStore } from "../../src/cli/context.ts";
import { readConfig } from "../../src/config/config.ts";
import { openStore } from "../../src/store/open.ts";
import { count, isFull } from "../support/counts.ts";
import { perFile } from "../support/houses/house.ts";
import { ENTRY } from "./commands.ts";

const PROJECT = join(import.meta.dir, "..", "..");
/** As tests start it, and as npm does. */
const PLAIN = [process.execPath, ENTRY];
const LAUNCHED = ["node", join(PROJECT, "bin/faregate")];

/** Begins to read with the first byte, and goes on only when whoever hurries to its end has reached it. */
const SLOW_READER = "{ dd bs=1 count=1 2>/dev/null; sleep 0.2; cat; }";
const LEAVING_READER = "head -c 1";

/** More than a pipe holds, by far. */
const MUCH = count(300_000, 1_500_000);
const PADDING = "x".repeat(MUCH);

const folder = await perFile((parts) => parts.folder());
const article = join(folder, "article.md");
writeFileSync(article, "# Cranes\n\nThey stay.\n");

const draft = {
  object: "draft",
  ...{ id: "drf_1", status: "in_box", media_id: "m", writing: [], receipt: null },
  articles: [{ type: "news", title: "Cranes", source: { format: "markdown", text: PADDING } }],
};
const counts = { title: { characters: 1 }, text: { characters: 1 }, content_bytes: MUCH };
const preview = {
  ...{ object: "draft_preview", ok: true, problems: [], request: PADDING },
  articles: [{ title: "Cranes", digest: "", counts, uploads: [] }],
};
const problem = { severity: "error", article: 0, field: "title", message: PADDING };

/** Answers every call of drafts with more than anybody wants to read. */
function talker(request: Request): Response {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith("/none")) {
    const error = { message: "No.", type: "invalid_request_error", code: "preflight_failed" };
    return Response.json(
      { error: { ...error, param: null, problems: [problem] } },
      { status: 400 },
    );
  }
  if (pathname.endsWith(":preview")) return Response.json(preview);
  if (pathname.endsWith(":doctor")) {
    const findings = [{ check: "token", state: "ok", message: PADDING }];
    return Response.json({ object: "diagnosis", healthy: true, findings });
  }
  if (pathname.endsWith("/themes")) {
    const name = { en: "Calm", zh: "静" };
    return Response.json({ data: [{ id: "calm", name, about: { en: PADDING, zh: PADDING } }] });
  }
  if (pathname.endsWith("/drafts") && request.method === "GET") {
    const line = { ...draft, updated_at: "2026-11-15T00:00:00Z", articles: [{ title: PADDING }] };
    return Response.json({ object: "list", data: [line], next: null });
  }
  return Response.json(request.method === "DELETE" ? { id: "drf_1", deleted: PADDING } : draft);
}

/** An installation with long names, whose books are wrong at great length. */
async function longBooks(dataDir: string): Promise<void> {
  const config = readConfig({ FAREGATE_DATA: dataDir, FAREGATE_STATE: folder });
  await (await openStore(config, { create: true, serve: false })).close();
  await withStore(config, async ({ accounts }) => {
    const { id } = await accounts.createAccount(PADDING);
    await accounts.createKey(id, { name: PADDING });
  });
  const database = new Database(join(dataDir, "faregate.sqlite"));
  const columns = database.query<{ name: string }, []>("pragma table_info(rollups)").all();
  const hour = Math.floor(Date.now() / 3_600_000);
  const row: Record<string, string | number> = {
    account_id: "a",
    key_id: PADDING,
    model: "m",
    hour,
  };
  const names = columns.map(({ name }) => name);
  database.run(
    `insert into rollups (${names.join()}) values (${names.map(() => "?").join()})`,
    names.map((name) => row[name] ?? 1),
  );
  database.close();
}

const testbed = await perFile(async (parts) => {
  const server = parts.keep(Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: talker }));
  const dataDir = join(folder, "data");
  await longBooks(dataDir);
  const talking = { FAREGATE_URL: `http://127.0.0.1:${server.port}`, FAREGATE_API_KEY: "sk-fg-1" };
  return { env: { ...process.env, ...talking, FAREGATE_DATA: dataDir } };
});

/** Runs a command whose output goes to a reader of this kind; `code` is that of the command. */
async function piped(reader: string, command: readonly string[]) {
  const line = `{ "$@"; echo "ended with $?" >&2; } | ${reader}`;
  const shell = Bun.spawn(["sh", "-c", line, "sh", ...command], {
    env: testbed.env,
    stdout: "pipe",
    stderr: "pipe",
  });
  const texts = [new Response(shell.stdout).text(), new Response(shell.stderr).text()] as const;
  const [stdout, stderr] = await Promise.all(texts);
  const [, words = "", code = ""] = /^([\s\S]*)ended with (\d+)\n$/.exec(stderr) ?? [];
  return { stdout, stderr: words, code: Number(code) };
}

type Row = [code: number, ...command: string[]];

const JSON_COMMANDS: readonly Row[] = [
  [0, "account", "list"],
  [0, "key", "list"],
  [0, "usage"],
  [1, "verify"],
  [0, "draft", "new", "--brief", "b", "--model", "m"],
  [0, "draft", "push", article],
  [0, "draft", "push", article, "--dry-run"],
  [0, "draft", "ls"],
  [0, "draft", "get", "drf_1"],
  [0, "draft", "update", "drf_1", "--title", "T"],
  [0, "draft", "rm", "drf_1"],
  [0, "draft", "retry", "drf_1"],
  [0, "draft", "doctor"],
  [0, "draft", "themes"],
  [2, "draft", "get", "none"],
];

/** All of them, or where there is little time every second one and what ends with a failure. */
const SLOWLY_READ = JSON_COMMANDS.filter(([code], index) => isFull || code > 0 || index % 2 === 0);

describe("a reader that is slow gets everything", () => {
  test.each<Row>(SLOWLY_READ)("with exit code %i: %s %s %s", async (code, ...command) => {
    const result = await piped(SLOW_READER, [...PLAIN, ...command, "--json"]);
    expect({ code: result.code, whole: result.stdout.endsWith("}\n") }).toEqual({
      code,
      whole: true,
    });
    expect(JSON.stringify(JSON.parse(result.stdout))).toContain(PADDING);
  });

  test.each<Row>([
    [0, "key", "list"],
    [0, "draft", "ls"],
    [1, "verify"],
  ])("in a person's words too, through npm's launcher: %i %s %s", async (code, ...command) => {
    const result = await piped(SLOW_READER, [...LAUNCHED, ...command]);
    expect(result.code).toBe(code);
    expect(result.stdout.length).toBeGreaterThan(MUCH);
    expect(result.stdout).toEndWith("\n");
  });

  test("of standard error as well", async () => {
    const command = [...PLAIN, "draft", "get", "none"];
    const line = `{ "$@"; } 2>&1 >/dev/null | ${SLOW_READER}`;
    const shell = Bun.spawn(["sh", "-c", line, "sh", ...command], { env: testbed.env });
    const words = await new Response(shell.stdout).text();
    expect(words).toContain(PADDING);
  });
});

describe("a reader that leaves early is not told of", () => {
  test.each<Row>([
    [0, "key", "list", "--json"],
    [0, "draft", "get", "drf_1", "--json"],
    [1, "verify"],
    [2, "draft", "get", "none", "--json"],
  ])("with exit code %i: %s %s %s", async (code, ...command) => {
    const { stderr, ...result } = await piped(LEAVING_READER, [...PLAIN, ...command]);
    expect(result.code).toBe(code);
    expect(result.stdout).toHaveLength(1);
    expect(stderr).not.toMatch(/EPIPE|Bun v| {4}at /);
  });
});
