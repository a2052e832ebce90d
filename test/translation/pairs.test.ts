// Every client of every wire against a vendor of every wire: a real server process between the
// official clients and vendor bytes that were written by hand from the vendors' documents.
import { describe, expect, test } from "bun:test";
import { covering } from "../support/covering.ts";
import { perFile } from "../support/houses/house.ts";
import { aiSdkClients } from "./ai-sdk-clients.ts";
import { ANSWER_SCENARIOS } from "./answer-scenarios.ts";
import { anthropicClient } from "./anthropic-client.ts";
import type { Client } from "./client.ts";
import { FAULT_SCENARIOS } from "./fault-scenarios.ts";
import { geminiClient } from "./gemini-client.ts";
import { openaiChatClient } from "./openai-chat-client.ts";
import { openaiResponsesClient } from "./openai-responses-client.ts";
import { pairHouse } from "./pair-house.ts";
import { REASONING_SCENARIOS } from "./reasoning-scenarios.ts";
import type { Scenario } from "./scenario.ts";
import { WIRE_NAMES, type WireName } from "./scenes.ts";
import { TOOL_SCENARIOS } from "./tool-scenarios.ts";

const house = await perFile(pairHouse);

const CLIENTS: readonly Client[] = [
  openaiResponsesClient(house.access),
  openaiChatClient(house.access),
  anthropicClient(house.access),
  geminiClient(house.access),
  ...aiSdkClients(house.access),
];

const SCENARIOS: readonly Scenario[] = [
  ...ANSWER_SCENARIOS,
  ...TOOL_SCENARIOS,
  ...REASONING_SCENARIOS,
  ...FAULT_SCENARIOS,
];

/** Scenarios that are about something that vendors of a wire never do. */
const NOWHERE: Readonly<Record<WireName, readonly string[]>> = {
  responses: ["two calls of one tool, without ids", "hidden thought, restored and dropped"],
  chat: [
    "two calls of one tool, without ids",
    "hidden thought, restored and dropped",
    "search with its sources",
  ],
  messages: ["refusal", "two calls of one tool, without ids"],
  gemini: ["refusal", "hidden thought, restored and dropped"],
};

interface Meeting {
  readonly client: Client;
  readonly vendor: WireName;
  readonly scenario: Scenario;
  readonly stream: boolean;
}

const ALL: readonly Meeting[] = WIRE_NAMES.flatMap((wire) =>
  WIRE_NAMES.flatMap((vendor) =>
    CLIENTS.filter((client) => client.wire === wire).flatMap((client) =>
      SCENARIOS.flatMap((scenario) =>
        [false, true]
          .filter((stream) => scenario.fits?.({ client, vendor, stream }) ?? true)
          .map((stream) => ({ client, vendor, scenario, stream })),
      ),
    ),
  ),
);

const directionOf = ({ client, vendor }: Meeting) => `${client.wire} client × ${vendor} vendor`;

/** Every scenario goes from every wire to every other, and to every client; both ways of answering take turns. */
const MEETINGS = covering(ALL, (each) => [
  directionOf(each),
  each.scenario.name,
  each.client.name,
  each.stream ? "stream" : "whole",
]);

describe.each([...Map.groupBy(MEETINGS, directionOf)])("%s", (_direction, meetings) => {
  for (const { client, vendor, scenario, stream } of meetings) {
    const how = stream ? "stream" : "whole";
    test(`${scenario.name} › ${how} › ${client.name}`, () =>
      scenario.run({ house, client, vendor, stream }));
  }
});

test("every request has one receipt, nothing is held and every sum is right", async () => {
  await house.expectRightBooks();
});

test("every scenario has a cell for every vendor or says why it has none", () => {
  for (const vendor of WIRE_NAMES) {
    const names = SCENARIOS.filter(({ fits }) =>
      CLIENTS.some((client) => fits?.({ client, vendor, stream: true }) ?? true),
    ).map(({ name }) => name);
    const missing = SCENARIOS.map(({ name }) => name).filter((name) => !names.includes(name));
    expect(missing).toEqual([...NOWHERE[vendor]]);
  }
});
