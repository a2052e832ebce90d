import { describe, expect, test } from "bun:test";
import { fed, gateway, RESPONSES } from "../../test/support/houses/pipeline.ts";
import type { Incoming } from "../lib/route.ts";
import { responsesSocket } from "./socket.ts";

/** A connection whose client does not read, with one turn that runs and does not end. */
async function busySession(setting: Parameters<typeof gateway>[0]) {
  const { services } = gateway(setting);
  const headers = { authorization: "Bearer imported-key" };
  const request = new Request("http://gateway.invalid/v1/responses", { headers });
  const incoming: Incoming = {
    ...{ request, requestId: "req_s", url: new URL(request.url), params: {} },
    keepOpen: () => {},
    address: () => "",
  };
  const sent: string[] = [];
  const open = await responsesSocket(services).accept(incoming);
  const session = open({
    send: (text) => {
      sent.push(text);
      return new Promise(() => {});
    },
    close: () => {},
  });
  session.message(JSON.stringify({ type: "response.create", ...RESPONSES }));
  return { services, session, sent };
}

describe("messages that wait for the one before them", () => {
  test("count with all that is in flight, until they are read or dropped", async () => {
    const { services, session } = await busySession({ send: fed().send });
    const large = JSON.stringify({
      type: "response.create",
      ...RESPONSES,
      input: "x".repeat(9_000),
    });
    const before = services.bodies.bytesInFlight;
    session.message(large);
    session.message(large);
    expect(services.bodies.bytesInFlight - before).toBe(2 * large.length);
    session.closed();
    expect(services.bodies.bytesInFlight).toBeLessThanOrEqual(before);
  });

  test("are not told of one by one when there are too many", async () => {
    const { session, sent } = await busySession({ send: fed().send });
    for (let i = 0; i < 5_000; i++) session.message("{}");
    expect(sent.length).toBeLessThan(5);
    session.closed();
  });
});
