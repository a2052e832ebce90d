// Every cause brought about once, and what then happened compared with its row of the table.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  CHAT,
  COUNTS,
  DELTA,
  event,
  fed,
  gateway,
  STOP,
} from "../../../test/support/houses/pipeline.ts";
import type { BillingReason } from "../../ledger/receipt.ts";
import { asFault } from "../../lib/faults.ts";
import type { Cause } from "./cause.ts";
import { ENDINGS, type Ending } from "./endings.ts";

type House = ReturnType<typeof gateway>;

type Setting = NonNullable<Parameters<typeof gateway>[0]>;

/** A request that has ended: where it ran, what its client saw last, what its receipt must say. */
interface Scene {
  readonly house: House;
  readonly client: Ending["client"];
  readonly status: number;
  readonly reason: BillingReason;
}

const STREAM = { ...CHAT, stream: true };
const MANY_WORDS = "some more words of this answer ".repeat(100);
const LONG_DELTA = event({ id: "c1", model: "v", choices: [{ delta: { content: MANY_WORDS } }] });
const REFUSES = event({ error: { message: "No.", type: "invalid_request_error" } });
const END = STOP + COUNTS + event("[DONE]");

/** What a client sees that waits to the end. */
async function seenBy(answer: Promise<Response>): Promise<Ending["client"]> {
  let response: Response;
  try {
    response = await answer;
  } catch (thrown) {
    expect(asFault(thrown).status).toBeGreaterThanOrEqual(400);
    return "fault";
  }
  const text = await response.text().catch(() => undefined);
  if (text === undefined) return "cut";
  return text.includes('{"error":') ? "fault" : "answer";
}

/** A vendor that the scene feeds. */
function feeding(setting: Setting) {
  const vendor = fed();
  return { vendor, house: gateway(Object.assign(setting, { send: vendor.send })) };
}

/** A stream that has begun, and its vendor. */
async function begun(setting: Setting) {
  const { vendor, house } = feeding(setting);
  vendor.say(DELTA);
  return { vendor, house, response: await house.post("chat", STREAM) };
}

/** A client that takes the first words of a stream and goes. */
async function leave(response: Response): Promise<void> {
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
}

async function called(house: House): Promise<void> {
  while (house.calls.length === 0) await Bun.sleep(0);
}

/** The setting may change while a scene is played. */
const SCENES: { readonly [Kind in Cause["kind"]]: (setting: Setting) => Promise<Scene> } = {
  async refused(setting) {
    const house = gateway(setting);
    const client = await seenBy(house.post("chat", { ...CHAT, model: "none-1.0" }));
    return { house, client, status: 404, reason: "refused" };
  },

  async left_unasked(setting) {
    const house = gateway(setting);
    await house.post("chat", STREAM, AbortSignal.abort()).catch(() => {});
    return { house, client: "nothing", status: 499, reason: "refused" };
  },

  async unsayable(setting) {
    const house = gateway(Object.assign(setting, { endpoints: ["messages"] }));
    const client = await seenBy(house.post("chat", { ...CHAT, n: 2 }));
    return { house, client, status: 400, reason: "refused" };
  },

  async vendor_failed(setting) {
    const { vendor, house } = feeding(setting);
    vendor.say("data: {\n\n");
    return {
      house,
      client: await seenBy(house.post("chat", STREAM)),
      status: 503,
      reason: "upstream_failed",
    };
  },

  async vendor_refused(setting) {
    const { vendor, house } = feeding(setting);
    vendor.say(REFUSES);
    return {
      house,
      client: await seenBy(house.post("chat", STREAM)),
      status: 400,
      reason: "upstream_refused",
    };
  },

  async vendor_refused_midway(setting) {
    const { vendor, house, response } = await begun(setting);
    vendor.say(REFUSES);
    return {
      house,
      client: await seenBy(Promise.resolve(response)),
      status: 400,
      reason: "upstream_refused",
    };
  },

  async vendor_broke_off(setting) {
    const { vendor, house, response } = await begun(setting);
    vendor.say("data: {\n\n");
    return {
      house,
      client: await seenBy(Promise.resolve(response)),
      status: 503,
      reason: "upstream_failed",
    };
  },

  async completed(setting) {
    const { vendor, house, response } = await begun(setting);
    vendor.say(END);
    vendor.end();
    return {
      house,
      client: await seenBy(Promise.resolve(response)),
      status: 200,
      reason: "completed",
    };
  },

  async budget_ended(setting) {
    const held = 400_000n;
    Object.assign(setting, { left: held, raise: async () => ({ kind: "ended" }) });
    const { vendor, house, response } = await begun(setting);
    vendor.say(LONG_DELTA.repeat(10));
    return {
      house,
      client: await seenBy(Promise.resolve(response)),
      status: 200,
      reason: "budget_ended",
    };
  },

  async finished_alone(setting) {
    const gate = Promise.withResolvers<Response>();
    const house = gateway(Object.assign(setting, { send: () => gate.promise }));
    const leaving = new AbortController();
    const answer = house.post("chat", CHAT, leaving.signal);
    await called(house);
    leaving.abort();
    const usage = { prompt_tokens: 10, completion_tokens: 2 };
    const choices = [{ message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }];
    gate.resolve(Response.json({ id: "c", model: "v", choices, usage }));
    await answer.catch(() => {});
    return { house, client: "nothing", status: 200, reason: "client_closed_finished" };
  },

  async counted_alone(setting) {
    const { vendor, house, response } = await begun(
      Object.assign(setting, { onDisconnect: "drain" }),
    );
    await leave(response);
    expect(house.settled).toHaveLength(0);
    vendor.say(END);
    return { house, client: "nothing", status: 200, reason: "client_closed_finished" };
  },

  async client_left(setting) {
    const { house, response } = await begun(setting);
    await leave(response);
    return { house, client: "nothing", status: 499, reason: "client_closed" };
  },

  async slow_reader(setting) {
    const { house, response } = await begun(setting);
    await Bun.sleep(0);
    house.goTo(house.services.limits.client_idle_ms);
    return {
      house,
      client: await seenBy(Promise.resolve(response)),
      status: 499,
      reason: "client_closed",
    };
  },

  async overran(setting) {
    const { house, response } = await begun(setting);
    const client = seenBy(Promise.resolve(response));
    await Bun.sleep(0);
    house.goTo(house.services.limits.upstream_total_ms);
    return { house, client: await client, status: 499, reason: "client_closed" };
  },

  async gateway_failed(setting) {
    const { vendor, house } = feeding(setting);
    const { chat } = house.services.wires;
    const openStream = () => {
      throw new Error("a mistake of ours");
    };
    Object.assign(house.services.wires, { chat: { ...chat, openStream } });
    vendor.say(DELTA + END);
    return {
      house,
      client: await seenBy(house.post("chat", STREAM)),
      status: 500,
      reason: "gateway_failed",
    };
  },

  async unrecorded(setting) {
    const { vendor, house, response } = await begun(Object.assign(setting, { storageOut: true }));
    vendor.say(END);
    vendor.end();
    const client = await seenBy(Promise.resolve(response));
    setting.storageOut = false;
    return { house, client, status: 503, reason: "gateway_failed" };
  },
};

/** Whether a cause is charged for, by whether the vendor counted. */
function isCharged({ charge }: Ending, counted: boolean): boolean {
  return charge === "counts" ? counted : charge !== "nothing";
}

function heardByVendor({ calls }: House): Ending["vendor"] {
  const [call] = calls;
  if (!call) return "unasked";
  return call.signal.aborted ? "cancel" : "done";
}

const rows = Object.entries(ENDINGS) as [Cause["kind"], Ending][];

describe("a request that ends as", () => {
  test.each(rows)("%s does all that its row says", async (kind, row) => {
    const { house, client, status, reason } = await SCENES[kind]({});
    await house.services.tasks.settled();
    expect(client).toBe(row.client);
    expect(heardByVendor(house)).toBe(row.vendor);

    const receipts = row.books === "row" ? house.refused : house.settled.map((s) => s.receipt);
    expect(receipts).toMatchObject([{ status, billingReason: reason }]);
    const [receipt] = receipts;
    const counted = receipt?.usageSource === "vendor";
    expect(reason).toBe(counted ? row.reason.counted : row.reason.uncounted);
    if (row.status !== "fault") expect(status).toBe(row.status);
    expect((receipt?.charge.amount ?? 0n) > 0n).toBe(isCharged(row, counted));
    const end = isCharged(row, counted) ? "post" : "void";
    expect(house.settled.map((s) => s.kind)).toEqual(row.books === "row" ? [] : [end]);

    expect(house.logged).toEqual(row.log ? [row.log] : []);
    expect(house.services.watchdog.size).toBe(0);
    expect(house.services.drains.running).toBe(0);
    expect([house.open.size, house.problems]).toEqual([0, []]);
  });

  const faultsOf = ({ services }: House) => services.routes.status()[0]?.faults;

  test.each(rows)(
    "%s counts a fault of its channel once or not at all",
    async (kind, { faultsChannel }) => {
      const { house } = await SCENES[kind]({});
      // One that never began was the attempt's to tell.
      expect(faultsOf(house)).toBe(faultsChannel || kind === "vendor_failed" ? 1 : 0);
    },
  );

  const charged = rows.filter(([, { charge }]) => charge !== "nothing");
  /** Nobody waits for these, so what they cost can. */
  const keeping: readonly Cause["kind"][] = ["counted_alone", "client_left", "slow_reader"];

  test.each(charged)("%s is charged later or never while storage is out", async (kind, row) => {
    const setting: Setting = { storageOut: true };
    const { house } = await SCENES[kind](setting);
    setting.storageOut = false;
    await house.services.tasks.settled();
    const kept = keeping.includes(kind);
    expect(house.settled.map((s) => s.kind)).toEqual([kept ? "post" : "void"]);
    expect(row.books).toBe(kept ? "eventually" : "in_time");
  });
});

test("a stream that its money ended, and that is left before its end is read, costs what was delivered", async () => {
  const setting: Setting = { left: 400_000n, raise: async () => ({ kind: "ended" }) };
  const { vendor, house } = feeding(setting);
  // Some vendors count on the way, and less than they write.
  const usage = { prompt_tokens: 10, completion_tokens: 1 };
  const choices = [{ delta: { content: "some words of this answer" } }];
  vendor.say(event({ id: "c1", model: "v", choices, usage }));
  const response = await house.post("chat", STREAM);
  const reader = response.body?.getReader();
  await reader?.read();
  vendor.say(LONG_DELTA.repeat(10));
  // The end is written then, and waits to be taken.
  while (!house.calls[0]?.signal.aborted) await Bun.sleep(0);
  await reader?.cancel();
  await house.services.tasks.settled();
  const [{ receipt }] = house.settled as [(typeof house.settled)[number]];
  expect(receipt).toMatchObject({ billingReason: "client_closed", usage: { fresh: 10 } });
  expect(receipt.usage.output).toBeGreaterThan(1);
});

describe("a vendor that is read on without its client, and has no answer", () => {
  /** How a stream ends that its client left while the vendor said nothing yet. */
  async function leftWith(answer: Response): Promise<House> {
    const gate = Promise.withResolvers<Response>();
    const house = gateway({ send: () => gate.promise, onDisconnect: "drain" });
    const leaving = new AbortController();
    const posted = house.post("chat", STREAM, leaving.signal).catch(() => {});
    await called(house);
    leaving.abort();
    gate.resolve(answer);
    await posted;
    await house.services.tasks.settled();
    expect([house.open.size, house.services.drains.running]).toEqual([0, 0]);
    return house;
  }

  const refusing = (status: number) => Response.json({ error: { message: "No." } }, { status });

  test.each([
    ["400", refusing(400), "upstream_refused"],
    ["429", refusing(429), "upstream_failed"],
    ["503", refusing(503), "upstream_failed"],
    ["a refusal in a 200", new Response(REFUSES), "upstream_refused"],
    ["an empty 200", new Response(""), "upstream_failed"],
  ])("costs nothing where it says so: %s", async (_what, answer, billingReason) => {
    const { settled } = await leftWith(answer);
    expect(settled).toMatchObject([{ kind: "void", receipt: { billingReason } }]);
  });

  test("costs its input where it broke off", async () => {
    const broken = new ReadableStream({ pull: () => Promise.reject(new Error("ECONNRESET")) });
    const { settled } = await leftWith(new Response(broken));
    expect(settled).toMatchObject([{ kind: "post", receipt: { billingReason: "client_closed" } }]);
  });
});

describe("docs/billing.md", () => {
  /** What its first table says is charged, by billing reason. */
  const charged = async () => {
    const path = join(import.meta.dir, "..", "..", "..", "docs", "billing.md");
    const parts = (await Bun.file(path).text()).split("\n\n");
    const table = parts.find((part) => part.startsWith("| `billing_reason` |")) ?? "";
    const cells = [...table.matchAll(/^\| `(\w+)` +\|[^|]+\|([^|]+)\|$/gm)].slice(1);
    return new Map(cells.map(([, reason = "", words = ""]) => [reason, words.trim()]));
  };

  const reasons = rows.flatMap(([, row]) => [
    { reason: row.reason.counted, costs: isCharged(row, true) },
    { reason: row.reason.uncounted, costs: isCharged(row, false) },
  ]);

  test("has every billing reason and no other", async () => {
    // Whoever finds the hold of a process that died writes the first, and who takes its place the second.
    const afterDeath: BillingReason[] = ["interrupted", "taken_over"];
    const known = new Set<string>([...afterDeath, ...reasons.map(({ reason }) => reason)]);
    expect([...(await charged()).keys()].sort()).toEqual([...known].sort());
  });

  test.each(reasons)("says whether $reason costs anything", async ({ reason, costs }) => {
    expect((await charged()).get(reason) !== "nothing").toBe(costs);
  });
});
