// What a call to a vendor costs by our own client and by `fetch`: processor time of this process, all threads,
// for the same exchanges with the mock vendor, which runs as a process of its own. Rounds of both alternate.
//
//   npm run bench:transport                  9 rounds of 6,000 whole answers and 1,500 streams
//   npm run bench:transport -- --rounds 21
import { parseArgs } from "node:util";
import { readConfig } from "../src/config/config.ts";
import { systemClock } from "../src/lib/clock.ts";
import { TextThreads } from "../src/lib/text/text-threads.ts";
import { Watchdog } from "../src/lib/threads/watchdog.ts";
import { faultOfVendor } from "../src/protocols/faults.ts";
import { configuredChannels, type UpstreamCall } from "../src/upstream/channels/channels.ts";
import { Credential, type VendorKey } from "../src/upstream/channels/credentials.ts";
import { Exchange } from "../src/upstream/exchange.ts";
import { AnswerBudget } from "../src/upstream/transport/answer-budget.ts";
import { processorMs } from "../test/support/load/processor-time.ts";
import { type Children, freePort } from "./children.ts";
import { runBench, say } from "./main.ts";

const IN_FLIGHT = 64;

type Kind = "whole" | "stream";
type Counts = Readonly<Record<Kind | "rounds", number>>;
type Transport = "auto" | "fetch";

const { limits } = readConfig({});
const watchdog = new Watchdog(systemClock);
const tools = { limits, watchdog, threads: new TextThreads(), answers: new AnswerBudget(limits) };

function bodyOf(kind: Kind): string {
  const messages = [{ role: "user", content: "Say something of sixty-four words." }];
  const stream = kind === "stream" && { stream: true, stream_options: { include_usage: true } };
  return JSON.stringify({ model: "gpt-5.4", messages, ...stream });
}

/** Makes one call as the gateway does, and reads all of its answer. */
function callerBy(transport: Transport, baseUrl: string) {
  const [channel] = configuredChannels(
    readConfig({
      OPENAI_API_KEY: "sk-bench",
      OPENAI_BASE_URL: baseUrl,
      FAREGATE_TRANSPORT: transport,
    }),
  );
  if (!channel) throw new Error("no channel");
  const credential = new Credential(channel.keys[0] as VendorKey);
  const attempt = { channel, credential, endpoint: "chat" } as const;
  return async (kind: Kind): Promise<void> => {
    const call: UpstreamCall = {
      endpoint: "chat",
      path: "/chat/completions",
      body: bodyOf(kind),
      stream: kind === "stream",
      requestId: "req_bench",
      sandboxFault: undefined,
    };
    const exchange = new Exchange(attempt, call.stream, "acct_1", tools);
    const answer = await exchange.send(call);
    await exchange.heard(answer, faultOfVendor);
    if (kind === "whole") await exchange.text(answer);
    else {
      while ((await exchange.read(answer)) !== undefined);
      exchange.close();
    }
  };
}

async function round(call: (kind: Kind) => Promise<void>, kind: Kind, calls: number) {
  let left = calls;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await call(kind);
    }
  };
  const ms = await processorMs(() => Promise.all(Array.from({ length: IN_FLIGHT }, worker)));
  return (ms * 1_000) / calls;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, two) => one - two);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function compare(kind: Kind, counts: Counts, baseUrl: string): Promise<string> {
  const callers = { auto: callerBy("auto", baseUrl), fetch: callerBy("fetch", baseUrl) };
  for (const by of ["auto", "fetch"] as const) await round(callers[by], kind, counts[kind]);
  const costs: Record<Transport, number[]> = { auto: [], fetch: [] };
  for (let turn = 0; turn < counts.rounds; turn++) {
    const order = turn % 2 === 0 ? (["auto", "fetch"] as const) : (["fetch", "auto"] as const);
    for (const by of order) costs[by].push(await round(callers[by], kind, counts[kind]));
    say(`${kind} ${turn + 1} of ${counts.rounds}`);
  }
  const ratio = median(costs.auto.map((cost, turn) => cost / (costs.fetch[turn] ?? 1)));
  const shown = [median(costs.auto), median(costs.fetch)].map((cost) => cost.toFixed(1));
  return `| ${kind} | ${shown.join(" | ")} | ${ratio.toFixed(2)} × |`;
}

function readOptions(args: readonly string[]): Counts {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: "string", default: "9" },
      whole: { type: "string", default: "6000" },
      stream: { type: "string", default: "1500" },
    },
  });
  const counts = {
    rounds: Number(values.rounds),
    whole: Number(values.whole),
    stream: Number(values.stream),
  };
  if (!Object.values(counts).every((each) => Number.isInteger(each) && each > 0)) {
    throw new Error("every option is a whole number above 0");
  }
  return counts;
}

async function run(counts: Counts, children: Children): Promise<void> {
  const port = freePort();
  const env = { PORT: String(port) };
  await children.start("mock", ["bench/mock-upstream.ts"], port, env, "/healthz");
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const whole = await compare("whole", counts, baseUrl);
  const stream = await compare("stream", counts, baseUrl);
  const head = ["| CPU µs / call | own | fetch | own / fetch |", "| --- | --- | --- | --- |"];
  console.log([...head, whole, stream].join("\n"));
}

const usage = "usage: npm run bench:transport -- [--rounds 9] [--whole 6000] [--stream 1500]";
process.exit(await runBench({ usage, readOptions, run }));
