import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { DELTA, event, fed, gateway, RESPONSES } from "../../test/support/houses/pipeline.ts";
import { eventually } from "../../test/support/waiting.ts";
import { Fault } from "../lib/faults.ts";
import type { Incoming } from "../lib/route.ts";
import type { Services } from "./services.ts";
import { responsesSocket } from "./socket.ts";

const TURN = JSON.stringify({ type: "response.create", ...RESPONSES });

interface Client {
  send(text: string): Promise<void>;
  close(code: number, reason: string): void;
}

function arriving(): Incoming {
  const headers = { authorization: "Bearer imported-key" };
  const request = new Request("http://gateway.invalid/v1/responses", { headers });
  return {
    ...{ request, requestId: "req_s", url: new URL(request.url), params: {} },
    keepOpen: () => {},
    isBeingAnswered: () => false,
    address: () => "",
  };
}

async function openSession(services: Services, client: Client) {
  return (await responsesSocket(services).accept(arriving())).open(client);
}

/** A connection whose client does not read; whoever waits for it is let go when it is closed. */
async function unreadSession(services: Services, close: Client["close"]) {
  const sent: string[] = [];
  const over = Promise.withResolvers<void>();
  const session = await openSession(services, {
    send: (text) => {
      sent.push(text);
      return over.promise;
    },
    close(code, reason) {
      close(code, reason);
      over.resolve();
    },
  });
  return { session, sent };
}

/** The same with one turn that runs and does not end. */
async function busySession(setting: Parameters<typeof gateway>[0]) {
  const { services } = gateway(setting);
  const { session, sent } = await unreadSession(services, () => {});
  session.message(TURN);
  return { services, session, sent };
}

describe("a client that takes nothing", () => {
  test("is cut off, without a word of a failure, and leaves nothing behind", async () => {
    const vendor = fed();
    const house = gateway({ send: vendor.send, endpoints: ["chat"] });
    const closed: [number, string][] = [];
    const { session, sent } = await unreadSession(house.services, (...how) => closed.push(how));
    session.message(TURN);
    while (sent.length === 0) {
      vendor.say(DELTA);
      await Bun.sleep(0);
    }
    vendor.say(DELTA.repeat(3));
    await Bun.sleep(0);
    house.goTo(house.services.limits.client_idle_ms);
    session.message(TURN);
    await house.services.tasks.settled();
    expect(house.settled).toMatchObject([{ receipt: { billingReason: "client_closed" } }]);
    expect(sent[0]).toStartWith('{"type":"response.created"');
    expect(sent.filter((frame) => frame.startsWith('{"type":"error"'))).toEqual([]);
    expect(closed).toEqual([[1008, "the answer was cut off"]]);
    session.closed();
    expect(house.calls).toHaveLength(1);
  });
});

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

  test("have the share of their account, and leave the rest to others", async () => {
    const env = { FAREGATE_BODY_BYTES_IN_FLIGHT_MAX: "40000" };
    const { services, session, sent } = await busySession({ send: fed().send, env });
    const large = JSON.stringify({
      type: "response.create",
      ...RESPONSES,
      input: "x".repeat(9_000),
    });
    const before = services.bodies.bytesInFlight;
    for (let i = 0; i < 4; i++) session.message(large);
    expect(sent.map((frame) => JSON.parse(frame))).toMatchObject([
      { type: "error", status: 429, error: { code: "rate_limit_exceeded" } },
    ]);
    services.bodies.reserve(20_000, "acct_2").release();
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

/** Things on the heap, once what nobody holds is gone. */
function thingsHeld(): number {
  Bun.gc(true);
  return heapStats().objectCount;
}

/** The bytes of all of them, with those of their texts and buffers. */
function bytesHeld(): number {
  Bun.gc(true);
  return heapStats().heapSize;
}

describe("a turn that is refused", () => {
  const SESSIONS = 8;
  const ITEMS = 5_000;

  test("leaves nothing of its input with the connection, which may stay for an hour", async () => {
    const house = gateway({
      admit: async () => ({ kind: "exceeded", scope: "balance", used: 1n, max: 0n }),
    });
    const input = Array.from({ length: ITEMS }, () => ({ role: "user", content: "x" }));
    const message = JSON.stringify({ type: "response.create", ...RESPONSES, input });
    const told: string[] = [];
    const sessions = await Promise.all(
      Array.from({ length: SESSIONS }, () =>
        openSession(house.services, { send: async (text) => void told.push(text), close() {} }),
      ),
    );
    const before = thingsHeld();
    for (const session of sessions) session.message(message);
    await house.services.tasks.settled();
    expect(told).toHaveLength(SESSIONS);
    expect(told.join()).toContain("budget_exceeded");
    // The collector may take what one of them said for used, but not what most of them did.
    expect(thingsHeld() - before).toBeLessThan((SESSIONS * ITEMS) / 2);
    expect(house.services.bodies.bytesInFlight).toBe(0);
    for (const session of sessions) session.closed();
  });
});

describe.each(["responses", "chat"] as const)("a turn that a vendor of %s answers", (vendor) => {
  const SESSIONS = 8;
  /** What is longer is remembered by no connection. */
  const env = { FAREGATE_RESPONSE_BYTES_MAX: String(2 * 1024 * 1024) };

  test("keeps no large message in memory until the answer ends", async () => {
    const first = vendor === "chat" ? DELTA : event({ type: "response.created", response: {} });
    const house = gateway({
      env,
      endpoints: [vendor],
      send(...call) {
        const { send, say } = fed();
        say(first);
        return send(...call);
      },
    });
    const { limits, bodies } = house.services;
    const input = "x".repeat(limits.response_bytes_max);
    const message = Buffer.from(JSON.stringify({ type: "response.create", ...RESPONSES, input }));
    const told: string[] = [];
    const sessions = await Promise.all(
      Array.from({ length: SESSIONS }, () =>
        openSession(house.services, { send: async (text) => void told.push(text), close() {} }),
      ),
    );
    const before = bytesHeld();
    for (const session of sessions) session.message(Buffer.from(message));
    const isFirst = (text: string) => text.startsWith('{"type":"response.created"');
    // A beginning alone goes out only after a while.
    await eventually("all are answered", () => {
      house.goTo(100);
      return told.filter(isFirst).length === SESSIONS;
    });
    // What the vendor was asked is held by the test alone.
    house.calls.length = 0;
    expect(bodies.bytesInFlight).toBe(0);
    // The collector may take what one of them said for used, but not what most of them did.
    expect(bytesHeld() - before).toBeLessThan((SESSIONS * message.length) / 2);
    for (const session of sessions) session.closed();
    await house.services.tasks.settled();
  });
});

test("a turn that could not be settled is not there to go on from", async () => {
  const setting: Parameters<typeof gateway>[0] = {};
  const house = gateway(setting);
  const frames: { type: string; response?: { id: string }; error?: { code: string } }[] = [];
  const send = async (text: string) => void frames.push(JSON.parse(text));
  const session = await openSession(house.services, { send, close() {} });
  const turn = async (end: RegExp, previous?: string) => {
    const from = frames.length;
    const asked = { type: "response.create", model: "sandbox-1.0", input: "Say hello." };
    session.message(JSON.stringify({ ...asked, previous_response_id: previous }));
    return eventually("the turn ends", () => frames.slice(from).find(({ type }) => end.test(type)));
  };
  const ended = /completed$|failed$/;
  const first = await turn(ended);
  setting.storageOut = true;
  const unpaid = await turn(ended, first.response?.id);
  setting.storageOut = false;
  const next = await turn(/^error$/, unpaid.response?.id);
  expect([first.type, unpaid.type]).toEqual(["response.completed", "response.failed"]);
  expect(next).toMatchObject({ type: "error", error: { code: "previous_response_not_found" } });
  session.closed();
});

test("of connections that come together no more are let in than a key may have", async () => {
  const { services } = gateway({ env: { FAREGATE_WEBSOCKETS_PER_KEY_MAX: "2" } });
  // As on PostgreSQL: they share one look at their key, and all hear of it at once.
  const key = services.accounts.findKey("");
  Object.assign(services, { accounts: { findKey: async () => key } });
  const route = responsesSocket(services);
  const come = () => route.accept(arriving()).catch((thrown: Fault) => thrown);
  const [one, two, ...others] = await Promise.all(Array.from({ length: 20 }, come));
  expect(others.map((each) => each instanceof Fault && each.fault)).toEqual(
    Array(18).fill("rate_limit_exceeded"),
  );
  if (!one || !two || one instanceof Fault || two instanceof Fault) throw new Error("let in");
  // What does not become a connection, or ends, has a place for the next.
  one.leave();
  expect(await come()).not.toBeInstanceOf(Fault);
  two.open({ send: async () => {}, close() {} }).closed();
  expect(await come()).not.toBeInstanceOf(Fault);
  expect(await come()).toBeInstanceOf(Fault);
});
