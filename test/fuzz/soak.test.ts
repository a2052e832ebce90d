// Calls of models in mixed pieces, many one after the other on connections that stay, with others that are passed on between
// them: each gets its own answer, and nothing is left of any.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { answersIn } from "../support/clients/answers-in.ts";
import { RawClient } from "../support/clients/raw-client.ts";
import { count } from "../support/counts.ts";
import { openFiles } from "../support/files/open-files.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { eventually } from "../support/waiting.ts";

const CALLS = count(400, 20_000);
const CLIENTS = 10;
/** After so many a client comes by another connection. */
const CALLS_PER_CONNECTION = 20;
const TIMEOUT_MS = 3_600_000;

const house = await perFile(async (parts) => {
  const settings = { FAREGATE_SANDBOX: "on" };
  const { server } = await serve(parts, { process: true, books: true, settings });
  const { key } = await server.account("10000", "--rpm", "0");
  return { server, key };
});

interface Call {
  readonly request: string;
  /** What its answer has in it, and that of no other. */
  readonly expected: string;
}

const post = (path: string, body: object, lines: readonly string[] = []) => {
  const text = JSON.stringify(body);
  const head = [
    ...[`POST ${path} HTTP/1.1`, "host: gate", `authorization: Bearer ${house.key}`],
    ...["content-type: application/json", ...lines, `content-length: ${text.length}`, "", ""],
  ];
  return head.join("\r\n") + text;
};

/** A call of each kind, by its number and how long it is. */
function callOf(kind: number, number: number, length: number): Call {
  const word = `word${number}end`;
  const model = "sandbox-1.0";
  const said = `${word} ${"x".repeat(length)}`;
  const messages = [{ role: "user", content: said }];
  const calls = [
    () => post("/v1/chat/completions", { model, messages }),
    () => post("/v1/chat/completions", { model, messages, stream: true }),
    () => post("/v1/responses", { model, input: said, store: false }),
    () => post("/v1/messages", { model, messages, max_tokens: 100 }),
    () => post("/v1/chat/completions", { model, messages }, ["origin: https://a.example"]),
  ];
  return { request: (calls[kind % calls.length] as () => string)(), expected: word };
}

const plans = fc.record({
  kind: fc.nat(),
  length: fc.oneof(fc.nat({ max: 200 }), fc.constantFrom(20_000, 200_000)),
  cuts: fc.array(fc.nat(), { maxLength: 3 }),
});

/** What an answer says, in one piece or in the events of a stream. */
function textIn(body: string): string {
  const events = [...body.matchAll(/^data: (\{.*\})$/gm)].map(([, event]) =>
    JSON.parse(String(event)),
  );
  if (events.length === 0) return body;
  return events.map(({ choices }) => choices[0]?.delta?.content ?? "").join("");
}

/** Sends one in its pieces, and sees that the answer is its own. */
async function call(client: RawClient, { request, expected }: Call, cuts: readonly number[]) {
  const before = client.octets.length;
  const places = [0, ...cuts.map((cut) => cut % request.length), request.length];
  places.sort((one, other) => one - other);
  for (const [i, from] of places.slice(0, -1).entries()) {
    client.send(request.slice(from, places[i + 1]));
    // The next is a packet of its own.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const answer = await eventually("it is answered", () => {
    const { answers } = answersIn(client.octets.slice(before));
    return answers[0];
  });
  expect(answer.status).toBe(200);
  expect(textIn(answer.body)).toContain(expected);
}

test(
  `${CALLS} calls in mixed pieces get their own answers`,
  async () => {
    const { server } = house;
    const files = openFiles(server.pid);
    const drawn = fc.sample(plans, CALLS);
    let next = 0;
    const one = async () => {
      let client = await RawClient.connect(server.url);
      for (let made = 1; next < CALLS; made++) {
        const number = next++;
        const { kind, length, cuts } = drawn[number] as (typeof drawn)[number];
        await call(client, callOf(kind, number, length), cuts);
        if (made % CALLS_PER_CONNECTION > 0) continue;
        client.leave();
        client = await RawClient.connect(server.url);
      }
      client.leave();
    };
    await Promise.all(Array.from({ length: CLIENTS }, one));
    await eventually("no connection is left", () => openFiles(server.pid) <= files);
  },
  TIMEOUT_MS,
);
