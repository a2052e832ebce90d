// Two instances of the version before share a PostgreSQL and serve clients. Both are replaced by this version, one after
// the other, while the clients go on. FAREGATE_TEST_BEFORE names the commit of the version before; else it is the last tag.
import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import project from "../../package.json" with { type: "json" };
import { startPostgres } from "../engines/postgres.ts";
import { freePort } from "../support/free-port.ts";
import { type Parts, partsOfTest } from "../support/houses/house.ts";
import { eventually } from "../support/waiting.ts";
import { buildPackage, firstCall, PROJECT, run, type Shipped, script } from "./shipped.ts";

const CLIENTS = 8;
/** Calls that clients make before and after each change. */
const CALLS = 40;

async function git(...words: readonly string[]): Promise<string> {
  const child = Bun.spawn(["git", ...words], { cwd: PROJECT, stdout: "pipe", stderr: "ignore" });
  const out = await new Response(child.stdout).text();
  return (await child.exited) === 0 ? out.trim() : "";
}

const BEFORE =
  process.env.FAREGATE_TEST_BEFORE ?? (await git("describe", "--tags", "--abbrev=0", "HEAD^"));
if (BEFORE === "")
  console.log("  skipped: there is no tag yet, and FAREGATE_TEST_BEFORE is not set");

const parts = partsOfTest();

/** A clone of a commit that uses our packages: its program runs from its sources. */
async function cloneOf(own: Parts, commit: string): Promise<Shipped> {
  const cwd = join(own.folder(), "before");
  await git("clone", "--quiet", "--shared", "--no-checkout", PROJECT, cwd);
  await git("-C", cwd, "checkout", "--quiet", commit);
  symlinkSync(join(PROJECT, "node_modules"), join(cwd, "node_modules"));
  return { command: ["node", join(cwd, "bin", "faregate")], cwd };
}

/** The ways in that can be started here. Each makes this version in a folder of its own. */
const WAYS: Readonly<Record<string, (own: Parts) => Promise<Shipped>>> = {
  "a clone": async () => ({ command: ["node", join(PROJECT, "bin", "faregate")], cwd: PROJECT }),
  async "the package for npm"(own) {
    const { tarball } = await buildPackage(own.folder());
    const cwd = own.folder();
    const install = ["npm", "install", "--silent", "--no-audit", "--no-fund", tarball];
    const stdio = { stdin: "ignore", stdout: "ignore", stderr: "inherit" } as const;
    expect(await Bun.spawn(install, { cwd, ...stdio }).exited).toBe(0);
    return { command: ["node", join(cwd, "node_modules", "faregate", "bin", "faregate")], cwd };
  },
  async "the executable"(own) {
    const cwd = own.folder();
    await script("dev/ship/binary.ts", "--target", "linux-x64", "--into", cwd);
    return { command: [join(cwd, `faregate-${project.version}-linux-x64`)], cwd: own.folder() };
  },
};
const isBuiltHere = process.platform === "linux" && process.arch === "x64";

interface Instance {
  stop(): Promise<number>;
}

async function start(
  own: Parts,
  { command, cwd }: Shipped,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<Instance> {
  const env = { PATH: process.env.PATH ?? "", FAREGATE_PORT: String(port), ...settings };
  const stdio = { stdin: "ignore", stdout: "ignore", stderr: "ignore" } as const;
  const child = Bun.spawn([...command, "serve"], { cwd, env, ...stdio });
  own.defer(() => child.kill("SIGKILL"));
  await eventually("the instance is ready", async () => {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    return ready?.ok;
  });
  return {
    stop() {
      child.kill("SIGTERM");
      return child.exited;
    },
  };
}

test.skipIf(BEFORE === "" || !isBuiltHere).each(Object.keys(WAYS))(
  "%s replaces two instances one after the other under load, and no call is lost",
  async (way) => {
    const postgres = parts.adopt(await startPostgres({}), (server) => server.stop());
    const settings = {
      DATABASE_URL: await postgres.createDatabase(),
      FAREGATE_SECRET: "a secret of both versions, long enough",
      FAREGATE_DATA: parts.folder(),
      FAREGATE_SANDBOX: "on",
      FAREGATE_LOG: "error",
    };
    const before = await cloneOf(parts, BEFORE);
    const now = await (WAYS[way] as (own: Parts) => Promise<Shipped>)(parts);
    const ports = [await freePort(), await freePort()] as const;
    const first = await start(parts, before, ports[0], settings);
    const second = await start(parts, before, ports[1], settings);
    const typed = async (shipped: Shipped, ...words: string[]) => {
      const { code, stdout, stderr } = await run(shipped, [...words, "--json"], settings);
      expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: "" });
      return JSON.parse(stdout);
    };
    const { id: account } = await typed(before, "account", "create", "--name", "load");
    await typed(before, "topup", "--account", account, "100.00");
    const owner = ["--account", account, "--name", "load", "--rpm", "0"];
    const { key } = await typed(before, "key", "create", ...owner);

    const answers = { whole: 0, unavailable: 0, refused: 0 };
    const wrong: unknown[] = [];
    let isOver = false;
    /** A client goes to the other instance where none listens, as behind a balancer. */
    const client = async (at: number) => {
      for (let i = at; !isOver; i++) {
        const answer = await firstCall(`http://127.0.0.1:${ports[i % 2]}`, key).catch(
          () => undefined,
        );
        if (!answer) answers.refused += 1;
        else if (answer.status === 200) {
          const { object } = (await answer.json()) as { object?: string };
          if (object === "chat.completion") answers.whole += 1;
          else wrong.push(object);
        } else if (answer.status === 503 && answer.headers.has("retry-after")) {
          await answer.body?.cancel();
          answers.unavailable += 1;
        } else wrong.push([answer.status, await answer.text()]);
      }
    };
    const clients = Array.from({ length: CLIENTS }, (_, at) => client(at));
    const more = async () => {
      const from = answers.whole;
      await eventually("clients go on", () => answers.whole >= from + CALLS || wrong.length > 0);
    };

    await more();
    const check = await run(now, ["upgrade", "--check", "--json"], settings);
    expect(JSON.parse(check.stdout)).toMatchObject({ can_start: true });
    expect(await first.stop()).toBe(0);
    const newFirst = await start(parts, now, ports[0], settings);
    await more();
    expect(await second.stop()).toBe(0);
    const newSecond = await start(parts, now, ports[1], settings);
    await more();
    isOver = true;
    await Promise.all(clients);
    expect(wrong).toEqual([]);
    const stopped = await Promise.all([newFirst.stop(), newSecond.stop()]);
    expect(stopped).toEqual([0, 0]);

    expect(await typed(now, "verify")).toMatchObject({ ok: true, open_holds: 0, problems: [] });
    // A call whose connection was cut may have a receipt; an answer that a client has always does.
    const { requests } = await typed(now, "usage", "--account", account);
    expect(requests).toBeGreaterThanOrEqual(answers.whole);
    expect(requests).toBeLessThanOrEqual(answers.whole + answers.refused + answers.unavailable);
    console.log(
      `  ${BEFORE} by ${way}: ${answers.whole} answers, ${answers.unavailable} × 503 with retry-after, ` +
        `${answers.refused} times no instance listened, ${requests} receipts`,
    );
  },
);
