// How long the gateway's loop stands still while a vendor sends megabytes that say nothing: `npm run bench:noise`.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Child, type Children, freePort } from "./children.ts";
import { openGap } from "./gap/gap-file.ts";
import { createTenant, type House, startGateway } from "./gateway.ts";
import { runBench } from "./main.ts";
import { NOISES } from "./noise/noises.ts";

const USAGE = "usage: npm run bench:noise -- [--mib N]";

interface Options {
  readonly mib: number;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { mib: { type: "string", default: "20" } },
  });
  const mib = Number(values.mib);
  if (!Number.isInteger(mib) || mib < 1) throw new Error("--mib is a count from 1");
  return { mib };
}

const messagesOf = (content: string) => ({ messages: [{ role: "user", content }] });

/** One client's wire beside the vendor's: the same, and one pair that is translated. */
const WAYS: Readonly<Record<string, (content: string) => readonly [path: string, body: object]>> = {
  chat: (content) => ["/chat/completions", { model: "deepseek-flash", ...messagesOf(content) }],
  responses: (content) => ["/responses", { model: "gpt-4.1-mini", input: content }],
  messages: (content) => [
    "/messages",
    { model: "claude-haiku-4.5", max_tokens: 100, ...messagesOf(content) },
  ],
  gemini: (content) => [
    "beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
    { contents: [{ role: "user", parts: [{ text: content }] }] },
  ],
  "chat to messages": (content) => [
    "/chat/completions",
    { model: "claude-haiku-4.5", ...messagesOf(content) },
  ],
};

interface Served {
  readonly gateway: Child;
  readonly key: string;
}

/** A gateway of its own for each noise: after a few of them a vendor rests. */
async function serve(children: Children, name: string, address: string): Promise<Served> {
  const house: House = {
    name,
    env: {
      GAP_FOLDER: children.folder,
      BUN_OPTIONS: `--preload=${join(import.meta.dir, "gap/loop-watch.ts")}`,
      ...{ DEEPSEEK_API_KEY: "sk-mock", DEEPSEEK_BASE_URL: `${address}/v1` },
      ...{ ANTHROPIC_API_KEY: "sk-mock", ANTHROPIC_BASE_URL: `${address}/v1` },
      ...{ GEMINI_API_KEY: "sk-mock", GEMINI_BASE_URL: `${address}/v1beta` },
    },
  };
  const gateway = await startGateway(children, Number(new URL(address).port), house);
  const { key } = await createTenant(children, house);
  return { gateway, key };
}

async function run({ mib }: Options, children: Children): Promise<void> {
  const port = freePort();
  const address = `http://127.0.0.1:${port}`;
  const vendorEnv = { PORT: String(port), MIB: String(mib) };
  await children.start("vendor", ["bench/noise/noisy-vendor.ts"], port, vendorEnv, "/healthz");
  console.log(`${mib} MiB of each\n`);
  console.log(
    "| vendor sends | wire | longest gap, ms | most work at once, ms | answered, ms | end |",
  );
  console.log("| --- | --- | ---: | ---: | ---: | --- |");
  for (const [i, noise] of Object.keys(NOISES).entries()) {
    const { gateway, key } = await serve(children, `gateway-${i}`, address);
    const gap = openGap(children.folder, gateway.pid);
    for (const [wire, ask] of Object.entries(WAYS)) {
      const [path, body] = ask(`noise: ${noise}`);
      gap();
      const startedAt = performance.now();
      const response = await fetch(`http://127.0.0.1:${gateway.port}/v1${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ ...body, stream: true }),
      });
      const text = await response.text();
      const ms = performance.now() - startedAt;
      await Bun.sleep(50);
      const { ms: gapMs, workedMs } = gap();
      const end = `${response.status} ${/"message":"([^"]*)"/.exec(text)?.[1] ?? "whole"}`;
      const numbers = [gapMs, workedMs, ms].map((each) => each.toFixed(0));
      console.log(`| ${[noise, wire, ...numbers, end].join(" | ")} |`);
    }
    await children.stop(gateway);
  }
}

process.exit(await runBench({ usage: USAGE, readOptions, run }));
