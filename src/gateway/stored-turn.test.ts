import { describe, expect, test } from "bun:test";
import { gateway, RESPONSES } from "../../test/support/houses/pipeline.ts";
import { ticksDuring } from "../../test/support/waiting.ts";
import { readConfig } from "../config/config.ts";
import type { Remembered, TurnMemory } from "../conversations/conversations.ts";
import { weighJson } from "../lib/json/json-bounds.ts";
import { TimeBudget } from "../lib/threads/time-budget.ts";
import type { JsonObject } from "../protocols/fields.ts";
import { NO_USAGE } from "../protocols/usage.ts";
import { openWires } from "../protocols/wires.ts";
import { bodyBounds } from "./arriving/body.ts";
import { openStoredTurn } from "./stored-turn.ts";

const { limits } = readConfig({});
/** What counts for a request before, and for what it goes on from while that is read. */
const ARRIVED_BYTES = 500;
const READ_BYTES = 100;
const SMALL = { model: "sandbox-1.0", previous_response_id: "resp_1", input: "Go on." };

/** A request of a few bytes that goes on from these items. */
function goingOnFrom(items: JsonObject[], memory: Partial<TurnMemory> = {}, more: object = {}) {
  const turns: Partial<TurnMemory> = {
    enabled: true,
    wantsAll: false,
    async expand(_body, _reader, _timeBudget, holder) {
      holder?.grow(READ_BYTES);
      return items;
    },
    ...memory,
  };
  const body = { ...SMALL, ...more };
  const request = openWires(limits).responses.readRequest(body, JSON.stringify(body));
  const arrived = {
    taken: ARRIVED_BYTES,
    grow(bytes: number) {
      this.taken += bytes;
    },
  };
  const open = () =>
    openStoredTurn(
      { turns, limits, log: {} } as never,
      { key: { id: "k", accountId: "a" }, timeBudget: new TimeBudget(1_000) } as never,
      request,
      arrived,
    );
  return { open, arrived };
}

test.each([
  ["a few bytes", ["Hello.", "Hi."]],
  ["many megabytes", ["x".repeat(3_000_000), '"\n'.repeat(1_000_000), "漢".repeat(1_000_000)]],
])("a conversation of %s stands where it would if it had been sent", async (_what, texts) => {
  const items = texts.map((content) => ({ role: "user", content }));
  const { open, arrived } = goingOnFrom(items);
  const { request } = await open();
  const sent = JSON.stringify({ ...SMALL, input: items });
  expect(request.json.text === sent).toBe(true);
  expect(request.json.locate("input")).toEqual({
    start: sent.indexOf("["),
    end: sent.lastIndexOf("]") + 1,
  });
  expect(request.body.input).toBe(items);
  // Counted as if it had been sent, with what was counted while it was read.
  expect(arrived.taken).toBe(ARRIVED_BYTES + weighJson(sent, bodyBounds(limits)));
});

test("a long conversation leaves others their turns while it is put together", async () => {
  const content = "x".repeat(7_000_000);
  const { open } = goingOnFrom(Array.from({ length: 4 }, () => ({ role: "user", content })));
  expect(await ticksDuring(open)).toBeGreaterThan((4 * content.length) / 2 ** 20);
});

describe("for whoever wants all, such as a connection,", () => {
  const FITTING = [{ role: "user", content: "Hello." }];
  const TOO_LARGE = ["x", "y"].map((content) => ({
    role: "user",
    content: content.repeat(limits.response_bytes_max / 2),
  }));

  /** What is remembered of a turn that goes on from these items and has come to its end. */
  async function rememberedOf(items: JsonObject[], more: object) {
    const remembered: (readonly [Remembered, boolean])[] = [];
    const memory: Partial<TurnMemory> = {
      wantsAll: true,
      async remember(_reader, turn, stored) {
        remembered.push([turn, stored]);
        return true;
      },
    };
    const { turn } = await goingOnFrom(items, memory, more).open();
    const end = { cost: undefined, usage: NO_USAGE, echo: {} };
    const final = { id: "resp_2", output: [] };
    await turn.keep(final, { model: "m", echo: turn.echo }, end, new TimeBudget(1_000));
    return { remembered, turn };
  }

  test.each([true, false])(
    "a turn is kept with all that it goes on from, stored: %p",
    async (store) => {
      const { remembered } = await rememberedOf(FITTING, { store });
      expect(remembered).toMatchObject([[{ id: "resp_2", conversation: FITTING }, store]]);
    },
  );

  test("one that is stored is kept without a conversation that is too large to be held", async () => {
    const { remembered } = await rememberedOf(TOO_LARGE, {});
    expect(remembered).toMatchObject([
      [{ parentId: "resp_1", input: [{ content: "Go on." }] }, true],
    ]);
    expect(remembered[0]?.[0]).not.toHaveProperty("conversation");
  });

  test("one that is not stored is not kept where that is too large", async () => {
    const { remembered, turn } = await rememberedOf(TOO_LARGE, { store: false });
    expect(remembered).toEqual([]);
    expect([turn.continues, turn.echo.store]).toEqual([false, "false"]);
  });
});

test("a turn holds nothing of a conversation that is too large to be kept", async () => {
  const TURNS = 8;
  const held: WeakRef<JsonObject>[] = [];
  const memory: Partial<TurnMemory> = {
    wantsAll: true,
    async expand() {
      const content = "x".repeat(limits.response_bytes_max);
      const item = { role: "user", content };
      held.push(new WeakRef(item));
      return [item];
    },
  };
  const turns: unknown[] = [];
  for (let i = 0; i < TURNS; i++) turns.push((await goingOnFrom([], memory).open()).turn);
  await Bun.sleep(0);
  Bun.gc(true);
  expect(turns).toHaveLength(TURNS);
  // The collector may take one of them for used, but not most of them.
  expect(held.filter((item) => item.deref()).length).toBeLessThan(TURNS / 2);
});

test.each([true, false])(
  "a turn that could not be settled is not kept, stream: %p",
  async (stream) => {
    const kept: string[] = [];
    const turns: TurnMemory = {
      enabled: true,
      wantsAll: false,
      expand: async () => undefined,
      async remember(_reader, { id }) {
        kept.push(id);
        return true;
      },
      async drop(_reader, id) {
        kept.splice(kept.indexOf(id), 1);
      },
    };
    const setting: Parameters<typeof gateway>[0] = {};
    const house = gateway(setting);
    Object.assign(house.services, { turns });
    const ask = async () => (await house.post("responses", { ...RESPONSES, stream })).text();
    await ask();
    expect(kept).toHaveLength(1);
    setting.storageOut = true;
    await ask().catch(() => {});
    setting.storageOut = false;
    await house.services.tasks.settled();
    expect(kept).toHaveLength(1);
  },
);
