import { describe, expect, test } from "bun:test";
import { countedSql } from "../../../test/store/counted-sql.ts";
import { ENGINES, tablesOn } from "../../../test/store/engines.ts";
import { article } from "../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { newId } from "../../lib/ids.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import type { Draft } from "../draft.ts";
import { openDraftBoxStore } from "./open.ts";
import { DRAFTS_TABLES } from "./versions.ts";

const NOW = 1_800_000_000_000;
const PICTURE = `![a](data:image/png;base64,${"A".repeat(100_000)})`;
const FEW_CHARS = 5_000;

function countedTables(sql: Sql) {
  const { counted, watched } = countedSql(sql);
  return { counted, store: openDraftBoxStore(watched) };
}

describe.each(ENGINES)("a list on $name", (engine) => {
  const tables = perSuite(async (parts) => {
    const { sql } = await tablesOn(parts, engine, DRAFTS_TABLES);
    return { sql, ...countedTables(sql) };
  });

  /** A draft of two versions, each with a picture in its text. */
  async function addDraft() {
    const { store } = tables;
    const accountId = newId("acc_");
    const words = (title: string) => [
      article(title, { digest: "d", source: { format: "markdown", text: PICTURE } }),
      article("second", { type: "newspic" }),
    ];
    const draft: Draft = {
      ...{ id: newId("drf_"), accountId, publicAccountId: "pub", articles: words("before") },
      ...{ version: 1, pushedVersion: null, mediaId: null, status: "local", publishId: null },
      publishDoubtUntilMs: null,
      ...{ writing: [], createdAtMs: NOW, updatedAtMs: NOW },
    };
    await store.drafts.add(draft, "me", Number.POSITIVE_INFINITY);
    const next = { draftId: draft.id, version: 2, articles: words("after"), by: "you" };
    const saved = { ...next, createdAtMs: NOW + 1 };
    await store.drafts.saveVersion(saved, 1, undefined, Number.POSITIVE_INFINITY);
    const { articles: _articles, ...facts } = draft;
    return { ...facts, version: 2, updatedAtMs: NOW + 1 };
  }

  async function expectLists({ accountId, ...draft }: Awaited<ReturnType<typeof addDraft>>) {
    const { store } = tables;
    expect(await store.drafts.list(accountId, undefined, 10)).toEqual([
      {
        ...{ ...draft, accountId },
        articles: [
          { type: "news", title: "after", digest: "d" },
          { type: "newspic", title: "second" },
        ],
      },
    ]);
    const draftId = draft.id;
    expect(await store.versions.list(draftId, 10)).toEqual([
      { draftId, version: 2, by: "you", title: "after", createdAtMs: NOW + 1 },
      { draftId, version: 1, by: "me", title: "before", createdAtMs: NOW },
    ]);
  }

  test("reads what it shows, and neither texts nor pictures", async () => {
    const draft = await addDraft();
    tables.counted.chars = 0;
    await expectLists(draft);
    expect(tables.counted.chars).toBeLessThan(FEW_CHARS);
  });

  test("reads what an earlier release has written as a whole, once", async () => {
    const draft = await addDraft();
    await tables.sql.query("update draft_versions set lines = null where draft_id = $1", [
      draft.id,
    ]);
    tables.counted.chars = 0;
    await expectLists(draft);
    expect(tables.counted.chars).toBeGreaterThan(2 * PICTURE.length);
    tables.counted.chars = 0;
    await expectLists(draft);
    expect(tables.counted.chars).toBeLessThan(FEW_CHARS);
  });
});
