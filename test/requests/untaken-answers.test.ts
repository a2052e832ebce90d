// Large answers to clients that stay connected and read nothing, over sockets on both sides.
import { describe, expect, test } from "bun:test";
import { RawClient } from "../support/clients/raw-client.ts";
import { isHurried } from "../support/counts.ts";
import { perSuite } from "../support/houses/house.ts";
import { serveMock } from "../support/houses/serving.ts";
import { eventually } from "../support/waiting.ts";

const MODEL = "text-embedding-3-small";
/** More than the sockets between a server and a client that does not read can take. */
const BYTES = 24 * 1024 * 1024;
const NUMBERS = "0.0123456789,".repeat(BYTES / 13);
const answerOf = (numbers: string) =>
  `{"object":"list","model":"v","data":[{"object":"embedding","index":0,"embedding":[${numbers}1]}],` +
  '"usage":{"prompt_tokens":10,"total_tokens":10}}';
const ANSWER = answerOf(NUMBERS);
const SMALL = answerOf("");

/** In a run of everything the one that is used unless somebody sets the other. */
const TRANSPORTS = isHurried ? ["own"] : ["own", "fetch"];

describe.each(TRANSPORTS)("with vendors called by %s", (transport) => {
  const house = perSuite((parts) =>
    serveMock(parts, {
      FAREGATE_TRANSPORT: transport,
      // For one account: one that is not taken and a part of another.
      FAREGATE_ANSWER_BYTES_IN_FLIGHT_MAX: String(6 * BYTES),
    }),
  );
  const request = { model: MODEL, input: "x" };

  async function untaken(): Promise<RawClient> {
    const client = await RawClient.connect(house.server.url, () => client.stopReading());
    client.post("/v1/embeddings", house.key, request);
    await eventually("its answer begins", () => client.text.startsWith("HTTP/1.1 200"));
    return client;
  }

  test("the next one of its account waits until the first client has left, or has taken all", async () => {
    house.vendor.play((call) => new Response(call.body.input === "small" ? SMALL : ANSWER));
    const events: string[] = [];
    const ask = async (key = house.key, who = "") => {
      const response = await house.server.post("/embeddings", key, request);
      const { length } = await response.text();
      events.push(`${who}answered ${response.status} ${length > BYTES}`);
    };
    const client = await untaken();
    const next = ask();
    await eventually("its vendor is asked", () => house.vendor.calls.length === 2);
    // Small ones go on meanwhile, for as long as it would have needed.
    for (let i = 0; i < 300; i++) {
      const small = { model: MODEL, input: "small" };
      expect((await house.server.post("/embeddings", house.key, small)).status).toBe(200);
    }
    const { key: other } = await house.server.account("100", "--rpm", "0");
    await ask(other, "another account: ");
    events.push("the first one leaves");
    client.leave();
    await next;
    // That one has been taken: there is room again.
    await Promise.all([ask(), ask()]);
    const answered = "answered 200 true";
    expect(events).toEqual([
      "another account: answered 200 true",
      "the first one leaves",
      ...[answered, answered, answered],
    ]);
  });
});
