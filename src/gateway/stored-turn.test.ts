import { expect, test } from "bun:test";
import { turnsDuring } from "../../test/support/waiting.ts";
import { readConfig } from "../config/config.ts";
import type { TurnMemory } from "../conversations/conversations.ts";
import { weighJson } from "../lib/json/json-bounds.ts";
import { Allowance } from "../lib/threads/allowance.ts";
import type { JsonObject } from "../protocols/fields.ts";
import { openWires } from "../protocols/wires.ts";
import { bodyBounds } from "./arriving/body.ts";
import { openStoredTurn } from "./stored-turn.ts";

const { limits } = readConfig({});
/** What counts for a request before, and for what it goes on from while that is read. */
const ARRIVED_BYTES = 500;
const READ_BYTES = 100;
const SMALL = { model: "sandbox-1.0", previous_response_id: "resp_1", input: "Go on." };

/** A request of a few bytes that goes on from these items. */
function goingOnFrom(items: JsonObject[]) {
  const turns: Partial<TurnMemory> = {
    enabled: true,
    wantsAll: false,
    async expand(_body, _reader, _allowance, holder) {
      holder?.grow(READ_BYTES);
      return items;
    },
  };
  const request = openWires(limits).responses.readRequest(SMALL, JSON.stringify(SMALL));
  const arrived = {
    taken: ARRIVED_BYTES,
    grow(bytes: number) {
      this.taken += bytes;
    },
  };
  const open = () =>
    openStoredTurn(
      { turns, limits, log: {} } as never,
      { key: { id: "k", accountId: "a" }, allowance: new Allowance(1_000) } as never,
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
  expect(await turnsDuring(open)).toBeGreaterThan((4 * content.length) / 2 ** 20);
});
