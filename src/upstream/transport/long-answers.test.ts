// Answers that are so long that their text is made elsewhere, by our own client and by `fetch`.
import { afterEach, describe, expect, test } from "bun:test";
import { answerOf } from "../../../test/support/vendors/opened-exchange.ts";
import { FETCH, ownTransport } from "../../../test/support/vendors/transports.ts";
import { readConfig } from "../../config/config.ts";
import { TextThreads } from "../../lib/text/text-threads.ts";
import { Watchdog } from "../../lib/threads/watchdog.ts";
import { faultOfVendor } from "../../protocols/faults.ts";
import { plainChannel } from "../channels/channels.ts";
import { Credential, VendorKey } from "../channels/credentials.ts";
import { Exchange } from "../exchange.ts";
import { AnswerBudget } from "./answer-budget.ts";

const MIB = 1024 * 1024;
const servers: Bun.Server<undefined>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

function vendorThat(answer: () => Response): string {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  servers.push(server);
  return server.url.origin;
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let from = 0;
  return new ReadableStream({
    pull(controller) {
      if (from >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(from, from + 99_999));
      from += 99_999;
    },
  });
}

const WAYS: readonly [string, (bytes: Uint8Array<ArrayBuffer>) => Response][] = [
  ["with its length", (bytes) => new Response(bytes)],
  ["in chunks", (bytes) => new Response(streamOf(bytes))],
  [
    "packed",
    (bytes) => new Response(Bun.gzipSync(bytes), { headers: { "content-encoding": "gzip" } }),
  ],
];

const LONG = new TextEncoder().encode("a fox 狐 ".repeat(MIB / 2));
const WRONG = new Uint8Array(LONG);
WRONG.set([0xff, 0xe7, 0x8b], 4 * MIB);

describe.each([ownTransport(), FETCH])("by $name", (transport) => {
  describe.each(WAYS)("a long answer that comes %s", (_name, answer) => {
    test.each([
      ["right", LONG],
      ["wrong", WRONG],
    ])("is the text of all of its bytes, %s or not", async (_which, bytes) => {
      const origin = vendorThat(() => answer(new Uint8Array(bytes)));
      const threads = new TextThreads();
      const sizes: number[] = [];
      const long = {
        gathered: () => {},
        textOf(chunks: readonly Uint8Array[]) {
          sizes.push(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0));
          return threads.mend(chunks);
        },
      };
      const { text } = await transport.post(origin, "{}").answered.then(async (each) => ({
        text: await each.text(Number.POSITIVE_INFINITY, long),
      }));
      expect(text === new TextDecoder().decode(bytes)).toBe(true);
      expect(sizes).toEqual([bytes.length]);
    });
  });

  test("one that is not long is made a text at once", async () => {
    const origin = vendorThat(() => new Response("x".repeat(MIB)));
    const answer = await transport.post(origin, "{}").answered;
    const textOf = () => Promise.reject(new Error("it is not long"));
    const long = { gathered: () => {}, textOf };
    expect(await answer.text(Number.POSITIVE_INFINITY, long)).toBe("x".repeat(MIB));
  });
});

test("a vendor whose answer is there has no deadline, and is not hung up on, while its text is made", async () => {
  const limits = { ...readConfig({}).limits, upstream_total_ms: 1_000 };
  const time = { nowMs: 0 };
  const watchdog = new Watchdog(() => time.nowMs, 3_600_000);
  const answers = new AnswerBudget(limits);
  const made = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const threads = {
    mend() {
      begun.resolve();
      return made.promise;
    },
  } as unknown as TextThreads;
  const channel = plainChannel({ id: "a", vendor: "v", send: async () => new Response(LONG) });
  const credential = new Credential(new VendorKey("sk-1"));
  const attempt = { channel, credential, endpoint: "chat" } as const;
  const exchange = new Exchange(attempt, false, "acct_1", { limits, watchdog, threads, answers });
  const call = { endpoint: "chat", path: "/", body: "{}", stream: false, requestId: "r" } as const;
  const answer = await answerOf(exchange, { ...call, sandboxFault: undefined }, faultOfVendor);
  const text = exchange.text(answer);
  await begun.promise;
  time.nowMs = 2_000;
  watchdog.tick();
  exchange.cancel(new Error("the client left"));
  made.resolve("made");
  expect([await text, exchange.hungUp]).toEqual(["made", false]);
});
