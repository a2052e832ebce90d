import { describe, expect, test } from "bun:test";
import { attempt, receipt, refusal } from "../../test/store/samples.ts";
import { consoleHouse } from "../../test/support/houses/console-house.ts";
import { newId } from "../lib/ids.ts";
import type { ConsoleStore, RequestDetail, RequestQuery, RequestRow } from "./store.ts";

const MINE = "acct_mine";
const VIEWER = { roles: { [MINE]: "viewer" as const } };
const OPERATOR = { operator: true, roles: {} };
const ID = newId("req_");

const ROW: RequestRow = {
  id: ID,
  createdAtMs: Date.parse("2026-11-15T12:00:00Z"),
  keyId: "key_1",
  keyName: "laptop",
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
  firstByteMs: 12,
};

function setUp(rows: readonly RequestRow[] = [ROW], detail?: RequestDetail) {
  const asked: unknown[] = [];
  const store: Partial<ConsoleStore> = {
    async listRequests(query: RequestQuery) {
      asked.push(query);
      return { rows, next: ID };
    },
    async requestsSince(filter, id, limit) {
      asked.push([filter, id, limit]);
      return rows;
    },
    requestsById: async (accountId, id) => (accountId === MINE && id === ID ? rows : []),
    findRequest: async (accountId, id) => (accountId === MINE && id === ID ? detail : undefined),
  };
  const house = consoleHouse({ store });
  return { asked, house, path: (rest = "") => `/api/accounts/${MINE}/requests${rest}` };
}

type List = { data: Record<string, unknown>[]; next: string | null };
type Failure = { error: { param: string | null } };

describe("the list of requests", () => {
  test("has what the page shows; the vendor's channel is for operators", async () => {
    const { house, path } = setUp();
    const { body } = await house.call<List>(VIEWER, "GET", path());
    expect(body).toEqual({
      object: "list",
      next: ID,
      data: [
        {
          id: ID,
          created_at: "2026-11-15T12:00:00.000Z",
          key_id: "key_1",
          key_name: "laptop",
          model: "m",
          served_model: null,
          endpoint: "chat",
          stream: true,
          status: "ok",
          http_status: 200,
          billing_reason: "completed",
          error_code: null,
          input_tokens: 5,
          output_tokens: 7,
          cost: "0.0000015",
          duration_ms: 30,
          first_byte_ms: 12,
          requests: 1,
          last_at: null,
        },
      ],
    } as unknown as List);
    const seen = await house.call<List>(OPERATOR, "GET", path());
    expect(seen.body.data[0]?.channel).toBe("openai");
  });

  test("tells what failed from what was refused", async () => {
    const { house, path } = setUp([
      { ...ROW, httpStatus: 503, billingReason: "upstream_failed" },
      { ...ROW, httpStatus: 400, billingReason: "refused" },
    ]);
    const { body } = await house.call<List>(VIEWER, "GET", path());
    expect(body.data.map(({ status }) => status)).toEqual(["error", "refused"]);
  });

  test("hands every filter on, and only of the account in the path", async () => {
    const { house, path, asked } = setUp();
    const filters = `?key=key_9&model=a%2Fb&status=error&from=2026-11-01&to=2026-11-02T00:00:00Z`;
    await house.call(VIEWER, "GET", path(`${filters}&after=${ID}&limit=7&account=acct_other`));
    expect(asked).toEqual([
      {
        accountId: MINE,
        keyId: "key_9",
        model: "a/b",
        status: "error",
        fromMs: Date.parse("2026-11-01T00:00:00Z"),
        toMs: Date.parse("2026-11-02T00:00:00Z"),
        beforeId: ID,
        limit: 7,
      },
    ]);
  });

  test("asks for the tail by the newest id, with the same filters", async () => {
    const { house, path, asked } = setUp();
    const { body } = await house.call<List>(VIEWER, "GET", path(`?since=${ID}&status=ok`));
    expect(asked).toEqual([[{ accountId: MINE, status: "ok" }, ID, 50]]);
    expect(body.next).toBeNull();
  });

  test("finds one by an id", async () => {
    const { house, path } = setUp();
    expect((await house.call<List>(VIEWER, "GET", path(`?q=${ID}`))).body.data).toHaveLength(1);
    expect((await house.call<List>(VIEWER, "GET", path("?q=resp_x"))).body.data).toEqual([]);
  });

  test("does not mind what else is asked for beside an id, or beside the tail", async () => {
    const { house, path } = setUp();
    for (const query of [`?q=${ID}&since=x&after=x&from=x&to=x`, `?since=${ID}&after=x&from=x`]) {
      expect((await house.call(VIEWER, "GET", path(query))).status).toBe(200);
    }
  });

  test.each([
    ["status", "?status=fine"],
    ["from", "?from=yesterday"],
    ["to", "?to=2026-13-45"],
    ["after", "?after=nonsense"],
    ["since", "?since=%27or1%3D1"],
    ["limit", "?limit=0"],
    ["limit", "?limit=201"],
    ["model", `?model=${"x".repeat(301)}`],
  ])("says that %s is wrong in %s", async (param, query) => {
    const { house, path, asked } = setUp();
    const { status, body } = await house.call<Failure>(VIEWER, "GET", path(query));
    expect([status, body.error.param, asked]).toEqual([400, param, []]);
  });
});

describe("one request", () => {
  const asked = { requestId: ID, accountId: MINE, keyId: "key_1", model: "m" };
  const detail: RequestDetail = {
    receipt: receipt(asked, 90n, {
      channel: "openai",
      attempts: [
        attempt({ channel: "azure", credential: "wxyz", code: "down", message: "401 Your key" }),
        attempt({ code: "upstream_rejected", message: "400 Your prompt" }),
      ],
      loss: 4n,
    }),
    keyName: "laptop",
    ends: [{ kind: "post", amount: 90n, createdAtMs: 1_760_000_000_030 }],
  };

  test("is its receipt with the hold and what became of it", async () => {
    const { house, path } = setUp([], detail);
    const { body } = await house.call(VIEWER, "GET", path(`/${ID}`));
    expect(body).toMatchObject({
      id: ID,
      key_name: "laptop",
      outcome: "ok",
      billing_reason: "completed",
      cost: "0.00000009",
      lines: [{ item: "input", quantity: 1, amount: "0.00000009" }],
      entries: [
        { kind: "hold", amount: "0.0000001", created_at: "2025-10-09T08:53:20.000Z" },
        { kind: "post", amount: "0.00000009", created_at: "2025-10-09T08:53:20.030Z" },
      ],
    });
  });

  test("names vendors and their keys to operators only", async () => {
    const { house, path } = setUp([], detail);
    const { body } = await house.call(VIEWER, "GET", path(`/${ID}`));
    expect(body).toMatchObject({
      channel: null,
      vendor_request_id: null,
      attempts: [
        { channel: null, credential: null, code: "down", message: null },
        { channel: null, message: "400 Your prompt" },
      ],
    });
    expect(body).not.toHaveProperty("loss");
    const seen = await house.call(OPERATOR, "GET", path(`/${ID}`));
    expect(seen.body).toMatchObject({
      channel: "openai",
      attempts: [{ channel: "azure", credential: "wxyz", message: "401 Your key" }, {}],
      loss: "0.000000004",
    });
  });

  test("that was refused for money had no hold, and says by which limit and what helps", async () => {
    const { house, path } = setUp([], { ...detail, receipt: refusal(asked), ends: [] });
    const { body } = await house.call(VIEWER, "GET", path(`/${ID}`));
    expect(body).toMatchObject({ outcome: "refused", entries: [], clamped_to: null });
    expect(body.refusal).toEqual({
      scope: "budget",
      period: "day",
      used: "1.1",
      max: "1.0",
      left: "0.0",
      needed: null,
      resets_at: "2025-10-10T12:40:00.000Z",
      fix: "Raise the key's daily budget.",
    });
  });

  test("says whether a vendor was called, to those too who may not know which", async () => {
    const called = async (changes: Parameters<typeof receipt>[2]) => {
      const { house, path } = setUp([], { ...detail, receipt: receipt(asked, 0n, changes) });
      return (await house.call(VIEWER, "GET", path(`/${ID}`))).body.vendor_called;
    };
    expect(await called({ channel: "openai", attempts: [] })).toBe(true);
    expect(await called({ channel: null, attempts: [attempt({ code: "down" })] })).toBe(true);
    expect(await called({ channel: null, attempts: [] })).toBe(false);
  });

  test("that was cut for money says to how much", async () => {
    const cut = receipt(asked, 90n, { outputClamp: 400 });
    const { house, path } = setUp([], { ...detail, receipt: cut });
    const { body } = await house.call(VIEWER, "GET", path(`/${ID}`));
    expect(body).toMatchObject({ clamped_to: 400, refusal: null });
  });

  test("is not there for another account", async () => {
    const { house, path } = setUp([], detail);
    const stranger = { roles: { acct_other: "owner" as const } };
    expect((await house.call(stranger, "GET", path(`/${ID}`))).status).toBe(404);
    const other = `/api/accounts/acct_other/requests/${ID}`;
    expect((await house.call(stranger, "GET", other)).status).toBe(404);
  });
});
