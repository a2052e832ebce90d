import { expect, test } from "bun:test";
import { DraftHouse, draftStores } from "../../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../../test/support/houses/house.ts";
import type { KeyClient } from "../key-client.ts";
import { localOperations } from "./operations.ts";
import { draftTools } from "./tools.ts";

const drafts = perSuite(draftStores);
const ARTICLE = { title: "Cranes", digest: "", markdown: "They stay.", cover_idea: "A crane." };
const DAY_MS = 24 * 3_600_000;

/** An agent that adds drafts to a box, and how often a model was asked for it. */
function agent() {
  const house = new DraftHouse(drafts.store);
  const model = { asked: 0 };
  const ask = async () => {
    model.asked += 1;
    const output = [{ content: [{ type: "output_text", text: JSON.stringify(ARTICLE) }] }];
    return Response.json({ model: "m-1", output, usage: { cost: 0.5, cost_exact: "0.5" } });
  };
  const doer = { who: async () => ({ name: "agent" }), note: async () => {} };
  const client = {
    accountId: house.accountId,
    by: "agent",
    ask,
    ...doer,
    role: "member",
  } as unknown;
  const services = { draftService: house.start(), publishOn: false };
  const operations = localOperations(services, client as KeyClient);
  const tools = draftTools({ operations, clock: () => house.nowMs });
  const tool = tools.find(({ name }) => name === "draft_add");
  if (!tool) throw new Error("there is no such tool");
  const add = async (args: object) => {
    const { draft } = (await tool.run({ ...args })) as { draft: { id: string } };
    return draft.id;
  };
  return { house, model, add };
}

test("the same arguments in another order lead to the same draft, which is paid once", async () => {
  const { house, model, add } = agent();
  const id = await add({ brief: "Write about cranes", model: "m-1", tone: "dry" });
  expect(await add({ tone: "dry", model: "m-1", brief: "Write about cranes" })).toBe(id);
  expect(await add({ tone: "dry", model: "m-1", brief: " Write about cranes\n" })).toBe(id);
  expect(model.asked).toBe(1);
  expect(house.stub.drafts.size).toBe(1);
});

test.each([[undefined], ["a key of the agent"]])(
  "so they do where the order is another within a cover, under the key %p",
  async (key) => {
    const { house, add } = agent();
    const named = key === undefined ? {} : { idempotency_key: key };
    const url = "https://pictures.test/cover.png";
    const markdown = "# Cranes\n\nThey stay.";
    const wide = { x1: 0, y1: 0, x2: 1, y2: 0.5 };
    const turned = { y2: 0.5, x2: 1, y1: 0, x1: 0 };
    const id = await add({ ...named, markdown, cover: { url, crops: { wide } } });
    expect(await add({ cover: { crops: { wide: turned }, url }, markdown, ...named })).toBe(id);
    expect(house.stub.drafts.size).toBe(1);
  },
);

test("other arguments, another order of articles or another day lead to another draft", async () => {
  const { house, add } = agent();
  const [one, two] = [{ markdown: "# One\n\nwords" }, { markdown: "# Two\n\nwords" }];
  const ids = [
    await add({ articles: [one, two] }),
    await add({ articles: [two, one] }),
    await add({ articles: [one] }),
  ];
  house.nowMs += DAY_MS;
  ids.push(await add({ articles: [one] }));
  expect(new Set(ids).size).toBe(4);
});
