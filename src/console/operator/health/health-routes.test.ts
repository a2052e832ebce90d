import { expect, test } from "bun:test";
import { onEngines } from "../../../../test/store/engines.ts";
import { perTest } from "../../../../test/support/houses/house.ts";
import { operatorHouse } from "../../../../test/support/houses/operator-house.ts";
import { eventually } from "../../../../test/support/waiting.ts";
import type { NewNotice } from "../../../notices/notice.ts";
import { NoticesTable } from "../../../notices/tables/notices.ts";
import type { Health, OperatorOverview, ReportedAlert } from "../contract/health.ts";

onEngines("what operators see of the whole installation, on $name", (engine) => {
  const house = perTest((parts) => operatorHouse(parts, { engine }));

  test("requests, failures and spend of all accounts are added up for a day and for the last minutes", async () => {
    const answer = await house.chat("sandbox-1.0");
    const { cost } = await house.receipt(answer);
    await house.chat("no-such-model");
    const overview = async () => (await house.ask<OperatorOverview>("GET", "/overview")).body;
    // The row of a refusal is written behind its answer.
    await eventually("both are counted", async () => (await overview()).day.requests === 2);
    expect(await overview()).toMatchObject({
      ...{ accounts: 1, active_accounts: 1 },
      day: { requests: 2, failures: 1, spend: cost },
      day_before: { requests: 0, failures: 0, spend: "0.0" },
      recent: { requests: 2, failures: 0, unavailable: 0 },
    });
  });

  test("nothing is wrong where all is well", async () => {
    const { body } = await house.ask<Health>("GET", "/health");
    expect(body.troubles.filter(({ kind }) => !kind.startsWith("disk"))).toEqual([]);
    expect(body.recent).toEqual({ requests: 0, failures: 0, unavailable: 0 });
    expect(body.open_alerts).toBe(0);
  });

  test("alerts come with their account and those who were told", async () => {
    const { body } = await house.ask<{ data: readonly { id: string }[] }>("GET", "/accounts");
    const accountId = body.data[0]?.id ?? "";
    const told = { id: "alr_1", kind: "webhook_disabled", title: "Off", titleZh: "已关闭" };
    const notice: NewNotice = {
      ...{ id: "ntc_1", accountId, kind: told.kind, channel: "email", address: "op@example.com" },
      ...{ subject: "Off", text: "", html: "", link: "", createdAtMs: 1_000 },
    };
    const alert = { ...told, accountId, toldAtMs: 1_000 };
    await new NoticesTable(house.store.sql).add([notice], alert);
    const list = await house.ask<{ data: readonly ReportedAlert[] }>("GET", "/alerts");
    expect(list.body.data).toMatchObject([
      {
        ...{ id: "alr_1", account_name: "Ann", title: "Off", title_zh: "已关闭" },
        told_at: "1970-01-01T00:00:01.000Z",
        notices: [{ channel: "email", address: "op@example.com", state: "queued", error: null }],
      },
    ]);
  });
});
