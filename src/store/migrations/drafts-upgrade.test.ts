// Drafts that an earlier release has left are found by this one, whatever became of their pushes.
import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../../test/store/engines.ts";
import { upTo } from "../../../test/store/other-versions.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { openDraftBoxStore } from "../../drafts/tables/open.ts";
import { DRAFTS_TABLES } from "../../drafts/tables/versions.ts";
import { migrateRooms } from "./migrate.ts";

describe.each(ENGINES)("tables of the first version on $name", (engine) => {
  const tables = perSuite(async (parts) => {
    const sql = await (await engine.emptySite(parts)).console();
    await migrateRooms(sql, [upTo(DRAFTS_TABLES, 1)]);
    return { sql };
  });

  test("become today's with what is in them", async () => {
    const { sql } = tables;
    await sql.query(
      `insert into public_accounts (id, account_id, name, kind, appid, sealed_secret, platform_url,
         is_default, theme, author, publish_allowed, created_at)
       values ('pub_1', 'acc', 'n', 'wechat', 'wx', 's', 'https://p.test', 1, null, null, 0, 1)`,
    );
    await sql.query(
      `insert into drafts (id, account_id, public_account_id, articles, version, status, writing,
         created_at, updated_at)
       values ('drf_1', 'acc', 'pub_1', '[]', 1, 'unknown', '[]', 1, 1)`,
    );
    await sql.query(
      `insert into draft_keys (account_id, idem_key, request_sum, draft_id, owner, lease_until)
       values ('acc', 'k', 'sum', 'drf_1', 'o', 1)`,
    );
    await sql.query(
      `insert into draft_pushes (id, account_id, draft_id, public_account_id, box, kind, version,
         state, sends, lease_until, created_at, updated_at)
       values ('psh_1', 'acc', 'drf_1', 'pub_1', 'b', 'add', 1, 'unknown', 1, 0, 1, 1)`,
    );
    await migrateRooms(sql, [DRAFTS_TABLES]);
    const store = openDraftBoxStore(sql);
    expect(await store.pushes.latest("drf_1")).toMatchObject({ state: "unknown", ends: 0 });
    expect(await store.publicAccounts.find("acc", "pub_1")).toMatchObject({ appid: "wx" });
    const ticket = { accountId: "acc", key: "k", owner: "me" };
    expect(await store.keys.take(ticket, "sum", 99, 5)).toMatchObject({
      draftId: "drf_1",
      failure: null,
    });
    const taken = await store.pushes.take("psh_1", { owner: "me", untilMs: 9 }, 5);
    expect(taken).toMatchObject({ id: "psh_1", ends: 0 });
    expect(await store.exclusiveJobs.take("drf_1", { owner: "x", untilMs: 99 }, 10)).toBe("taken");
    expect(await store.drafts.remove("acc", "drf_1", "x")).toBe(true);
    expect(await store.publicAccounts.remove("acc", "pub_1", 100)).toBe(true);
  });
});
