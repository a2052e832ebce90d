import { expect } from "bun:test";
import type { Turn } from "./client.ts";
import {
  answerTurn,
  askPair,
  type Cell,
  prompt,
  resultOf,
  resultTurn,
  type Scenario,
  WEATHER_TOOL,
} from "./scenario.ts";
import { HIDDEN_STATE, STATES, TEXT, THOUGHT, WIRE_NAMES, type WireName } from "./scenes.ts";
import type { Seen } from "./seen.ts";

/** The model of this wire whose vendor wants its thoughts back. */
function thinkingModel(vendor: WireName): string {
  return vendor === "chat" ? "thinking-chat-1.0" : `pair-${vendor}-1.0`;
}

function askThinker(cell: Cell, turns: readonly Turn[], tools = [WEATHER_TOOL]) {
  return askPair(cell, turns, { model: thinkingModel(cell.vendor), thinks: true, tools });
}

/** What the vendor handed out is back to the byte, as far as the client carries it at all. */
function expectRestored({ client, vendor }: Cell, seen: Seen, to: "call" | "text"): void {
  expect(seen.states).toEqual(client.carries(vendor, to) ? [STATES[vendor]] : []);
}

/** Whoever answers next, of another wire, gets the conversation without what it cannot read. */
async function expectDropped(cell: Cell, turns: readonly Turn[]): Promise<void> {
  for (const vendor of WIRE_NAMES.filter((wire) => wire !== cell.vendor)) {
    const { told, seen } = await askThinker({ ...cell, vendor }, turns);
    expect(seen.states).toEqual([]);
    expect(seen.said.join("")).toContain(TEXT);
    expect(told.text).toBe(TEXT);
  }
}

const thoughtBeforeCall: Scenario = {
  name: "thought before a tool, restored and dropped",
  async run(cell) {
    const first = prompt("thought-call");
    const { told, seen } = await askThinker(cell, [first]);
    expect(seen.effort).toBe("high");
    expect(told.thought).toBe(cell.client.showsThoughts ? THOUGHT : "");
    expect(told.calls).toHaveLength(1);
    const result = resultTurn(resultOf(told.calls[0], "text"));
    const turns = [first, answerTurn(told), result];
    const second = await askThinker(cell, turns);
    expectRestored(cell, second.seen, "call");
    expect(second.told.text).toBe(TEXT);
    await expectDropped(cell, [...turns, answerTurn(second.told), prompt("text")]);
  },
};

const thoughtBeforeText: Scenario = {
  name: "thought before a text, restored and dropped",
  async run(cell) {
    const first = prompt("thought-text");
    const { told } = await askThinker(cell, [first]);
    expect(told).toMatchObject({
      thought: cell.client.showsThoughts ? THOUGHT : "",
      text: TEXT,
      finish: "done",
    });
    const turns = [first, answerTurn(told), prompt("text")];
    const second = await askThinker(cell, turns);
    expectRestored(cell, second.seen, "text");
    expect(second.seen.said.join("")).toBe(TEXT);
    await expectDropped(cell, [...turns, answerTurn(second.told), prompt("text")]);
  },
};

const hiddenThought: Scenario = {
  name: "hidden thought, restored and dropped",
  fits: ({ client, vendor }) => vendor === "messages" && client.carries(vendor, "call"),
  async run(cell) {
    const first = prompt("hidden-thought");
    const { told } = await askThinker(cell, [first]);
    expect(told).toMatchObject({ thought: "", text: "", finish: "calls" });
    const result = resultTurn(resultOf(told.calls[0], "text"));
    const turns = [first, answerTurn(told), result];
    const second = await askThinker(cell, turns);
    expect(second.seen.states).toEqual([HIDDEN_STATE]);
    await expectDropped(cell, [...turns, answerTurn(second.told), prompt("text")]);
  },
};

export const REASONING_SCENARIOS: readonly Scenario[] = [
  thoughtBeforeCall,
  thoughtBeforeText,
  hiddenThought,
];
