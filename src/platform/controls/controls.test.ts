// The test controls of the platform, over the real server.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { onEngines, SQLITE } from "../../../test/store/engines.ts";
import { RawClient } from "../../../test/support/clients/raw-client.ts";
import { drops } from "../../../test/support/clients/slow-bodies.ts";
import { Parts, perSuite, perTest } from "../../../test/support/houses/house.ts";
import { answerOf } from "../../../test/support/houses/platform-house.ts";
import {
  type ServedAccount,
  servedPlatform,
} from "../../../test/support/houses/served-platform.ts";
import { picture } from "../../../test/support/samples/pictures.ts";
import { ADD, expectRefusal, GOOD } from "../../../test/support/samples/platform-vectors.ts";
import { eventually } from "../../../test/support/waiting.ts";
import { createVault } from "../../lib/secrets/vault.ts";

describe("the test controls", () => {
  const served = perSuite(servedPlatform);
  const mine = perSuite(() => served.account());

  const good = () => GOOD.replaceAll("THUMB", mine.thumb);
  const add = () => served.post(ADD, good(), mine);
  const count = async () => (await served.get("/cgi-bin/draft/count", mine)).body.total_count;

  test("open to operators alone", async () => {
    const paths = ["accounts", "clock", "faults", "requests", "state"];
    for (const path of paths) {
      expect((await fetch(`${served.url}/__sandbox/${path}`)).status).toBe(401);
      expect((await served.control("GET", path, undefined, "ot-fg-wrong")).status).toBe(401);
      expect((await served.control("GET", path)).status).toBe(200);
    }
    const reset = await served.control("DELETE", "state", undefined, mine.token);
    expect(reset.status).toBe(401);
  });

  test("are not there where the server is open to the world, unless they are asked for", async () => {
    await using parts = new Parts();
    const toTheWorld = { FAREGATE_HOST: "0.0.0.0" };
    const open = await servedPlatform(parts, toTheWorld);
    const answer = await answerOf(await open.control("GET", "accounts"));
    expectRefusal(answer, 40066, "invalid url rid: ");
    const asked = await servedPlatform(parts, { ...toTheWorld, FAREGATE_PLATFORM_CONTROLS: "on" });
    expect((await asked.control("GET", "accounts")).status).toBe(200);
  });

  test("do not wait for what comes drop by drop", async () => {
    await using parts = new Parts();
    const short = { FAREGATE_FORM_MS: "200", FAREGATE_UPLOAD_MS: "200" };
    const hasty = await servedPlatform(parts, short);
    for (const path of ["clock", "state"]) {
      const answer = await hasty.control("PUT", path, drops());
      expect([path, answer.status]).toEqual([path, 408]);
    }
  });

  test("say what is wrong with what they are told", async () => {
    const wrong: [string, string, unknown][] = [
      ["POST", "accounts", { type: "shop" }],
      ["POST", "accounts", { callback: "ftp://e.cn" }],
      ["POST", "accounts", { networks: ["here"] }],
      ["PUT", "clock", { offset_ms: "soon" }],
      ["POST", "faults", { route: ADD, errcode: -1, http: 500 }],
      ["POST", "faults", { errcode: -1 }],
      ["PUT", "quotas", { appid: mine.appid, name: "sleep", used: 1 }],
      ["POST", "publishing", { status: 1 }],
      ["PUT", "state", { platform_accounts: [] }],
      ["PUT", "state", { platform_accounts: [{ "x; drop table platform_drafts": 1 }] }],
    ];
    for (const [method, path, body] of wrong) {
      expect((await served.control(method, path, body)).status).toBe(400);
    }
    const unknown = await served.control("PATCH", "accounts/wx0", { verified: false });
    expect(unknown.status).toBe(404);
    expect(await count()).toBe(0);
  });

  test("refuse, answer otherwise or wait, so often as they are told", async () => {
    const fault = (members: Record<string, unknown>) =>
      served.controlled("POST", "faults", { route: ADD, ...members });
    await fault({ errcode: 45011, count: 2 });
    const text = "api minute-quota reach limit mustslower retry next minute rid: ";
    expectRefusal(await add(), 45011, text);
    expectRefusal(await add(), 45011);
    await fault({ errcode: -1, after_commit: true });
    expectRefusal(await add(), -1, "system error rid: ");
    expect(await count()).toBe(1);
    await fault({ http: 502 });
    const broken = await fetch(`${served.url}${ADD}?access_token=${mine.token}`, {
      method: "POST",
      body: good(),
    });
    expect(broken.status).toBe(502);
    await fault({ answer: {}, after_commit: true, delay_ms: 5 });
    expect((await add()).text).toBe("{}");
    expect(await count()).toBe(2);
    expect((await served.controlled("GET", "faults")).data).toEqual([]);
    await fault({ errcode: -1, count: 9 });
    await served.controlled("DELETE", "faults");
    expect((await add()).body.media_id).toBeDefined();
  });

  test.each([
    { fault: { drop_before_commit: true }, stored: 0 },
    { fault: { drop_after_commit: true }, stored: 1 },
  ])("cut the connection without a byte: $fault", async ({ fault, stored }) => {
    const before = Number(await count());
    await served.controlled("POST", "faults", { route: ADD, ...fault });
    const client = await RawClient.connect(served.url);
    client.send(
      `POST /platform${ADD}?access_token=${mine.token} HTTP/1.1\r\nhost: 127.0.0.1\r\n` +
        `content-length: ${Buffer.byteLength(good())}\r\n\r\n${good()}`,
    );
    await client.closed;
    expect(client.text).toBe("");
    expect(await count()).toBe(before + stored);
    await served.controlled("POST", "faults", { route: ADD, ...fault });
    await expect(add()).rejects.toThrow();
  });

  test("hold a call up beyond any time-out, until they let it go", async () => {
    const before = Number(await count());
    const fault = (delay_ms: number) => served.control("POST", "faults", { route: ADD, delay_ms });
    expect((await fault(600_001)).status).toBe(400);
    expect((await fault(600_000)).status).toBe(201);
    const held = add();
    await eventually("the call is held up", async () => {
      const { data } = await served.controlled("GET", "faults");
      return (data as unknown[]).length === 0;
    });
    expect(await count()).toBe(before);
    await served.controlled("DELETE", "faults");
    expect((await held).body.media_id).toBeDefined();
    expect(await count()).toBe(before + 1);
  });

  test("hold a call up for longer than a connection may be silent", async () => {
    await using parts = new Parts();
    const hasty = await servedPlatform(parts, { FAREGATE_UPLOAD_IDLE_MS: "1000" });
    const own = await hasty.account();
    const route = "/cgi-bin/material/add_material";
    await hasty.controlled("POST", "faults", { route, delay_ms: 6_000 });
    // So large that most of it has to wait for the call to go on.
    const jpeg = Buffer.alloc(8_000_000);
    (await picture("jpeg")).copy(jpeg);
    const answer = await hasty.upload(`${route}?type=image`, own.token, "a.jpg", jpeg);
    expect(answer.body.media_id).toBeDefined();
  });

  test("tell what was called, without its secrets", async () => {
    await served.ask(`/cgi-bin/token?appid=${mine.appid}&secret=${mine.secret}`);
    const response = await served.control("GET", `requests?appid=${mine.appid}&limit=5`);
    const text = await response.text();
    expect(JSON.parse(text).data[0]).toMatchObject({
      path: "/cgi-bin/token",
      errcode: 40002,
      url: `${served.url}/cgi-bin/token?appid=${mine.appid}&secret=***`,
    });
    expect(text).not.toContain(mine.secret);
    expect(text).not.toContain(mine.token);
    expect((await served.control("GET", "requests?limit=0")).status).toBe(400);
  });

  test("say from which address a call comes", async () => {
    const own = await served.account();
    await served.controlled("PATCH", `accounts/${own.appid}`, { networks: ["10.1.0.0/16"] });
    const ask = (address: string) =>
      served.ask(
        `/cgi-bin/token?grant_type=client_credential&appid=${own.appid}&secret=${own.secret}`,
        { headers: { "x-sandbox-client-ip": address } },
      );
    expectRefusal(
      await ask("203.0.113.7"),
      40164,
      "invalid ip 203.0.113.7 ipv6 ::ffff:203.0.113.7, not in whitelist rid: ",
    );
    expect((await ask("10.1.2.3")).body.access_token).toBeDefined();
  });
});

type Columns = Record<string, readonly string[]>;

function columnsIn(dump: Record<string, unknown>): Columns {
  const first = (rows: unknown) => Object.keys((rows as object[])[0] ?? {}).sort();
  return Object.fromEntries(Object.entries(dump).map(([table, rows]) => [table, first(rows)]));
}

/** Every column of the platform's tables but those of the log, as the database has them. */
function columnsOf({ FAREGATE_DATA }: { readonly FAREGATE_DATA: string }): Columns {
  const db = new Database(join(FAREGATE_DATA, "console.sqlite"), { readonly: true });
  const rows = db
    .query(
      `select t.name as "table", c.name as "column"
       from sqlite_master t join pragma_table_info(t.name) c
       where t.type = 'table' and t.name like 'platform_%' and t.name <> 'platform_calls'`,
    )
    .all() as { table: string; column: string }[];
  db.close();
  const tables = Map.groupBy(rows, ({ table }) => table);
  return Object.fromEntries(
    [...tables].map(([table, found]) => [table, found.map(({ column }) => column).sort()]),
  );
}

onEngines("the state on $name", (engine) => {
  const served = perTest((parts) => servedPlatform(parts, {}, engine));

  test("is not put back where another installation has sealed its accounts", async () => {
    const own = await served.account();
    const dump = await served.controlled("GET", "state");
    const [account] = dump.platform_accounts as Record<string, unknown>[];
    const foreign = [{ ...account, secret: createVault("of another place").seal("s3cret") }];
    const restored = await served.control("PUT", "state", { ...dump, platform_accounts: foreign });
    expect(restored.status).toBe(400);
    expect((await served.get("/cgi-bin/draft/count", own)).body.total_count).toBe(0);
    expect(await served.controlled("PUT", "state", dump)).toEqual({ restored: true });
  });

  test("is reset with how publishes were to end", async () => {
    const own = await served.account();
    const freepublish = (name: string, body: unknown, by: Pick<ServedAccount, "token">) =>
      served.post(`/cgi-bin/freepublish/${name}`, JSON.stringify(body), by);
    await served.controlled("POST", "publishing", { status: 3, delay_ms: 3_600_000, count: 2 });
    await served.controlled("DELETE", "state");
    const given = await served.controlled("POST", "tokens", { appid: own.appid, kind: "stable" });
    const again = { token: String(given.access_token) };
    const path = "/cgi-bin/material/add_material?type=image";
    const cover = await served.upload(path, again.token, "cover.jpg", await picture("jpeg"));
    const draft = GOOD.replaceAll("THUMB", String(cover.body.media_id));
    const { media_id } = (await served.post(ADD, draft, again)).body;
    const { publish_id } = (await freepublish("submit", { media_id }, again)).body;
    await served.controlled("PUT", "clock", { offset_ms: 60_000 });
    const { body } = await freepublish("get", { publish_id }, again);
    expect(body.publish_status).toBe(0);
  });

  test("is dumped, reset and restored", async () => {
    const own = await served.account({ name: "one", networks: ["127.0.0.0/8"] });
    const add = () => served.post(ADD, GOOD.replaceAll("THUMB", own.thumb), own);
    const count = async () => (await served.get("/cgi-bin/draft/count", own)).body.total_count;
    const first = await add();
    const published = String((await add()).body.media_id);
    await served.controlled("POST", "publishing", { delay_ms: 0 });
    await served.post("/cgi-bin/freepublish/submit", `{"media_id":"${published}"}`, own);
    await served.post("/cgi-bin/freepublish/batchget", '{"offset":0,"count":1}', own);
    const product = '{"product_id":"1","article_type":"news","card_type":0}';
    await served.post("/channels/ec/service/product/getcardinfo", product, own);
    const dump = await served.controlled("GET", "state");
    if (engine === SQLITE) expect(columnsIn(dump)).toEqual(columnsOf(served.site.settings));

    expect(await served.controlled("DELETE", "state")).toEqual({ reset: true });
    // Tokens are gone, the account is not.
    expectRefusal(await served.get("/cgi-bin/draft/count", own), 40001);
    expect((await served.controlled("GET", "accounts")).data).toHaveLength(1);

    expect(await served.controlled("PUT", "state", dump)).toEqual({ restored: true });
    expect(await count()).toBe(1);
    const read = await served.post("/cgi-bin/draft/get", JSON.stringify(first.body), own);
    expect(read.body.news_item).toHaveLength(1);
    expect((await add()).body.media_id).toBeDefined();
    const list = await served.post("/cgi-bin/freepublish/batchget", '{"offset":0,"count":1}', own);
    expect(list.body.total_count).toBe(1);
    await served.controlled("PUT", "state", dump);
    const again = await served.controlled("GET", "state");
    const sorted = (state: Record<string, unknown>) =>
      Object.entries(state).map(([table, rows]) => [
        table,
        (rows as unknown[]).map((row) => JSON.stringify(row)).sort(),
      ]);
    // Counting happened once more between the two: quotas differ, nothing else does.
    expect(sorted({ ...again, platform_quotas: [] })).toEqual(
      sorted({ ...dump, platform_quotas: [] }),
    );
  });
});
