import { describe, expect, test } from "bun:test";
import { consoleHouse } from "../../../test/support/houses/console-house.ts";
import { newId } from "../../lib/ids.ts";
import type { ConsoleStore, RequestQuery, RequestRow } from "../store.ts";

const MINE = "acct_mine";
const VIEWER = { roles: { [MINE]: "viewer" as const } };
const OPERATOR = { operator: true, roles: {} };
const NOW_MS = Date.parse("2026-11-15T12:00:00Z");

function row(over: Partial<RequestRow> = {}): RequestRow {
  return {
    id: newId("req_"),
    createdAtMs: NOW_MS,
    keyId: "key_1",
    keyName: '=cmd("x"), 客服',
    model: "m",
    servedModel: null,
    endpoint: "chat",
    stream: true,
    httpStatus: 200,
    billingReason: "completed",
    errorCode: null,
    channel: "openai",
    inputTokens: 5,
    outputTokens: 7,
    cost: 1_500n,
    durationMs: 30,
    requests: 1,
    lastAtMs: null,
    firstByteMs: null,
    ...over,
  };
}

/** A store that gives one row at a time, and at first a page without any. */
function setUp(rows: readonly RequestRow[]) {
  const asked: RequestQuery[] = [];
  const store: Partial<ConsoleStore> = {
    async listRequests(query: RequestQuery) {
      asked.push(query);
      if (query.beforeId === undefined) return { rows: [], next: "req_start" };
      const at = rows.findIndex(({ id }) => id === query.beforeId) + 1;
      return { rows: rows.slice(at, at + 1), next: rows[at + 1] ? (rows[at]?.id ?? null) : null };
    },
    requestsById: async (_account, id) => rows.filter((one) => one.id === id),
  };
  const house = consoleHouse({ store, nowMs: NOW_MS });
  const path = (rest = "") => `/api/accounts/${MINE}/requests.csv${rest}`;
  return { asked, house, path };
}

describe("requests as a file", () => {
  test("are looked for however long it takes", async () => {
    const { house, path } = setUp([row()]);
    await house.text(VIEWER, path());
    expect(house.keptOpen).toEqual([path()]);
  });

  test("has every page, amounts as they are, and no formula", async () => {
    const rows = [row(), row({ errorCode: "budget_exceeded", httpStatus: 400, stream: false })];
    const { house, path } = setUp(rows);
    const [titles, ...lines] = (await house.text(VIEWER, path())).split("\r\n");
    expect(titles).toBe(
      "id,created_at,key_id,key_name,model,served_model,endpoint,stream,status,http_status," +
        "error_code,billing_reason,input_tokens,output_tokens,cost_usd,duration_ms,first_byte_ms," +
        "requests,last_at",
    );
    const name = `"'=cmd(""x""), 客服"`;
    expect(lines).toEqual([
      `${rows[0]?.id},2026-11-15T12:00:00.000Z,key_1,${name},m,,chat,true,ok,200,,completed,5,7,0.0000015,30,,1,`,
      `${rows[1]?.id},2026-11-15T12:00:00.000Z,key_1,${name},m,,chat,false,error,400,budget_exceeded,completed,5,7,0.0000015,30,,1,`,
      "",
    ]);
  });

  test("which vendor answered is for operators", async () => {
    const { house, path } = setUp([row()]);
    expect(await house.text(VIEWER, path())).not.toContain("openai");
    const text = await house.text(OPERATOR, path());
    expect([text.includes(",channel\r\n"), text.includes(",openai\r\n")]).toEqual([true, true]);
  });

  test("goes by the filters of the list", async () => {
    const { house, path, asked } = setUp([row()]);
    await house.text(VIEWER, path("?key=key_9&model=a&status=error&from=2026-11-01&to=2026-11-02"));
    expect(asked[0]).toMatchObject({
      accountId: MINE,
      keyId: "key_9",
      model: "a",
      status: "error",
      fromMs: Date.parse("2026-11-01T00:00:00Z"),
      toMs: Date.parse("2026-11-02T00:00:00Z"),
    });
  });

  test("has the one that is looked for by its id", async () => {
    const rows = [row(), row()];
    const { house, path } = setUp(rows);
    const text = await house.text(VIEWER, path(`?q=${rows[1]?.id}`));
    expect(text.trimEnd().split("\r\n")).toHaveLength(2);
    expect(text).toContain(String(rows[1]?.id));
  });

  test.each([
    ["status", "/requests.csv?status=fine"],
    ["from", "/requests.csv?from=yesterday"],
    ["from", "/entries.csv?from=november"],
    ["to", "/entries.csv?to=2026-13-45"],
    ["from", "/entries.csv?from=2026-11-02&to=2026-11-01"],
    ["from", "/entries.csv?from=2026-11-16"],
  ])("says that %s is wrong in %s, and saves nothing", async (param, path) => {
    const { house } = setUp([row()]);
    type Failure = { error: { param: string } };
    const call = await house.call<Failure>(VIEWER, "GET", `/api/accounts/${MINE}${path}`);
    expect([call.status, call.body.error.param]).toEqual([400, param]);
  });
});
