// What a model was paid for is kept, or told with whatever kept it from being kept.
import { describe, expect, test } from "bun:test";
import { faultOf } from "../../../test/support/errors.ts";
import { article, DraftHouse, draftStores } from "../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { addDraft, previewDraft } from "./bring-draft.ts";
import { shortenForDraft, writeForDraft } from "./write-draft.ts";

const drafts = perSuite(draftStores);

const ARTICLE = { title: "Cranes", digest: "", markdown: "They stay.", cover_idea: "A crane." };
const REQUEST = { brief: "Write about cranes", model: "m-1" };
const PAID = [{ request_id: "req_1", model: "m-1", purpose: "write", cost: "0.5" }];

/** A house with a model that says these, one after the other, and that may do something meanwhile. */
function open(charsMax?: number, ...says: readonly object[]) {
  const house = new DraftHouse(drafts.store);
  const draftService = house.start(charsMax === undefined ? {} : { charsMax });
  const { accountId } = house;
  const model = { asked: 0, meanwhile: async () => {} };
  const ask = async () => {
    const said = says[model.asked] ?? ARTICLE;
    model.asked += 1;
    await model.meanwhile();
    const output = [{ content: [{ type: "output_text", text: JSON.stringify(said) }] }];
    const headers = { "x-request-id": `req_${model.asked}` };
    return Response.json(
      { model: "m-1", output, usage: { cost: 0.5, cost_exact: "0.5" } },
      { headers },
    );
  };
  const removeAccount = async () => {
    const { id } = await draftService.publicAccounts.find(accountId, undefined);
    await draftService.publicAccounts.remove(accountId, id);
  };
  const who = async () => ({ name: "me" });
  const client = { accountId, by: "me", ask, who, note: async () => {} };
  return {
    house,
    draftService,
    accountId,
    services: { draftService, publishOn: false },
    client,
    model,
    removeAccount,
  };
}

describe("an account without room", () => {
  const long = article("long", { source: { format: "markdown", text: "x".repeat(2_000) } });
  const charsMax = JSON.stringify([long]).length;

  test("is refused before a model is asked", async () => {
    const { draftService, accountId, services, client, model } = open(charsMax);
    await draftService.create(accountId, { articles: [long], by: "me" });
    const full = { fault: "invalid_value", param: "articles" };
    expect(await faultOf(addDraft(services, client, REQUEST, "key"))).toMatchObject(full);
    const kept = writeForDraft(services, client, { ...REQUEST, keep: true }, undefined);
    expect(await faultOf(kept)).toMatchObject(full);
    expect(model.asked).toBe(0);
    // What is not to be kept needs no room.
    expect(await writeForDraft(services, client, REQUEST, undefined)).toMatchObject({
      article: { title: "Cranes" },
    });
  });

  test("keeps what it had room for when the model was asked, however long that has become", async () => {
    const said = { ...ARTICLE, markdown: "y".repeat(3_000) };
    const { draftService, accountId, services, client, model } = open(charsMax, said);
    const add = () => addDraft(services, client, REQUEST, "key");
    const added = await add();
    expect(added).toMatchObject({ status: "in_box", cover_idea: "A crane." });
    expect(await add()).toMatchObject({ id: "id" in added && added.id });
    expect(model.asked).toBe(1);
    const next = draftService.create(accountId, { articles: [article("next")], by: "me" });
    expect(await faultOf(next)).toMatchObject({ fault: "invalid_value", param: "articles" });
  });
});

describe("words that no draft can be made of", () => {
  const written = {
    article: { title: "Cranes", source: { text: "They stay." } },
    cover_idea: "A crane.",
    writing: PAID,
  };

  test("are told with the public account that was removed meanwhile", async () => {
    const { house, services, client, model, removeAccount } = open();
    model.meanwhile = removeAccount;
    const told = { fault: "not_found", facts: { writing: PAID, written } };
    expect(await faultOf(addDraft(services, client, REQUEST, "key"))).toMatchObject(told);
    const paid = { writing: [{ request_id: "req_2" }], written: { article: written.article } };
    const shown = await faultOf(previewDraft(services, client, REQUEST));
    expect(shown).toMatchObject({ fault: "not_found", facts: paid });
    expect(house.stub.drafts.size).toBe(0);
  });

  test("are told with the draft that was deleted meanwhile", async () => {
    const { draftService, accountId, services, client, model } = open(undefined, ARTICLE, {
      title: "C",
    });
    const make = () => draftService.create(accountId, { articles: [article("gone")], by: "me" });
    const one = await make();
    model.meanwhile = () => draftService.remove(accountId, one.id);
    const wrote = writeForDraft(services, client, { ...REQUEST, draft: one.id }, undefined);
    const told = { fault: "not_found", facts: { writing: PAID, written } };
    expect(await faultOf(wrote)).toMatchObject(told);
    const other = await make();
    model.meanwhile = () => draftService.remove(accountId, other.id);
    const request = { model: "m-1", field: "title", text: "Cranes", limit: 3, draft: other.id };
    const facts = { writing: [{ purpose: "shorten" }], written: { text: "C" } };
    const shortened = await faultOf(shortenForDraft(services, client, request, undefined));
    expect(shortened).toMatchObject({ fault: "not_found", facts });
  });
});

test("a title that no draft can hold is kept as far as one can, and refused", async () => {
  const long = { ...ARTICLE, title: "鹤".repeat(5_000) };
  const { house, draftService, accountId, services, client } = open(undefined, long, {});
  const { fault, facts } = await faultOf(addDraft(services, client, REQUEST, undefined));
  expect(fault).toBe("preflight_failed");
  expect(facts.writing).toHaveLength(2);
  const [kept] = (await draftService.find(accountId, String(facts.draft_id))).articles;
  expect(kept).toMatchObject({ title: "鹤".repeat(2_000), source: { text: "They stay." } });
  expect(house.stub.drafts.size).toBe(0);
});

test("words that are given are judged before a model is asked", async () => {
  const { services, client, model } = open();
  const given = (title: string) => addDraft(services, client, { ...REQUEST, title }, undefined);
  expect(await faultOf(given("x".repeat(33)))).toMatchObject({
    ...{ fault: "preflight_failed", param: "articles[0].title" },
  });
  expect(await faultOf(given("x".repeat(2_001)))).toMatchObject({ fault: "invalid_value" });
  expect(model.asked).toBe(0);
});

test("a title that a model shortens to something that is no text stays as long as it was", async () => {
  const title = "鹤".repeat(40);
  const says = [{ ...ARTICLE, title }, { title: { short: "鹤" } }];
  const { house, draftService, accountId, services, client } = open(undefined, ...says);
  const { fault, facts } = await faultOf(addDraft(services, client, REQUEST, undefined));
  expect(fault).toBe("preflight_failed");
  const tooLong = expect.objectContaining({ code: "title_too_long", found: 40 });
  expect(facts.problems).toContainEqual(tooLong);
  const kept = await draftService.find(accountId, String(facts.draft_id));
  expect(kept).toMatchObject({ articles: [{ title }] });
  expect(house.stub.drafts.size).toBe(0);
});
