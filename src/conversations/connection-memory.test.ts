import { expect, test } from "bun:test";
import { ticksDuring } from "../../test/support/waiting.ts";
import { readConfig } from "../config/config.ts";
import { ConnectionMemory } from "./connection-memory.ts";
import type { Remembered, TurnMemory } from "./conversations.ts";
import { MemoryBudget } from "./memory-budget.ts";

const { limits } = readConfig({});
const READER = { accountId: "a", keyId: "k" };

/** The memory of a connection over stored turns that a test looks at. */
function setUp(budgetBytes = limits.websocket_memory_bytes_max) {
  const stored: Remembered[] = [];
  const below: TurnMemory = {
    enabled: true,
    wantsAll: false,
    expand: async () => undefined,
    async remember(_reader, turn) {
      stored.push(turn);
      return true;
    },
    async drop(_reader, id) {
      stored.splice(stored.findIndex((turn) => turn.id === id) >>> 0, 1);
    },
  };
  const budget = new MemoryBudget(budgetBytes);
  const memory = new ConnectionMemory(below, limits, { budget, accountId: READER.accountId });
  const goOnFrom = (id: string) =>
    memory.expand({ input: "Go on.", previous_response_id: id }, READER);
  return { memory, stored, goOnFrom, budget };
}

const said = (content: string) => ({ role: "user", content });
const ANSWER = { type: "message", role: "assistant", content: "Hi." };
const GO_ON = { type: "message", ...said("Go on.") };

/** A turn as it is remembered; without a conversation where that is too large. */
function turnOf(id: string, conversation?: Remembered["conversation"]): Remembered {
  const whole = conversation ? { conversation } : {};
  const response = { id, output: [ANSWER] };
  return { id, parentId: "resp_0", input: [said("Hello.")], ...whole, response };
}

test("the latest turn can be gone on from, though it was not stored", async () => {
  const { memory, stored, goOnFrom } = setUp();
  await memory.remember(READER, turnOf("resp_1", [said("Hello.")]), false);
  expect(await goOnFrom("resp_1")).toEqual([said("Hello."), ANSWER, GO_ON]);
  expect(stored).toEqual([]);
});

test.each([
  ["left out", undefined],
  ["there", [said("x".repeat(limits.response_bytes_max))]],
])("one whose conversation is too large and %s is stored and not held", async (_how, all) => {
  const { memory, stored, goOnFrom } = setUp();
  expect(await memory.remember(READER, turnOf("resp_1", all), true)).toBe(true);
  expect(stored).toMatchObject([{ id: "resp_1", parentId: "resp_0", input: [said("Hello.")] }]);
  // Left to those that are stored.
  expect(await goOnFrom("resp_1")).toBeUndefined();
});

test("what goes on from an unstored turn is stored with all of it, or not at all", async () => {
  const { memory, stored, goOnFrom } = setUp();
  await memory.remember(READER, turnOf("resp_1", [said("Hello.")]), false);
  const conversation = (await goOnFrom("resp_1")) ?? [];
  expect(await memory.remember(READER, turnOf("resp_2", conversation), true)).toBe(true);
  expect(stored).toMatchObject([{ id: "resp_2", parentId: null, input: conversation }]);
  await memory.remember(READER, turnOf("resp_3", [said("Hello.")]), false);
  await goOnFrom("resp_3");
  expect(await memory.remember(READER, turnOf("resp_4"), true)).toBe(false);
  expect(stored).toHaveLength(1);
});

test("a long conversation leaves others their turns while it is measured", async () => {
  const { memory } = setUp();
  const content = "x".repeat(limits.response_bytes_max - 1_000);
  const remember = () => memory.remember(READER, turnOf("resp_1", [said(content)]), false);
  expect(await ticksDuring(remember)).toBeGreaterThan(content.length / 2 ** 20);
});

test("what is remembered counts until the next turn, a failure or the end of the connection", async () => {
  const { memory, budget, goOnFrom } = setUp();
  const remember = (id: string) => memory.remember(READER, turnOf(id, [said("Hello.")]), false);
  await remember("resp_1");
  const bytes = JSON.stringify([said("Hello."), ANSWER]).length;
  expect(budget.bytes).toBe(bytes);
  await remember("resp_2");
  expect(budget.bytes).toBe(bytes);
  memory.forget("resp_2");
  expect(budget.bytes).toBe(0);
  await remember("resp_3");
  memory.close();
  // As a turn does that ran when its connection was closed.
  await remember("resp_4");
  expect([budget.bytes, await goOnFrom("resp_4")]).toEqual([0, undefined]);
});

test("where others need the room it is forgotten, and looked for among the stored ones", async () => {
  const { memory, budget, goOnFrom } = setUp(100);
  await memory.remember(READER, turnOf("resp_1", [said("Hello.")]), true);
  budget.keep("another", { bytes: 20, forget() {} });
  expect([budget.bytes, await goOnFrom("resp_1")]).toEqual([20, undefined]);
});

test("a turn that is dropped is gone from the connection and from what is stored", async () => {
  const { memory, stored, goOnFrom } = setUp();
  await memory.remember(READER, turnOf("resp_1", [said("Hello.")]), true);
  expect([stored.length, await goOnFrom("resp_1")]).toEqual([1, expect.any(Array)]);
  await memory.drop(READER, "resp_1");
  expect([stored, await goOnFrom("resp_1")]).toEqual([[], undefined]);
});
