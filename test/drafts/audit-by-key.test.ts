// What keys do to a public account, by whichever door, and what the audit log has of it.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { peopleStores } from "../../src/accounts/tables/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { type DraftAnswer, draftsServer } from "../support/houses/drafts-server.ts";
import { perFile } from "../support/houses/house.ts";
import type { JsonObject } from "../support/samples/wires.ts";

const house = await perFile(async (parts) => ({
  ...(await draftsServer(parts, { FAREGATE_DRAFTS_PUBLISH: "on" })),
  folder: parts.folder(),
}));
const { firstKey } = house.server;
const ACTOR = expect.stringContaining(`…${firstKey.slice(-4)}`);

/** What the log has of a draft, the oldest first. */
async function noted(target: string) {
  const records = await house.server.beside(({ store }) =>
    peopleStores(store.sql, systemClock).audit.list({ limit: 100, after: undefined }, { target }),
  );
  return records.toReversed().map(({ action, actor, detail }) => ({ action, actor, detail }));
}

async function deleted(id: string): Promise<void> {
  const init = { method: "DELETE", headers: { authorization: `Bearer ${firstKey}` } };
  expect((await fetch(`${house.server.url}/drafts/${id}`, init)).status).toBe(200);
}

/** One tool, called as an agent would. */
async function tool(name: string, args: JsonObject): Promise<JsonObject> {
  const response = await fetch(`${house.origin}/mcp`, {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${firstKey}`, "content-type": "application/json" },
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
    }),
  });
  const line = (await response.text()).split("\n").find((each) => each.startsWith("data: ")) ?? "";
  const { result } = JSON.parse(line.slice("data: ".length)) as {
    result: { structuredContent: JsonObject };
  };
  return result.structuredContent;
}

test("drafts that a key pushes, changes, publishes and deletes are in the audit log", async () => {
  const draft = await house.made("/drafts", { title: "Cranes", markdown: "Cranes." });
  const init = {
    method: "PATCH",
    headers: { authorization: `Bearer ${firstKey}`, "content-type": "application/json" },
    body: JSON.stringify({ title: "Cranes again" }),
  };
  expect((await fetch(`${house.server.url}/drafts/${draft.id}`, init)).status).toBe(200);
  await house.made(`/drafts/${draft.id}:publish`, {});
  await deleted(draft.id);
  const key = expect.stringMatching(/^key_/);
  const { media_id } = draft;
  expect(await noted(draft.id)).toEqual([
    { action: "draft.push", actor: ACTOR, detail: { key, media_id, version: 1 } },
    { action: "draft.push", actor: ACTOR, detail: { key, media_id, version: 2 } },
    { action: "draft.publish", actor: ACTOR, detail: { key } },
    { action: "draft.delete", actor: ACTOR, detail: { key } },
  ]);
});

test("what is published with the call that makes it is in the audit log", async () => {
  const form = { title: "At once", markdown: "At once.", publish: true };
  const { id } = await house.made("/drafts", form);
  expect((await noted(id)).map(({ action }) => action)).toEqual(["draft.push", "draft.publish"]);
});

test("what an agent does is in the audit log", async () => {
  const added = await tool("draft_add", { title: "By an agent", markdown: "Words." });
  const { id } = added.draft as DraftAnswer;
  await tool("draft_update", { id, title: "By the agent" });
  await tool("draft_delete", { id });
  const actions = ["draft.push", "draft.push", "draft.delete"];
  expect(await noted(id)).toMatchObject(actions.map((action) => ({ action, actor: ACTOR })));
});

test("what is done on the command line is in the audit log, by the key of the command line", async () => {
  const file = join(house.folder, "typed.md");
  writeFileSync(file, "# Typed\n\nTyped at the machine.\n");
  const { id } = await house.server.command<DraftAnswer>("draft", "push", file);
  await house.server.command("draft", "rm", id);
  const actor = expect.stringMatching(/^key command line …/);
  const actions = ["draft.push", "draft.delete"];
  expect(await noted(id)).toMatchObject(actions.map((action) => ({ action, actor })));
});
