// What a model has answered is paid once under a client's key, also where who asked died before it was kept.
import { describe, expect, test } from "bun:test";
import { faultOf } from "../../../test/support/errors.ts";
import { article, DraftHouse, draftStores } from "../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { Fault, StorageError } from "../../lib/faults.ts";
import type { DraftBoxStore } from "../tables/open.ts";
import type { AskModel } from "../writing/model-answer.ts";
import { addDraft, previewDraft } from "./bring-draft.ts";
import type { Client, DraftServices } from "./client.ts";
import { shortenForDraft, writeForDraft } from "./write-draft.ts";

const drafts = perSuite(draftStores);

const ARTICLE = { title: "Cranes", digest: "", markdown: "They stay.", cover_idea: "A crane." };
const LONG = { ...ARTICLE, title: "x".repeat(40) };
const REQUEST = { brief: "Write about cranes", model: "m-1" };

type Work = (services: DraftServices, client: Client, key: string | undefined) => Promise<object>;
const add: Work = (services, client, key) => addDraft(services, client, REQUEST, key);
const tryOut: Work = (services, client, key) =>
  addDraft(services, client, { ...REQUEST, dry_run: true }, key);
const preview: Work = (services, client, key) => previewDraft(services, client, REQUEST, key);
const write: Work = (services, client, key) => writeForDraft(services, client, REQUEST, key);
const shorten: Work = (services, client, key) => {
  const request = { model: "m-1", field: "title", text: "Cranes in winter", limit: 9 };
  return shortenForDraft(services, client, request, key);
};

/** A house beside a gate whose model says these, one after the other; what has a key is paid once. */
function open(...says: readonly (object | Fault)[]) {
  const house = new DraftHouse(drafts.store);
  const kept = new Map<string, { readonly id: string; readonly text: string }>();
  const gate = { paid: 0, keys: [] as (string | undefined)[], answered: () => {} };
  const ask: AskModel = async (body, key) => {
    gate.keys.push(key);
    const value = `${key} ${JSON.stringify(body)}`;
    const before = key === undefined ? undefined : kept.get(value);
    const say = before ? {} : says[gate.keys.length - 1];
    if (say instanceof Fault) throw say;
    if (!before) gate.paid += 1;
    const answer = before ?? { id: `req_${gate.paid}`, text: JSON.stringify(say ?? ARTICLE) };
    if (key !== undefined) kept.set(value, answer);
    const output = [{ content: [{ type: "output_text", text: answer.text }] }];
    const headers = new Headers({ "x-request-id": `req_of_call_${gate.keys.length}` });
    headers.set(before ? "x-faregate-receipt" : "x-request-id", answer.id);
    gate.answered();
    return Response.json(
      { model: "m-1", output, usage: { cost: 0.5, cost_exact: "0.5" } },
      { headers },
    );
  };
  const who = async () => ({ name: "me" });
  const client = { accountId: house.accountId, by: "me", ask, who, note: async () => {} };
  const services = (store = drafts.store) => ({
    draftService: house.start({ store }),
    publishOn: false,
  });
  return { house, gate, client, services };
}

describe("under a key whose owner died when the model had answered", () => {
  test.each<[string, Work, readonly object[], readonly string[]]>([
    ["a draft", add, [ARTICLE], ["req_1"]],
    ["a draft with a title that was shortened", add, [LONG, { title: "C" }], ["req_1", "req_2"]],
    ["an article", write, [ARTICLE], ["req_1"]],
    ["a shorter text", shorten, [{ title: "Cranes" }], ["req_1"]],
  ])("%s is made of that answer, and paid once", async (_what, work, says, paid) => {
    const { house, gate, client, services } = open(...says);
    gate.answered = () => {
      if (gate.paid === says.length) house.life.die();
    };
    void work(services(), client, "key");
    await house.life.died;
    gate.answered = () => {};
    const made = await work(services(), client, "key");
    expect(gate.paid).toBe(says.length);
    const writing = paid.map((request_id) => ({ request_id, cost: "0.5" }));
    expect(made).toMatchObject({ writing });
  });
});

describe("what a draft would look like, which a model has written", () => {
  test.each([
    ["with dry_run", tryOut],
    ["as a preview", preview],
  ])("%s is paid once under a key, and is the same each time", async (_how, work) => {
    const { gate, client, services } = open();
    const both = services();
    const first = await work(both, client, "key");
    expect(first).toMatchObject({ ok: true, written: { cover_idea: "A crane." } });
    expect(await work(both, client, "key")).toEqual(first);
    expect(gate.paid).toBe(1);
    const other = addDraft(both, client, { ...REQUEST, dry_run: true, title: "Other" }, "key");
    expect(await faultOf(other)).toMatchObject({ fault: "idempotency_conflict" });
    expect(await faultOf(add(both, client, "key"))).toMatchObject({
      fault: "idempotency_conflict",
    });
    expect(gate.paid).toBe(1);
  });
});

describe("the pictures of a caller are not kept with a key", () => {
  const data = `data:image/png;base64,${"A".repeat(100_000)}`;
  const withCover = { ...REQUEST, cover: { data } };
  /** Whether what is kept under the one key of the account is about as long as the words. */
  const isKeptSmall = async (accountId: string) => {
    const rows = (await drafts.sql.query(
      "select coalesce(answer, failure) as kept from draft_keys where account_id = $1",
      [accountId],
    )) as { kept: string }[];
    return rows.every(({ kept }) => kept.includes("They stay.") && kept.length < 5_000);
  };

  test("for a preview, and every call has them in its answer", async () => {
    const { house, gate, client, services } = open();
    const both = services();
    const show = () => previewDraft(both, client, withCover, "key");
    const first = await show();
    expect(first).toMatchObject({ written: { article: { cover: { data } } } });
    expect(await isKeptSmall(house.accountId)).toBe(true);
    expect(await show()).toEqual(first);
    expect(gate.paid).toBe(1);
  });

  test("where no draft could be made of the words", async () => {
    const { house, client, services } = open();
    const both = services();
    const removing: AskModel = async (body, key) => {
      const { id } = await both.draftService.publicAccounts.find(house.accountId, undefined);
      await both.draftService.publicAccounts.remove(house.accountId, id);
      return client.ask(body, key);
    };
    const failed = addDraft(both, { ...client, ask: removing }, withCover, "key");
    const { fault, facts } = await faultOf(failed);
    expect([fault, facts.written]).toMatchObject(["not_found", { article: { title: "Cranes" } }]);
    expect(await isKeptSmall(house.accountId)).toBe(true);
  });
});

test("what a model has written is not kept for longer, though its account asks for nothing more", async () => {
  const { house, client, services } = open();
  const both = services();
  await write(both, client, "key");
  const { accountId } = house;
  const keys = () =>
    drafts.sql.query("select idem_key from draft_keys where account_id = $1", [accountId]);
  await both.draftService.recover();
  expect(await keys()).toHaveLength(1);
  house.nowMs += 25 * 3_600_000;
  await both.draftService.recover();
  expect(await keys()).toEqual([]);
});

describe("words whose keeping fails for a moment", () => {
  /** Tables of which one call fails once: what it writes is not written, or is, and only its answer is lost. */
  function blinking(part: "keys" | "drafts", name: string, isWritten = false): DraftBoxStore {
    let failures = 1;
    const rows = new Proxy<object>(drafts.store[part], {
      get(target, member) {
        const real = Reflect.get(target, member) as (...given: unknown[]) => unknown;
        return async (...given: unknown[]) => {
          if (member !== name || failures-- <= 0) return real.apply(target, given);
          if (isWritten) await real.apply(target, given);
          throw new StorageError("away for a moment");
        };
      },
    });
    return { ...drafts.store, [part]: rows };
  }

  test.each([
    ["an article", write, ARTICLE, "article"],
    ["a shorter text", shorten, { title: "Cranes" }, "text"],
    ["a preview", preview, ARTICLE, "article"],
  ])("are told where they are %s, and paid once", async (_what, work, said, member) => {
    const { gate, client, services } = open(said);
    const both = services(blinking("keys", "answer"));
    const { fault, facts } = await faultOf(work(both, client, "key"));
    expect([fault, facts.writing]).toMatchObject(["storage_unavailable", [{ cost: "0.5" }]]);
    expect(facts.written).toHaveProperty(member);
    await work(both, client, "key");
    expect(gate.paid).toBe(1);
  });

  test.each([
    ["an article", write, ARTICLE],
    ["a shorter text", shorten, { title: "Cranes" }],
    ["a preview", preview, ARTICLE],
  ])(
    "are the answer of the key where they were kept after all as %s",
    async (_what, work, said) => {
      const { gate, client, services } = open(said);
      const both = services(blinking("keys", "answer", true));
      const { fault, facts } = await faultOf(work(both, client, "key"));
      expect(fault).toBe("storage_unavailable");
      const again = await work(both, client, "key");
      const kept = "written" in again ? again.written : again;
      expect(kept).toMatchObject({ writing: facts.writing });
      expect(gate.paid).toBe(1);
    },
  );

  test("are counted once to the draft that they are for", async () => {
    const { house, client, services } = open();
    const both = services(blinking("keys", "answer"));
    const form = { articles: [article("kept")], by: "me" };
    const { id } = await both.draftService.create(house.accountId, form);
    const writeFor = () => writeForDraft(both, client, { ...REQUEST, draft: id }, "key");
    await faultOf(writeFor());
    await writeFor();
    expect((await both.draftService.find(house.accountId, id)).writing).toHaveLength(1);
  });

  test.each([
    ["keys", "answer"],
    ["drafts", "add"],
  ] as const)("become one draft, also where %s.%s fails", async (part, name) => {
    const { house, gate, client, services } = open();
    const both = services(blinking(part, name));
    const keep = () => writeForDraft(both, client, { ...REQUEST, keep: true }, "key");
    const first = await keep().catch((thrown: Fault) => thrown.facts);
    expect("draft_id" in first || "written" in first).toBe(true);
    const again = await keep();
    expect(await keep()).toEqual(again);
    const all = await both.draftService.list(house.accountId, undefined, 9);
    expect(all.map(({ id }) => id)).toEqual([String(again.draft_id)]);
    expect(gate.paid).toBe(1);
  });
});

describe("a model is asked anew", () => {
  test.each([
    ["a draft", add],
    ["an article", write],
    ["a shorter text", shorten],
  ])("for %s where it had answered with none", async (_what, work) => {
    const { gate, client, services } = open({ no: "words" }, { ...ARTICLE, title: "C" });
    const both = services();
    expect(await faultOf(work(both, client, "key"))).toMatchObject({ fault: "writing_failed" });
    expect(await work(both, client, "key")).toMatchObject({ writing: [{ request_id: "req_2" }] });
    expect(gate.paid).toBe(2);
  });

  test("where it was not asked at all", async () => {
    const { gate, client, services } = open(new Fault("budget_exceeded", "no money"), ARTICLE);
    const both = services();
    expect(await faultOf(add(both, client, "key"))).toMatchObject({ fault: "budget_exceeded" });
    expect(await add(both, client, "key")).toMatchObject({ status: "in_box" });
    expect(gate.paid).toBe(1);
  });

  test("where the draft of the key was deleted", async () => {
    const { house, gate, client, services } = open();
    const both = services();
    const { id } = (await add(both, client, "key")) as { id: string };
    await both.draftService.remove(house.accountId, id);
    expect(await add(both, client, "key")).toMatchObject({ writing: [{ request_id: "req_2" }] });
    expect(gate.paid).toBe(2);
  });

  test("each time by who has no key", async () => {
    const { gate, client, services } = open();
    const both = services();
    for (const work of [add, write]) await work(both, client, undefined);
    expect(gate.keys).toEqual([undefined, undefined]);
    expect(gate.paid).toBe(2);
  });
});
