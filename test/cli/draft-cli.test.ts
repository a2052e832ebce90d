// The commands of drafts, as somebody types them in a folder where nothing was ever started.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { perFile, perSuite } from "../support/houses/house.ts";
import { startServer } from "../support/houses/serving.ts";
import { type JsonObject, MODEL } from "../support/samples/wires.ts";
import { type CommandResult, typed } from "./commands.ts";

const folder = await perFile((parts) => parts.folder());
const data = { FAREGATE_DATA: join(folder, "data") };
const article = join(folder, "article.md");

/** One pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

writeFileSync(join(folder, "dot.png"), Buffer.from(PNG, "base64"));
writeFileSync(article, "---\nauthor: Ada\n---\n# Cranes\n\n![dot](dot.png)\n\nThey stay.\n");

const type = (...args: string[]) => typed(["draft", ...args], data);

async function json<T = JsonObject>(...args: string[]): Promise<T> {
  const result = await type(...args, "--json");
  expect({ code: result.code, stderr: result.stderr }).toMatchObject({ code: 0 });
  return JSON.parse(result.stdout) as T;
}

function expectExit(result: CommandResult, code: number, words: RegExp): void {
  expect({ code: result.code, stderr: result.stderr }).toEqual({
    code,
    stderr: expect.stringMatching(words),
  });
}

describe("on a fresh install", () => {
  test("a command that is written wrongly starts nothing", async () => {
    expectExit(await type("fly"), 2, /new, push, ls/);
    expectExit(await type("new", "--brief", "x"), 2, /--model is missing/);
    expectExit(await type("ls"), 0, /A new installation was made/);
  });

  test("a brief ends with a media_id", async () => {
    const result = await type("new", "--brief", "Write about cranes", "--model", MODEL);
    expect(result.code).toBe(0);
    expect(result.stdout).toMatch(/media_id {2}\S{20,}/);
    expect(result.stdout).toMatch(/write +sandbox-1\.0, 0\.00\d+ USD, req_/);
    const { data: drafts } = await json<{ data: JsonObject[] }>("ls");
    expect(drafts).toMatchObject([{ status: "in_box" }]);
  });
});

describe("beside a server", () => {
  const server = perSuite(async (parts) => parts.keep(await startServer(data)));

  test("the same drafts are seen through it, with the key of the command line", async () => {
    const { data: drafts } = await json<{ data: JsonObject[] }>("ls");
    expect(drafts).toHaveLength(1);
    const { keys } = await server.command<{ keys: JsonObject[] }>("key", "list");
    const own = keys.filter(({ name }) => name === "command line");
    expect(own).toHaveLength(1);
    await server.command("key", "disable", String(own[0]?.id));
    expectExit(await type("ls"), 3, /disabled.*"command line" of the operator account/);
    await server.command("key", "enable", String(own[0]?.id));
    expect((await type("ls")).code).toBe(0);
  });

  test("a file goes its way with its pictures, is changed, and is deleted", async () => {
    const tried = await json("push", article, "--dry-run");
    expect(tried).toMatchObject({ ok: true, articles: [{ title: "Cranes", author: "Ada" }] });
    const draft = await json("push", article, "--theme", "ink", "--digest", "Of cranes.");
    expect(draft).toMatchObject({ status: "in_box", receipt: { uploaded_files: 2 } });
    const id = String(draft.id);
    const changed = await json("update", id, "--title", "Storks");
    expect(changed).toMatchObject({ id, media_id: draft.media_id, pushed_version: 2 });
    expect(await json("get", id)).toMatchObject({ box: { articles: [{ title: "Storks" }] } });
    expect((await type("get", id)).stdout).toContain(`Draft ${id} is in box: Storks`);
    expect(await json("rm", id)).toMatchObject({ id, deleted: true });
    expectExit(await type("get", id), 2, /no such draft/);
  });

  test("a file that is a draft already is updated or added again only when that is said", async () => {
    const path = join(folder, "again.md");
    writeFileSync(path, "---\nauthor: Ada\n---\n# Geese\n\nThey come.\n");
    const first = await json("push", path, "--digest", "Kept.");
    const chinese = { ...data, FAREGATE_LANG: "zh" };
    const again = await typed(["draft", "push", path, "--json"], chinese);
    expectExit(again, 6, /已是草稿 .*“Geese”，已在草稿箱.*--update/);
    expect(JSON.parse(again.stdout)).toMatchObject({
      error: {
        ...{ code: "draft_exists", draft_id: first.id, status: "in_box", title: "Geese" },
        message: expect.stringContaining('"Geese", in_box'),
      },
    });
    writeFileSync(path, "---\nauthor: Bob\n---\n# Swans\n\nThey go.\n");
    expect(await json("push", path, "--update")).toMatchObject({
      ...{ id: first.id, media_id: first.media_id, pushed_version: 2 },
      articles: [{ title: "Swans", author: "Bob", digest: "Kept." }],
    });
    const second = await json("push", path, "--new");
    expect(second.id).not.toBe(first.id);
    expectExit(await type("push", path), 6, new RegExp(`already draft ${second.id}`));
    await json("rm", String(second.id));
    expectExit(await type("push", path), 6, new RegExp(`already draft ${first.id}`));
    await json("rm", String(first.id));
    const third = await json("push", path, "--key", "k1");
    expect(await json("push", path, "--key", "k1")).toMatchObject({ id: third.id });
    expectExit(await type("push", path, "--update", "--new"), 2, /not both/);
  });

  test("a push tells what was taken out, and where it stands in the file", async () => {
    const path = join(folder, "filtered.md");
    const lines = ["---", "author: Ada", "---", "# Reeds", "", "Text.", ""];
    const html = [
      "<iframe src=x></iframe>",
      "",
      '<p onclick="f()" style="position:fixed">Stay.</p>',
    ];
    writeFileSync(path, [...lines, ...html].join("\n"));
    const pushed = await type("push", path);
    expect(pushed).toMatchObject({ code: 0, stderr: "" });
    expect(pushed.stdout).toContain("Warnings:");
    expect(pushed.stdout).toContain("were taken out: <iframe>.");
    expect(pushed.stdout).toContain(`    <iframe>: ${path}, line 8\n`);
    expect(pushed.stdout).toContain(`    onclick: ${path}, line 10\n`);
    expect(pushed.stdout).toContain(`    position: ${path}, line 10`);
    const again = await json<{ receipt: JsonObject }>("push", path, "--update");
    expect(again.receipt.warnings).toContainEqual(
      expect.objectContaining({ taken: [{ name: "<iframe>", lines: [5] }] }),
    );
  });

  test("whatever a push says of a line, warned of or refused, is the line of the file", async () => {
    const path = join(folder, "lines.md");
    const settings = ["---", "author: Ada", "---", "# Reeds", ""];
    const write = (...text: string[]) => writeFileSync(path, [...settings, ...text].join("\n"));
    write("```mermaid", "graph", "```");
    const warned = await type("push", path, "--new");
    expect(warned.stdout).toContain("The diagram in line 6 (mermaid) is not drawn.");
    const inChinese = { ...data, FAREGATE_LANG: "zh" };
    const chinese = await typed(["draft", "push", path, "--new", "--dry-run"], inChinese);
    expect(chinese.stdout).toContain("第 6 行的图表（mermaid）");
    write("Text.", "", "![](http://127.0.0.1:9/a.png)");
    const refused = await type("push", path, "--new", "--json");
    expectExit(refused, 2, /127\.0\.0\.1:9\/a\.png \(line 8\): /);
    // Programs get what the server says, whose text has no settings above it.
    const { error } = JSON.parse(refused.stdout) as { error: { problems: JsonObject[] } };
    expect(error.problems).toContainEqual(expect.objectContaining({ line: 5 }));
  });

  test("refusals have their exit codes, and --json has the error", async () => {
    const long = await type("push", article, "--title", "x".repeat(33), "--json");
    expectExit(long, 2, /articles\[0\]\.title: The title has 33 characters; at most 32/);
    expect(JSON.parse(long.stdout)).toMatchObject({ error: { code: "preflight_failed" } });
    expectExit(await type("push", article, "--account", "none"), 2, /no such public account/);
    expectExit(await type("push", article, "--publish"), 3, /FAREGATE_DRAFTS_PUBLISH/);
    expectExit(await type("new", "--brief", "b", "--model", "none"), 2, /does not exist/);
    expectExit(await type("push", join(folder, "none.md")), 2, /no file/);
  });

  test("the doctor and the themes are there", async () => {
    expect(await json("doctor")).toMatchObject({ healthy: true });
    expect((await type("themes")).stdout).toContain("engineer");
  });

  test("a server and a key can be named", async () => {
    const { key } = await server.account("1");
    const named = { FAREGATE_DATA: join(folder, "nowhere"), FAREGATE_URL: server.url };
    const asked = (settings: Record<string, string>) =>
      typed(["draft", "ls"], { ...named, ...settings });
    expectExit(await asked({}), 2, /set FAREGATE_API_KEY/);
    expectExit(await asked({ FAREGATE_API_KEY: "sk-fg-none" }), 3, /Incorrect API key/);
    expect(await asked({ FAREGATE_API_KEY: key })).toMatchObject({ code: 0, stdout: "none\n" });
  });

  test("a key without money is told what helps", async () => {
    const { key } = await server.account("0");
    const named = { FAREGATE_URL: server.url, FAREGATE_API_KEY: key };
    const brief = ["draft", "new", "--brief", "b", "--model", "sandbox-1.0"];
    expectExit(await typed(brief, named), 4, /exceeded!.*\nTop up the balance\.\n/);
  });
});
