import { describe, expect, test } from "bun:test";
import { countedSql } from "../../../test/store/counted-sql.ts";
import { ENGINES, tablesOn } from "../../../test/store/engines.ts";
import { article } from "../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import type { Draft } from "../../drafts/draft.ts";
import { openDraftBoxStore } from "../../drafts/tables/open.ts";
import { DRAFTS_TABLES } from "../../drafts/tables/versions.ts";
import { newId } from "../../lib/ids.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import type { MoneyReader } from "../money-reads/reader.ts";
import { SearchReads } from "./search.ts";

const NOW = 1_800_000_000_000;
/** About spring, and with a picture. */
const TEXT = `spring ![a](data:image/png;base64,${"A".repeat(20_000)})`;
const FEW_CHARS = 30_000;

const NO_MONEY = {} as MoneyReader;

function countedTables(sql: Sql) {
  const { counted, watched } = countedSql(sql);
  return { counted, search: new SearchReads(NO_MONEY, watched) };
}

describe.each(ENGINES)("the search for drafts on $name", (engine) => {
  const house = perSuite(async (parts) => {
    const { sql } = await tablesOn(parts, engine, DRAFTS_TABLES);
    return { sql, store: openDraftBoxStore(sql), ...countedTables(sql) };
  });

  async function addDraft(accountId: string, ...titles: readonly string[]): Promise<string> {
    const source = { format: "markdown", text: TEXT } as const;
    const articles = titles.map((title) => article(title, { source, digest: "of spring" }));
    const draft: Draft = {
      ...{ id: newId("drf_"), accountId, publicAccountId: "pub", articles },
      ...{ version: 1, pushedVersion: null, mediaId: null, status: "local", publishId: null },
      publishDoubtUntilMs: null,
      ...{ writing: [], createdAtMs: NOW, updatedAtMs: NOW },
    };
    await house.store.drafts.add(draft, "me", Number.POSITIVE_INFINITY);
    return draft.id;
  }

  const found = async (text: string, accountId?: string) =>
    (await house.search.drafts({ text, accountId, limit: 5 })).map(({ id, name }) => [id, name]);

  /** One that is found by its title, behind many that have the word everywhere else. */
  async function oneOfMany() {
    const accountId = newId("acc_");
    const wanted = await addDraft(accountId, "Spring menu", "Prices");
    for (let i = 0; i < 60; i++) await addDraft(accountId, `Number ${i}`);
    return { accountId, wanted };
  }

  test("finds a title, however many newer drafts have the word in their texts", async () => {
    const { accountId, wanted } = await oneOfMany();
    house.counted.chars = 0;
    expect(await found("sPRING", accountId)).toEqual([[wanted, "Spring menu · Prices"]]);
    expect(await found("price", accountId)).toEqual([[wanted, "Spring menu · Prices"]]);
    // Neither texts nor pictures are read.
    expect(house.counted.chars).toBeLessThan(2 * FEW_CHARS);
  });

  test("finds it among what an earlier release has written, which is read as a whole once", async () => {
    const { accountId, wanted } = await oneOfMany();
    await house.sql.query("update draft_versions set lines = null");
    expect(await found("spring", accountId)).toEqual([[wanted, "Spring menu · Prices"]]);
    house.counted.chars = 0;
    expect(await found("spring", accountId)).toEqual([[wanted, "Spring menu · Prices"]]);
    expect(house.counted.chars).toBeLessThan(FEW_CHARS);
  });

  test("finds the newest first, and no more than were asked for", async () => {
    const accountId = newId("acc_");
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.unshift(await addDraft(accountId, `Spring ${i}`));
    expect((await found("spring", accountId)).map(([id]) => id)).toEqual(ids.slice(0, 5));
  });

  test("finds titles as they are read, whatever is in them", async () => {
    const accountId = newId("acc_");
    const title = 'He said "Ökologie" \\ 100%';
    const id = await addDraft(accountId, title);
    for (const words of ['"öko', "ÖKOLOGIE", "\\ 1", "0%"]) {
      expect([words, await found(words, accountId)]).toEqual([words, [[id, title]]]);
    }
    expect(await found("1%0", accountId)).toEqual([]);
  });

  test("finds one by its id in its account or in all of them, and reads no text for it", async () => {
    const accountId = newId("acc_");
    const id = await addDraft(accountId, "Autumn");
    house.counted.chars = 0;
    expect(await found(id, accountId)).toEqual([[id, "Autumn"]]);
    expect(await found(id)).toEqual([[id, "Autumn"]]);
    expect(await found(id, newId("acc_"))).toEqual([]);
    expect(await found("autumn", newId("acc_"))).toEqual([]);
    expect(house.counted.chars).toBeLessThan(FEW_CHARS);
  });
});
