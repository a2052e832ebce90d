// npm run ship:table prints the size of each way in, and the time until the first call is answered.
//
//   --clone   also measures a clone, whose npm install takes minutes
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Glob } from "bun";
import project from "../../package.json" with { type: "json" };
import { buildDir, megabytes, projectDir, sizeOf } from "./stage.ts";

interface Row {
  readonly way: string;
  readonly download: string;
  readonly installed: string;
  /** Until the first answer, with nothing there before. */
  readonly firstMs: number;
  /** The same at the second start. */
  readonly laterMs: number;
}

type Variables = Readonly<Record<string, string>>;

/** The environment of a person, without what the launcher and npm added for this script. */
const OUTSIDE = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:FAREGATE_|npm_|BUN_)/.test(name)),
);

const { values: flags } = parseArgs({ options: { clone: { type: "boolean", default: false } } });
const work = mkdtempSync(join(tmpdir(), "faregate-table-"));

function newFolder(name: string): string {
  const path = join(work, name);
  mkdirSync(path, { recursive: true });
  return path;
}

async function run(command: readonly string[], cwd: string): Promise<void> {
  const child = Bun.spawn([...command], { cwd, env: OUTSIDE, stdout: "ignore", stderr: "pipe" });
  const words = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${words}`);
}

async function greetingOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const bytes of stream) {
    text += Buffer.from(bytes).toString();
    if (/sk-fg-\w+"/.test(text)) return text;
  }
  throw new Error(`The server ended before it was ready: ${text}`);
}

/** Starts a server on a new data folder, makes the first call, and stops it. */
async function firstAnswer(command: readonly string[], cwd: string, more: Variables = {}) {
  const startedMs = performance.now();
  const data = mkdtempSync(join(work, "data-"));
  const place = { FAREGATE_DATA: data, FAREGATE_STATE: `${data}-state`, FAREGATE_PORT: "0" };
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...OUTSIDE, ...place, ...more },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const greeting = await greetingOf(child.stdout);
  const [url] = /http:\/\/[^\s/]+\/v1/.exec(greeting) ?? [];
  const [key] = /sk-fg-\w+/.exec(greeting) ?? [];
  const answer = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-1.0", messages: [{ role: "user", content: "Hi." }] }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  await answer.json();
  const tookMs = performance.now() - startedMs;
  child.kill("SIGTERM");
  await child.exited;
  return tookMs;
}

const script = (...words: readonly string[]) =>
  run(["node", join(projectDir, "bin", "with-bun"), ...words], projectDir);

async function npx(): Promise<Row> {
  await script("dev/ship/package.ts");
  const tarball = join(buildDir, `faregate-${project.version}.tgz`);
  const cache = newFolder("npm-cache");
  const command = ["npx", "-y", `--package=${tarball}`, "--", "faregate", "serve"];
  const firstMs = await firstAnswer(command, newFolder("npx"), { npm_config_cache: cache });
  const download = megabytes(sizeOf(join(cache, "_cacache")));
  const installed = megabytes(sizeOf(join(cache, "_npx")));
  // npx unpacks a package that is given as a file again at each start. One from a registry stays.
  const [launcher = ""] = new Glob("*/node_modules/.bin/faregate").scanSync({
    cwd: join(cache, "_npx"),
    absolute: true,
    onlyFiles: false,
  });
  const laterMs = await firstAnswer([launcher, "serve"], newFolder("npx-later"));
  return { way: "npx", download, installed, firstMs, laterMs };
}

async function executable(): Promise<Row> {
  await script("dev/ship/binary.ts", "--target", "linux-x64");
  const file = join(buildDir, "binary", `faregate-${project.version}-linux-x64`);
  const size = megabytes(Bun.file(file).size);
  const start = () => firstAnswer([file, "serve"], newFolder("executable"));
  const way = "executable, linux-x64";
  return { way, download: size, installed: size, firstMs: await start(), laterMs: await start() };
}

async function clone(): Promise<Row> {
  const folder = join(work, "clone");
  const startedMs = performance.now();
  await run(["git", "clone", "--quiet", projectDir, folder], work);
  const download = megabytes(sizeOf(join(folder, ".git")));
  await run(["npm", "install"], folder);
  const installMs = performance.now() - startedMs;
  const start = () => firstAnswer(["npm", "start"], folder);
  const firstMs = installMs + (await start());
  const installed = megabytes(sizeOf(folder));
  return { way: "clone", download, installed, firstMs, laterMs: await start() };
}

const ways = flags.clone ? [npx, executable, clone] : [npx, executable];
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
try {
  console.log("| way in | download | on disk | first answer | first answer when installed |");
  console.log("| --- | --- | --- | --- | --- |");
  for (const measure of ways) {
    const { way, download, installed, firstMs, laterMs } = await measure();
    const cells = [way, download, installed, seconds(firstMs), seconds(laterMs)];
    console.log(`| ${cells.join(" | ")} |`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
