// How long the gateway's loop stands still, and how long tokens of others stay away, while somebody has the worst
// articles rendered, loads pages of ten million requests, sends the largest bodies, goes on from a long conversation and
// gets very long answers.
//
//   npm run bench:gap                       ten million rows, made once and kept for further runs
//   npm run bench:gap -- --rows 200000      fewer
import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import { type Browser, newOperator } from "../../test/support/browser.ts";
import { type Child, type Children, freePort, runCommand } from "../children.ts";
import { seed, sqliteSink } from "../console/seed.ts";
import { Traffic } from "../console/traffic.ts";
import { createTenant, type House, startGateway } from "../gateway.ts";
import { runBench, say } from "../main.ts";
import { type Gap, openGap } from "./gap-file.ts";
import {
  ANSWER_KINDS,
  answers,
  articles,
  BODY_KINDS,
  bodies,
  conversation,
  pages,
  type Trouble,
} from "./trouble.ts";

const GAP_MS_MAX = 50;
const STREAMS = 16;
const TOKEN_MS = 8;
/** More than any run takes. */
const TOKENS = 30_000;
const QUIET_MS = 3_000;
const STREAM_MODEL = "gpt-4.1-mini";
/** Of another vendor, which is another process: to read such a body keeps it from sending tokens. */
const BODY_MODEL = "mistral-medium-3.5";
/** Of a third one, which sends that much. */
const ANSWER_MODEL = "deepseek-flash";

interface Options {
  rows: number;
}

const USAGE = "usage: npm run bench:gap -- [--rows N]";

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { rows: { type: "string", default: "10000000" } },
  });
  const rows = Number(values.rows);
  if (!Number.isInteger(rows) || rows < 1) throw new Error("--rows is a count from 1");
  return { rows };
}

const folderOf = (rows: number) => join(tmpdir(), `faregate-bench-gap-${rows}`);
/** Under another name until all of it is there: it is not to be taken for whole. */
const unfinishedOf = (rows: number) => `${folderOf(rows)}-${process.pid}`;

/** A data folder with so many requests in it, made at the first run. */
async function filledFolder(rows: number): Promise<string> {
  const folder = folderOf(rows);
  if (existsSync(folder)) return folder;
  const unfinished = unfinishedOf(rows);
  process.on("exit", () => rmSync(unfinished, { recursive: true, force: true }));
  mkdirSync(unfinished, { mode: 0o700 });
  await (await openSqlite(unfinished, { create: true, serve: false })).close();
  const sink = sqliteSink(join(unfinished, "faregate.sqlite"));
  const traffic = new Traffic(rows, Date.now());
  await seed(traffic, sink, (done) => say(`${done} of ${rows} rows are written`));
  renameSync(unfinished, folder);
  return folder;
}

/** The account with the most requests. */
function largestIn(folder: string): string {
  const db = new Database(join(folder, "faregate.sqlite"), { readonly: true });
  const text =
    "select account_id as id from rollups group by 1 order by sum(requests) desc limit 1";
  const row = db.query<{ id: string }, []>(text).get();
  db.close();
  if (!row) throw new Error(`there is no request in ${folder}; remove it and run again`);
  return row.id;
}

function startVendor(children: Children, name: string): Promise<Child> {
  const port = freePort();
  const env = { PORT: String(port), GAP_MS: String(TOKEN_MS), TOKENS: String(TOKENS) };
  return children.start(name, ["bench/mock-upstream.ts"], port, env, "/healthz");
}

function startLongVendor(children: Children): Promise<Child> {
  const port = freePort();
  const env = { PORT: String(port) };
  return children.start("long-vendor", ["bench/gap/long-vendor.ts"], port, env, "/healthz");
}

function startListener(children: Children, gateway: Child, key: string): Promise<Child> {
  const port = freePort();
  const env = {
    ...{ PORT: String(port), GATEWAY: String(gateway.port), KEY: key },
    ...{ MODEL: STREAM_MODEL, STREAMS: String(STREAMS) },
  };
  return children.start("listener", ["bench/gap/listener.ts"], port, env, "/healthz");
}

async function signIn(house: House, port: number): Promise<Browser> {
  const env = { FAREGATE_DATA: house.folder ?? "" };
  const printed = await runCommand(["src/cli/main.ts", "operator", "link", "--json"], env);
  const { url } = JSON.parse(printed) as { url: string };
  const email = `bench-${crypto.randomUUID()}@faregate.example`;
  return newOperator(`http://127.0.0.1:${port}`, url.split("#").at(-1) ?? "", email);
}

interface Row {
  readonly name: string;
  readonly gap: Gap;
  readonly pauseMs: number;
  readonly seconds: number;
  readonly answered: string;
}

/** What both sides have noticed while some trouble was made. */
class Meter {
  readonly #gap: () => Gap;
  readonly #listener: number;
  readonly rows: Row[] = [];

  constructor(gap: () => Gap, listener: Child) {
    this.#gap = gap;
    this.#listener = listener.port;
  }

  async #take(): Promise<{ longestMs: number; reads: number }> {
    const response = await fetch(`http://127.0.0.1:${this.#listener}/take`);
    if (!response.ok) throw new Error(`the streams broke: ${await response.text()}`);
    return (await response.json()) as { longestMs: number; reads: number };
  }

  async during(name: string, work: () => Promise<string>): Promise<void> {
    say(name);
    await this.#take();
    this.#gap();
    const startedAt = performance.now();
    const answered = await work();
    const { longestMs, reads } = await this.#take();
    const seconds = (performance.now() - startedAt) / 1_000;
    if (reads === 0) throw new Error(`no token came while ${name}`);
    this.rows.push({ name, gap: this.#gap(), pauseMs: longestMs, seconds, answered });
  }
}

function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ name, gap, pauseMs, seconds, answered }) => {
    const numbers = [gap.ms, gap.workedMs, pauseMs].map((ms) => ms.toFixed(0));
    return `| ${[name, ...numbers, seconds.toFixed(1), answered].join(" | ")} |`;
  });
  return [
    "| while | longest gap of the loop, ms | most work at once, ms | longest pause between tokens, ms | s | answers |",
    "| --- | ---: | ---: | ---: | ---: | --- |",
    ...lines,
  ].join("\n");
}

async function run({ rows }: Options, children: Children): Promise<void> {
  const folder = await filledFolder(rows);
  const largest = largestIn(folder);
  const streaming = await startVendor(children, "streaming-vendor");
  const reading = await startVendor(children, "reading-vendor");
  const long = await startLongVendor(children);
  const house: House = {
    name: "gateway",
    folder,
    env: {
      GAP_FOLDER: children.folder,
      BUN_OPTIONS: `--preload=${join(import.meta.dir, "loop-watch.ts")}`,
      MISTRAL_API_KEY: "sk-mock",
      MISTRAL_BASE_URL: `http://127.0.0.1:${reading.port}/v1`,
      DEEPSEEK_API_KEY: "sk-mock",
      DEEPSEEK_BASE_URL: `http://127.0.0.1:${long.port}/v1`,
    },
  };
  const gateway = await startGateway(children, streaming.port, house);
  const { key } = await createTenant(children, house);
  const operator = await signIn(house, gateway.port);
  const troubles: Trouble[] = [
    articles(gateway.port, key),
    pages(operator, largest),
    ...BODY_KINDS.map((kind) => bodies(gateway.port, key, BODY_MODEL, kind)),
    await conversation(gateway.port, key, BODY_MODEL),
    ...ANSWER_KINDS.map((kind) => answers(gateway.port, key, ANSWER_MODEL, kind)),
  ];
  const listener = await startListener(children, gateway, key);
  const meter = new Meter(openGap(children.folder, gateway.pid), listener);
  await meter.during("nothing else happens", async () => {
    await Bun.sleep(QUIET_MS);
    return "–";
  });
  for (const trouble of troubles) await meter.during(trouble.name, () => trouble.make());
  const [rendering, loading, ...others] = troubles;
  if (!rendering || !loading) throw new Error("there is nothing to make trouble with");
  const arriving = others.slice(0, BODY_KINDS.length);
  await meter.during("articles render, pages load and bodies arrive", () =>
    inTurn(arriving, [rendering, loading]),
  );
  const promised = [...meter.rows];
  await meter.during("all of it at once", async () => {
    const answered = await Promise.all(troubles.map((trouble) => trouble.make()));
    return answered.join("; ");
  });
  report(rows, promised, meter.rows);
}

/** Makes one trouble after another, and the others beside them again and again. */
async function inTurn(troubles: readonly Trouble[], beside: readonly Trouble[]): Promise<string> {
  let isOver = false;
  const others = beside.map(async (other) => {
    let times = 0;
    for (; !isOver; times++) await other.make();
    return `${other.name} × ${times}`;
  });
  const answered: string[] = [];
  for (const trouble of troubles) answered.push(await trouble.make());
  isOver = true;
  return [...(await Promise.all(others)), ...answered].join("; ");
}

/** The longest gap of all, beside the limit. */
function verdictOn(measured: readonly Row[]): string {
  const longest = Math.max(...measured.map(({ gap }) => gap.ms));
  return `${longest.toFixed(0)} ms (limit ${GAP_MS_MAX}): ${longest < GAP_MS_MAX ? "met" : "MISSED"}`;
}

/** What is promised is one client's worst beside others' tokens; all kinds at once are many clients', and told apart. */
function report(rows: number, promised: readonly Row[], all: readonly Row[]): void {
  console.log(`${rows} rows, ${STREAMS} streams with a token every ${TOKEN_MS} ms\n`);
  console.log(tableOf(all));
  console.log(
    `\nlongest gap of the gateway's loop: ${verdictOn(promised)}; ` +
      `with all of it at once ${verdictOn(all)}; load of the machine ${loadavg()[0]?.toFixed(2)}`,
  );
}

process.exit(await runBench({ usage: USAGE, readOptions, run }));
