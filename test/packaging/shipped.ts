// What every way in must do that people can start: serve a first call, push a draft, back up, and upgrade.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import project from "../../package.json" with { type: "json" };
import { leaveEarlierBooks } from "../store/earlier-books.ts";
import { SQLITE } from "../store/engines.ts";
import { isHurried } from "../support/counts.ts";
import { freePort } from "../support/free-port.ts";
import type { Parts } from "../support/houses/house.ts";
import { partsOfTest } from "../support/houses/house.ts";

export const PROJECT = join(import.meta.dir, "..", "..");

/** Runs a script of this project. */
export async function script(...words: readonly string[]): Promise<void> {
  const command = ["node", "bin/with-bun", ...words];
  const child = Bun.spawn(command, { cwd: PROJECT, stdout: "ignore", stderr: "pipe" });
  const errors = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(errors);
}

/** Builds the package for npm: its tarball, as npm would download it, and the folder that is in it. */
export async function buildPackage(folder: string) {
  await script("dev/ship/package.ts", "--into", folder);
  return { folder, tarball: join(folder, `faregate-${project.version}.tgz`) };
}

/** How one way in is started. Its folder is empty and far from the sources. */
export interface Shipped {
  readonly command: readonly string[];
  readonly cwd: string;
}

/** Nothing but a path: no locale, no home, no settings of the person who runs the tests. */
const BARE = { PATH: process.env.PATH ?? "" };

type Settings = Readonly<Record<string, string>>;

export async function run({ command, cwd }: Shipped, args: readonly string[], settings: Settings) {
  const child = Bun.spawn([...command, ...args], {
    cwd,
    env: { ...BARE, ...settings },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

/** Reads until the greeting is whole, which ends with the link to the console at a first start. */
async function greetingOf(stream: ReadableStream<Uint8Array>, last: string): Promise<string> {
  let text = "";
  for await (const bytes of stream) {
    text += Buffer.from(bytes).toString();
    if (text.includes(last)) return text;
  }
  throw new Error(`the server ended before it was ready: ${text}`);
}

export async function serve(parts: Parts, shipped: Shipped, settings: Settings, last = "welcome#") {
  const child = Bun.spawn([...shipped.command, "serve"], {
    cwd: shipped.cwd,
    env: { ...BARE, FAREGATE_PORT: "0", FAREGATE_LOG: "error", ...settings },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const errors = new Response(child.stderr).text();
  parts.defer(() => child.kill("SIGKILL"));
  const greeting = await greetingOf(child.stdout, last).catch(async (thrown: Error) => {
    throw new Error(`${thrown.message}${await errors}`);
  });
  const [url = ""] = /http:\/\/[^\s/]+/.exec(greeting) ?? [];
  const [key = ""] = /sk-fg-\w+/.exec(greeting) ?? [];
  const ended = child.exited.then(async (code) => ({ code, errors: await errors }));
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { url, key, pid: child.pid, stop, ended };
}

export async function firstCall(url: string, key: string): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-1.0", messages: [{ role: "user", content: "Hi." }] }),
  });
}

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const ARTICLE = `---
author: Ada
---
# 鹤与数

![dot](dot.png)

A formula: $\\mathfrak{A} = \\frac{1}{2}$.

\`\`\`rust
fn main() {}
\`\`\`
`;

/** One sentence for a person, that names a setting or a path, and no stack trace. */
export const oneSentence = (...words: readonly string[]) => ({
  code: 2,
  stderr: expect.stringMatching(
    new RegExp(
      `^faregate: [^\\n]*${words.join("[^\\n]*")}[^\\n]*\\n(?:Run "faregate help"[^\\n]*\\n)?$`,
    ),
  ),
});

/** `typed` is what a person types for this way in. Without `whole` a run of everything leaves some tests out. */
export function testShipped(
  name: string,
  shipped: Shipped,
  { typed, whole }: { readonly typed: string; readonly whole: boolean },
): void {
  const parts = partsOfTest();
  const place = (data = join(parts.folder(), "data")) => ({
    FAREGATE_DATA: data,
    FAREGATE_STATE: `${data}-state`,
    // An executable unpacks the drawing library there, and leaves it for the next start.
    TMPDIR: parts.folder(),
  });

  describe(name, () => {
    test("serves a first call, the console and the documents", async () => {
      const server = await serve(parts, shipped, place());
      const answer = await firstCall(server.url, server.key);
      expect(await answer.json()).toMatchObject({ object: "chat.completion" });
      const page = await (await fetch(`${server.url}/console/`)).text();
      const [, script = ""] = /src="(\/console\/assets\/[^"]+)"/.exec(page) ?? [];
      expect((await fetch(server.url + script)).status).toBe(200);
      expect(await (await fetch(`${server.url}/docs/billing`)).text()).toContain("<h1>");
      const { code, errors } = await server.stop();
      expect(code).toBe(0);
      expect(errors).not.toMatch(/"level":"(?:warn|error)"/);
    });

    test("names a command that is there when it refuses a call", async () => {
      const settings = place();
      const server = await serve(parts, shipped, settings);
      const { keys } = JSON.parse((await run(shipped, ["key", "list", "--json"], settings)).stdout);
      const set = ["key", "set", keys[0].id, "--budget", "0.01", "--hard", "yes"];
      expect(await run(shipped, set, settings)).toMatchObject({ code: 0 });
      let answer = await firstCall(server.url, server.key);
      while (answer.ok) answer = await firstCall(server.url, server.key);
      expect(answer.headers.get("x-faregate-fix")).toContain(`with: ${typed} key set`);
      expect((await server.stop()).code).toBe(0);
    });

    test("pushes a draft with a picture, a formula, code and a card in Chinese", async () => {
      const settings = place();
      const server = await serve(parts, shipped, settings);
      const folder = parts.folder();
      writeFileSync(join(folder, "dot.png"), Buffer.from(PNG, "base64"));
      writeFileSync(join(folder, "article.md"), ARTICLE);
      const push = async (...more: string[]) => {
        const words = ["draft", "push", join(folder, "article.md"), "--json", ...more];
        const { code, stdout, stderr } = await run(shipped, words, settings);
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        return stdout;
      };
      const preview = await push("--dry-run");
      expect(preview).toContain("<svg");
      expect(preview).not.toContain("mathfrak");
      // The picture, and the card that is the cover.
      const draft = JSON.parse(await push());
      expect(draft).toMatchObject({ status: "in_box", receipt: { uploaded_files: 2 } });
      expect((await server.stop()).code).toBe(0);
    });

    // In a run of everything one way in is enough.
    const rest = isHurried && !whole ? test.skip : test;

    rest("backs up, restores and verifies", async () => {
      const settings = place();
      const server = await serve(parts, shipped, settings);
      await (await firstCall(server.url, server.key)).text();
      const file = join(parts.folder(), "backup.tar");
      expect(await run(shipped, ["backup", file, "--json"], settings)).toMatchObject({ code: 0 });
      expect((await server.stop()).code).toBe(0);
      const other = place();
      const restored = await run(shipped, ["restore", file, "--json"], other);
      expect(restored).toMatchObject({ code: 0, stderr: "" });
      expect(JSON.parse(restored.stdout)).toMatchObject({ receipts: 1, problems: [] });
      const verified = await run(shipped, ["verify", "--json"], other);
      expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true });
    });

    rest("upgrades the folder of an earlier version, and refuses that of a later one", async () => {
      const site = await SQLITE.emptySite(parts);
      await leaveEarlierBooks(site, 12);
      const data = join(parts.folder(), "data");
      cpSync(site.settings.FAREGATE_DATA, data, { recursive: true });
      const settings = place(data);
      const server = await serve(parts, shipped, settings, "/v1");
      expect((await fetch(`${server.url}/v1/models`)).status).toBe(401);
      expect((await server.stop()).code).toBe(0);
      const verified = await run(shipped, ["verify", "--json"], settings);
      expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, receipts: 3 });

      const db = new Database(join(data, "faregate.sqlite"));
      db.run("pragma user_version = 9999");
      db.close();
      expect(await run(shipped, ["serve"], settings)).toMatchObject(oneSentence("newer|later"));
    });

    rest("says in one sentence what is wrong with the folder or the port", async () => {
      const blocked = { FAREGATE_DATA: "/proc/faregate/data", FAREGATE_PORT: "0" };
      expect(await run(shipped, ["serve"], blocked)).toMatchObject(
        oneSentence("cannot be written to", "FAREGATE_DATA"),
      );
      const port = await freePort();
      const taken = Bun.serve({ hostname: "127.0.0.1", port, fetch: () => new Response() });
      parts.defer(() => taken.stop(true));
      const settings = { ...place(), FAREGATE_PORT: String(port) };
      expect(await run(shipped, ["serve"], settings)).toMatchObject(oneSentence("FAREGATE_PORT"));
    });
  });
}
