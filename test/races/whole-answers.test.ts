// Whole answers of vendors that answer oddly, to clients that ask ahead and leave when they like: who has an answer in
// full has paid for it once, and who has none has not.
import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { answersIn } from "../support/clients/answers-in.ts";
import { RawClient } from "../support/clients/raw-client.ts";
import { count } from "../support/counts.ts";
import { noHolds, receipts } from "../support/houses/database.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { CHAT } from "../support/samples/wires.ts";
import { RawVendor } from "../support/vendors/raw-vendor.ts";
import { eventually } from "../support/waiting.ts";

const CONNECTIONS = count(24, 240);
const ASKED_AHEAD = 6;
/** Every so many connections end before all their answers are there. */
const LEAVES = 5;

const parts = partsOfTest();

let made = 0;
const completion = () =>
  JSON.stringify({
    id: `chatcmpl-${++made}`,
    object: "chat.completion",
    created: 1_790_000_000,
    model: "gpt-5-mini",
    choices: [
      { index: 0, message: { role: "assistant", content: "Ja ‚ö" }, finish_reason: "stop" },
    ],
    usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
  });

function sized(body: string | Buffer, status = "200 OK", ...lines: string[]): Buffer {
  const head = [`HTTP/1.1 ${status}`, `content-length: ${Buffer.byteLength(body)}`, ...lines];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), Buffer.from(body)]);
}

function inChunks(body: string): Buffer {
  const bytes = Buffer.from(body);
  const [one, two] = [bytes.subarray(0, 100), bytes.subarray(100)];
  const chunk = (data: Buffer) => [Buffer.from(`${data.length.toString(16)}\r\n`), data, "\r\n"];
  const pieces = ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", ...chunk(one)];
  return Buffer.concat(
    [...pieces, ...chunk(two), "0\r\n\r\n"].map((piece) => Buffer.from(piece as string)),
  );
}

/** Each piece in a turn of its own. */
async function inPieces(socket: Socket, bytes: Buffer, pieceBytes: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    socket.write(bytes.subarray(at, at + pieceBytes));
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
}

/** What the vendor does with one request after the other; a prime number of ways, so that no client has always the same. */
const WAYS: readonly ((socket: Socket) => unknown)[] = [
  (socket) => socket.write(sized(completion())),
  (socket) => inPieces(socket, sized(completion()), 40),
  (socket) => socket.write(inChunks(completion())),
  (socket) => inPieces(socket, inChunks(completion()), 60),
  (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${completion()}`),
  (socket) => socket.write(sized(gzipSync(completion()), "200 OK", "content-encoding: gzip")),
  (socket) => socket.write(sized(completion(), "200 OK", "connection: close")),
  (socket) =>
    socket.write(Buffer.concat([sized(completion()), Buffer.from("HTTP/1.1 200 OK\r\n")])),
  (socket) => socket.write(sized('{"error":{"message":"no"}}', "400 Bad Request")),
  (socket) => socket.write(sized("not JSON")),
  (socket) => socket.write(sized('{"object":"chat.completion"}')),
  (socket) => socket.end(sized(completion()).subarray(0, 150)),
  (socket) => socket.resetAndDestroy(),
];

test("whoever has a whole answer has paid for it once, and nobody else has paid", async () => {
  let turn = 0;
  const vendor = await RawVendor.start(({ socket }) => void WAYS[turn++ % WAYS.length]?.(socket));
  parts.adopt(vendor, (started) => started.stop());
  const { server, database } = await serve(parts, {
    books: true,
    settings: {
      OPENAI_API_KEY: "sk-of-the-vendor",
      OPENAI_BASE_URL: `${vendor.origin}/v1`,
      // It is to be asked whatever it does.
      FAREGATE_CHANNEL_ATTEMPTS_MIN: "1000000",
    },
  });
  const { key } = await server.account("100", "--rpm", "0", "--concurrency", "0");

  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, at) => {
      const isLeaving = at % LEAVES === 0;
      const enough = isLeaving ? ASKED_AHEAD / 2 : ASKED_AHEAD;
      const client = parts.adopt(await RawClient.connect(server.url), (one) => one.leave());
      for (let i = 0; i < ASKED_AHEAD; i++)
        client.post("/v1/chat/completions", key, {
          ...CHAT.request("Say yes"),
          model: "gpt-5-mini",
        });
      await eventually(
        "it has its answers",
        () => answersIn(client.octets).answers.length >= enough,
      );
      if (isLeaving) client.leave();
      return client;
    }),
  );
  await noHolds(database);
  const answers = clients.flatMap(({ octets }) => answersIn(octets).answers);
  const rows = new Map((await receipts(database)).map((row) => [row.id, row]));
  expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(answers.length);
  const charges = answers.map(({ status, headers, body }) => {
    const row = rows.get(headers["x-request-id"] ?? "");
    if (status === 200) expect(JSON.parse(body).id).toBe(row?.responseId);
    return { status, isCharged: (row?.cost ?? 0n) > 0n };
  });
  expect(charges.filter(({ status, isCharged }) => isCharged !== (status === 200))).toEqual([]);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(CONNECTIONS);
  expect(answers.filter(({ status }) => status !== 200).length).toBeGreaterThan(0);
});
