import { expect, test } from "bun:test";
import { onEngines } from "../../../test/store/engines.ts";
import { perTest } from "../../../test/support/houses/house.ts";
import { operatorHouse } from "../../../test/support/houses/operator-house.ts";
import { eventually } from "../../../test/support/waiting.ts";

interface AccountBody {
  readonly id: string;
  readonly balance: string;
  readonly charged: string;
  readonly keys: number;
}

interface ListBody<T> {
  readonly data: readonly T[];
  readonly next: string | null;
}

onEngines("what operators read of the money, on $name", (engine) => {
  const house = perTest((parts) => operatorHouse(parts, { engine }));

  test("accounts come with what they have and use, a page at a time, the newest first", async () => {
    const answer = await house.chat("sandbox-1.0");
    const { cost } = await house.receipt(answer);
    const made = await house.ask<AccountBody>("POST", "/accounts", { name: "Bob %_", hard: true });
    expect(made).toMatchObject({ status: 201, body: { balance: "0.0", keys: 0, hard: true } });
    const first = await house.ask<ListBody<AccountBody>>("GET", "/accounts?limit=1");
    expect(first.body.data.map(({ id }) => id)).toEqual([made.body.id]);
    const rest = await house.ask<ListBody<AccountBody>>(
      "GET",
      `/accounts?limit=1&after=${first.body.next}`,
    );
    expect(rest.body).toMatchObject({
      data: [{ name: "Ann", charged: cost, credited: "100.0", keys: 1 }],
      next: null,
    });
    const found = await house.ask<ListBody<AccountBody>>("GET", "/accounts?q=b%20%25_");
    expect(found.body.data.map(({ id }) => id)).toEqual([made.body.id]);
    expect((await house.ask<ListBody<AccountBody>>("GET", "/accounts?q=__")).body.data).toEqual([]);
  });

  test("an account that is suspended is refused at its next request", async () => {
    const { body } = await house.ask<ListBody<AccountBody>>("GET", "/accounts?q=Ann");
    const id = body.data[0]?.id;
    expect((await house.chat("sandbox-1.0")).status).toBe(200);
    const changes = { enabled: false, name: "Anna" };
    expect(await house.ask("PATCH", `/accounts/${id}`, changes)).toMatchObject({
      status: 200,
      body: changes,
    });
    expect((await house.chat("sandbox-1.0")).status).toBe(401);
    await house.ask("PATCH", `/accounts/${id}`, { enabled: true });
    expect((await house.chat("sandbox-1.0")).status).toBe(200);
    expect((await house.ask("PATCH", "/accounts/acct_none", {})).status).toBe(404);
    expect((await house.ask("PATCH", `/accounts/${id}`, { balance: "5" })).status).toBe(400);
  });

  test("the books are proved on demand, and nothing is held when nothing runs", async () => {
    await house.chat("sandbox-1.0");
    const { body } = await house.ask("GET", "/ledger/verify");
    expect(body).toMatchObject({ ok: true, accounts: 1, receipts: 1, open_holds: 0, problems: [] });
    expect((await house.ask<ListBody<unknown>>("GET", "/ledger/holds")).body.data).toEqual([]);
  });

  test("margin by channel is what was charged less the list price of what was used", async () => {
    await house.ask("PUT", "/settings", { markup_percent: "25" });
    const marked = await house.receipt(await house.chat("sandbox-1.0"));
    await house.ask("PUT", "/models/sandbox-1.0/price", { input: "2", output: "8" });
    const doubled = await house.receipt(await house.chat("sandbox-1.0"));
    const { body } = await house.ask<ListBody<Record<string, string>> & { whole: boolean }>(
      "GET",
      "/ledger/margin",
    );
    expect(body.whole).toBe(true);
    const [line] = body.data;
    expect(line).toMatchObject({ channel: "sandbox", requests: 2, failures: 0, loss: "0.0" });
    const charged = Number(marked.cost) + Number(doubled.cost);
    expect(Number(line?.charged)).toBeCloseTo(charged, 9);
    // A fifth of a price raised by a quarter, and half of a doubled one.
    const margin = Number(marked.cost) / 5 + Number(doubled.cost) / 2;
    expect(Number(line?.margin)).toBeCloseTo(margin, 8);
    const none = await house.ask<ListBody<unknown>>("GET", "/ledger/margin?to=2020-01-02");
    expect(none.body.data).toEqual([]);
    for (const from of ["yesterday", "2020-01-02T12:00:00"]) {
      expect((await house.ask("GET", `/ledger/margin?from=${from}`)).status).toBe(400);
    }
  });

  test("failures count requests that reached no channel", async () => {
    expect((await house.chat("sandbox-1.0")).status).toBe(200);
    expect((await house.chat("no-such-model")).status).toBe(404);
    expect((await house.chat("no-such-model")).status).toBe(404);
    const margin = () => house.ask<ListBody<Record<string, unknown>>>("GET", "/ledger/margin");
    // Refusals are written when there is time for them.
    await eventually("both are written", async () => (await margin()).body.data[1]?.requests === 2);
    expect((await margin()).body.data).toMatchObject([
      { channel: "sandbox", requests: 1, failures: 0 },
      { channel: "", requests: 2, failures: 2, charged: "0.0", margin: "0.0" },
    ]);
  });

  test("what was charged beyond its hold is shown with who is below nothing", async () => {
    const id = "req_";
    const { body: none } = await house.ask("GET", "/ledger/overage");
    expect(none).toMatchObject({ total: "0.0", requests: [], accounts_below_zero: [] });
    const answer = await house.chat("sandbox-1.0");
    const requestId = answer.headers.get("x-request-id") ?? id;
    const { site } = house;
    await site.damage(`update receipts set held = cost - 5 where id = '${requestId}'`);
    await site.run("update channel_days set overage = 5");
    await site.run("update scopes set used = max + 7 where kind = 'balance'");
    const { body } = await house.ask("GET", "/ledger/overage");
    expect(body).toMatchObject({
      total: "0.000000005",
      requests: [{ request_id: requestId, account_name: "Ann", overage: "0.000000005" }],
      accounts_below_zero: [{ name: "Ann", balance: "-0.000000007" }],
    });
  });

  test("what input lost is shown by day, channel and account, in sum for the days that are asked for", async () => {
    const { body: none } = await house.ask("GET", "/ledger/input-losses");
    expect(none).toMatchObject({ total: "0.0", by_channel: [], by_account: [] });
    const { body: accounts } = await house.ask<ListBody<AccountBody>>("GET", "/accounts");
    const ann = accounts.data[0]?.id ?? "";
    const today = Math.floor(Date.now() / 86_400_000);
    const rows = [
      [today, ann, "one", 2, 3_000_000_000],
      [today, ann, "two", 1, 1_000_000_000],
      [today - 1, ann, "one", 1, 5],
    ].map(([day, id, channel, ...sums]) => `(${day}, '${id}', '${channel}', ${sums.join(", ")})`);
    await house.site.run(`insert into input_losses values ${rows.join(", ")}`);
    const date = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
    const days = `from=${date(today - 1)}&to=${date(today + 1)}`;
    const { body } = await house.ask("GET", `/ledger/input-losses?${days}`);
    expect(body).toMatchObject({
      total: "4.000000005",
      by_channel: [
        { channel: "one", day: date(today), requests: 2, loss: "3.0" },
        { channel: "two", day: date(today), requests: 1, loss: "1.0" },
        { channel: "one", day: date(today - 1), requests: 1, loss: "0.000000005" },
      ],
      by_account: [
        { account_id: ann, account_name: "Ann", day: date(today), requests: 3, loss: "4.0" },
        { account_id: ann, account_name: "Ann", day: date(today - 1), requests: 1 },
      ],
    });
    expect(
      (await house.ask("GET", "/ledger/input-losses?from=2026-11-02&to=2026-11-01")).status,
    ).toBe(400);
  });

  test("the system says what it is and what it does", async () => {
    await house.chat("sandbox-1.0");
    await house.chat("no-such-model");
    const { body } = await house.ask("GET", "/system");
    expect(body).toMatchObject({
      version: "0.0.0",
      open_holds: 0,
      requests_holding: 0,
      storage_queue: 0,
      sandbox_only: true,
      channels: [{ id: "sandbox", state: "ok" }],
    });
    const metrics = await fetch(`${house.url}/metrics`);
    expect(metrics.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
    const text = await metrics.text();
    expect(text).toContain('faregate_requests_total{endpoint="chat",status="200"} 1\n');
    expect(text).toContain('faregate_requests_total{endpoint="chat",status="404"} 1\n');
    expect(text).toContain(
      'faregate_upstream_attempts_total{channel="sandbox",outcome="served"} 1',
    );
    expect(text).toContain('faregate_admissions_total{outcome="admitted"} 1\n');
    expect(text).toContain("faregate_commit_milliseconds_count 1\n");
    expect(text).toContain('faregate_channel_up{channel="sandbox",vendor="sandbox"} 1\n');
  });
});
