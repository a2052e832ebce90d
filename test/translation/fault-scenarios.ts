import { expect } from "bun:test";
import { askPair, isTranslated, prompt, type Scenario } from "./scenario.ts";
import { FOUND_TEXT, SOURCE, TEXT, VENDOR_COMPLAINT } from "./scenes.ts";

const searchDropped: Scenario = {
  name: "search that the vendor does not run",
  fits: ({ client }) => client.abilities.includes("search"),
  async run(cell) {
    const { told, seen } = await askPair(cell, [prompt("text")], { searches: true });
    expect(seen.searches).toBe(false);
    // Where bytes pass, what is left out is named by its place.
    expect(told.headers.dropped).toMatch(isTranslated(cell) ? /search/ : /search|^tools\[0\]/i);
    expect(told.text).toBe(TEXT);
  },
};

const searchFound: Scenario = {
  name: "search with its sources",
  // Nobody runs searches on the chat wire; and who has both of OpenAI's wires speaks the client's own.
  fits: ({ client, vendor }) =>
    client.abilities.includes("search") &&
    vendor !== "chat" &&
    !(client.wire === "chat" && vendor === "responses"),
  async run(cell) {
    const model = `search-${cell.vendor}-1.0`;
    const { told, seen } = await askPair(cell, [prompt("search")], { searches: true, model });
    expect(seen.searches).toBe(true);
    expect(told).toMatchObject({ text: FOUND_TEXT, sources: [SOURCE.url] });
    expect(told.headers.dropped).toBe("");
    const { usage, lines } = await cell.house.receipt(told);
    expect(usage).toMatchObject({ web_searches: 1 });
    expect(lines).toContainEqual(expect.objectContaining({ item: "web_search", quantity: 1 }));
  },
};

const rejected: Scenario = {
  name: "request that the vendor rejects",
  async run({ house, client, vendor, stream }) {
    const turns = [prompt("rejected")];
    const fault = await house.askInVain(client, { model: `pair-${vendor}-1.0`, stream, turns });
    expect(fault.status).toBe(400);
    expect(fault.message).toContain(VENDOR_COMPLAINT);
  },
};

const down: Scenario = {
  name: "vendor that is down",
  async run({ house, client, vendor, stream }) {
    const ask = { model: house.faultModel(vendor), stream, turns: [prompt("down")] };
    const fault = await house.askInVain(client, ask);
    expect(fault.status).toBe(503);
  },
};

const broken: Scenario = {
  name: "stream that breaks",
  fits: ({ stream }) => stream,
  async run({ house, client, vendor, stream }) {
    const pieces: string[] = [];
    const onText = (piece: string) => pieces.push(piece);
    const ask = { model: house.faultModel(vendor), stream, turns: [prompt("broken")], onText };
    const fault = await house.askInVain(client, ask);
    expect(pieces.join("")).toBe(TEXT);
    expect(fault.message).not.toBe("");
  },
};

export const FAULT_SCENARIOS: readonly Scenario[] = [
  searchDropped,
  searchFound,
  rejected,
  down,
  broken,
];
