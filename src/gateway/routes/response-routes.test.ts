import { describe, expect, test } from "bun:test";
import { gateway, thrownBy } from "../../../test/support/houses/pipeline.ts";
import { Conversations } from "../../conversations/conversations.ts";
import { pack } from "../../conversations/packing.ts";
import type { ResponseRecord } from "../../conversations/record.ts";
import type { Incoming } from "../../lib/route.ts";
import type { Services } from "../services.ts";
import { listInputItems, showResponse } from "./response-routes.ts";

type ConversationStore = ConstructorParameters<typeof Conversations>[0];

const MAX = 2_000_000;
/** Less than a hundredth of it once it is packed. */
const TEXT = "word ".repeat(40_000);

const message = (id: string) => ({ type: "message", id, role: "user", content: TEXT });
const INPUT = [message("msg_own"), { type: "item_reference", id: "msg_other" }];

/** Two stored responses, one of which refers to the other, and as much room as some answers leave. */
async function house() {
  const recordOf = async (id: string, input: readonly object[]) => {
    const body = await pack({ input: input as never, response: { id, note: TEXT } }, MAX);
    return { id, body } as unknown as ResponseRecord;
  };
  const records = [
    await recordOf("resp_1", INPUT),
    await recordOf("resp_2", [message("msg_other")]),
  ];
  const store: Partial<ConversationStore> = {
    find: async () => records[0],
    findByItem: async () => records[1],
  };
  const it = gateway({
    env: {
      FAREGATE_ANSWER_BYTES_IN_FLIGHT_MAX: String(MAX),
      FAREGATE_ANSWER_BYTES_ACCOUNT_PERCENT: "100",
    },
  });
  const { limits, clock, answers } = it.services;
  const conversations = new Conversations(store as ConversationStore, limits, clock, true);
  const services: Services = { ...it.services, conversations };
  const url = new URL("http://gateway.invalid/v1/responses/resp_1");
  const client = { isTaking: true };
  const incoming: Incoming = {
    request: new Request(url.href, { headers: { authorization: "Bearer imported-key" } }),
    ...{ requestId: "req_1", url, params: { id: "resp_1" } },
    ...{ keepOpen() {}, isBeingAnswered: () => !client.isTaking, address: () => "" },
  };
  return { services, incoming, answers, client, goTo: it.goTo };
}

describe.each<[string, (services: Services, incoming: Incoming) => Promise<unknown>]>([
  ["a stored response", showResponse],
  ["what a stored response was asked", listInputItems],
])("%s", (_what, route) => {
  test("counts as answers do while it is read, and is given back", async () => {
    const { services, incoming, answers } = await house();
    const taken: number[] = [];
    const changed = answers.changed.bind(answers);
    answers.changed = (...args) => {
      const room = changed(...args);
      taken.push(answers.bytesInFlight);
      return room;
    };
    await route(services, incoming);
    expect(Math.max(...taken)).toBeGreaterThan(2 * TEXT.length);
    expect(answers.bytesInFlight).toBe(0);
  });

  test("counts until its client has taken it", async () => {
    const { services, incoming, answers, client, goTo } = await house();
    client.isTaking = false;
    await route(services, incoming);
    goTo(1_000);
    expect(answers.bytesInFlight).toBeGreaterThan(TEXT.length);
    client.isTaking = true;
    goTo(1_000);
    expect([answers.bytesInFlight, services.watchdog.size]).toEqual([0, 0]);
  });

  test("is refused where others take all the room", async () => {
    const { services, incoming, answers } = await house();
    const others = answers.enter("acct_2");
    void others.weigh(MAX - 1_000);
    expect((await thrownBy(route(services, incoming))).fault).toBe("overloaded");
    others.release();
    expect(answers.bytesInFlight).toBe(0);
    await route(services, incoming);
  });
});

test("an item that is referred to is not left out where there is no room for it at the moment", async () => {
  const { services, incoming, answers } = await house();
  // What was asked fits; what it refers to does not.
  const others = answers.enter("acct_2");
  void others.weigh(MAX - 1_200_000);
  expect((await thrownBy(listInputItems(services, incoming))).fault).toBe("overloaded");
  others.release();
  const { data } = await listInputItems(services, incoming);
  expect(data).toMatchObject([{ id: "msg_other" }, { id: "msg_own" }]);
  expect(data[0]).not.toMatchObject({ type: "item_reference" });
});
