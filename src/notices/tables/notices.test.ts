import { beforeEach, describe, expect, test } from "bun:test";
import { ENGINES, tablesOn } from "../../../test/store/engines.ts";
import { failureOf } from "../../../test/store/samples.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import {
  type NoticeProcess,
  type NoticeWorld,
  noticeProcess,
  noticeWorld,
} from "../../../test/support/houses/notice-house.ts";
import { isSigned, startHookReceiver } from "../../../test/support/outside/hook-receiver.ts";
import { startMailServer, wordsOf } from "../../../test/support/outside/mail-server.ts";
import { StorageError } from "../../lib/faults.ts";
import { newId } from "../../lib/ids.ts";
import { TaskGroup } from "../../lib/threads/task-group.ts";
import type { AlertChanges } from "../alerts.ts";
import type { AccountFacts } from "../facts.ts";
import type { NewNotice } from "../notice.ts";
import { DEFAULT_SETTINGS } from "../settings.ts";
import { WebhookAddressError } from "../webhook-address.ts";
import { Webhooks } from "../webhooks.ts";
import { AlertHistory } from "./alert-history.ts";
import { NOTICES_TABLES } from "./versions.ts";

const MINUTE_MS = 60_000;
const SET_BACK_MS = 3 * 60 * MINUTE_MS;
const USD = 1_000_000_000n;
const TABLES = [
  ...["alert_settings", "alert_tests", "alert_turns", "alert_marks", "notices"],
  ...["alert_history", "alert_notices"],
];

function facts(over: Partial<AccountFacts> = {}): AccountFacts {
  return {
    accountId: newId("acct_"),
    credited: 100n * USD,
    charged: 0n,
    lastCredit: 100n * USD,
    spentThisHour: 0n,
    models: [],
    budgets: [],
    ...over,
  };
}

function notice(over: Partial<NewNotice> = {}): NewNotice {
  return {
    id: newId("ntc_"),
    accountId: "acct_1",
    kind: "test",
    channel: "email",
    address: "ann@example.com",
    subject: "Subject",
    text: "Text",
    html: "<p>Text</p>",
    link: "https://gate.example.com/console",
    createdAtMs: 1_000,
    ...over,
  };
}

describe.each(ENGINES)("notices on $name", (engine) => {
  const tables = perSuite((parts) => tablesOn(parts, engine, NOTICES_TABLES));
  const other = perSuite(() => tables.again());
  const mail = perSuite(async (parts) => parts.keep(await startMailServer()));
  const hooks = perSuite((parts) => parts.keep(startHookReceiver()));
  let world: NoticeWorld;
  let one: NoticeProcess;
  let two: NoticeProcess;

  beforeEach(async () => {
    for (const table of TABLES) await tables.sql.query(`delete from ${table}`);
    world = noticeWorld();
    one = noticeProcess(tables.sql, world, mail.url);
    two = noticeProcess(other, world, mail.url);
    hooks.answer(() => new Response("thanks"));
    mail.refuse(0);
  });

  const mailsSince = (before: number) => mail.mails.slice(before);
  const rows = () =>
    tables.sql.query<{ state: string; attempts: number; error: string | null }>(
      "select state, attempts, error from notices order by created_at, id",
    );
  const later = (ms: number) => {
    world.nowMs += ms;
  };
  const low = (accountId: string) => facts({ accountId, charged: 90n * USD });

  test("settings are the defaults until they are chosen, and come back as they were", async () => {
    expect(await one.alerts.settings("acct_1")).toEqual(DEFAULT_SETTINGS);
    const webhook = { url: hooks.url, enabled: true, newSecret: false };
    const threshold = 2n ** 53n + 1n;
    const { settings, secret } = await one.alerts.change("acct_1", {
      lowBalanceThreshold: threshold,
      budgets: false,
      webhook,
    });
    expect(secret).toStartWith("whsec_");
    expect(await two.alerts.settings("acct_1")).toEqual(settings);
    expect(settings).toMatchObject({ lowBalanceThreshold: threshold, budgets: false, email: true });
    // The secret is not readable where it lies.
    expect(settings.webhook?.sealedSecret).not.toContain(secret ?? "");
    expect(await one.alerts.settings("acct_2")).toEqual(DEFAULT_SETTINGS);
  });

  test("a webhook keeps its secret at its host, and gets another at another", async () => {
    const change = (url: string, newSecret = false) =>
      one.alerts.change("acct_1", { webhook: { url, enabled: true, newSecret } });
    expect((await change("https://a.example.com/1")).secret).toBeDefined();
    expect((await change("https://a.example.com/2")).secret).toBeUndefined();
    expect((await change("https://a.example.com/2", true)).secret).toBeDefined();
    expect((await change("https://b.example.com/2")).secret).toBeDefined();
    const refused = await failureOf(change("https://hooks.example.com@b.example.com/"));
    expect(refused).toBeInstanceOf(WebhookAddressError);
    expect((await one.alerts.change("acct_1", { webhook: null })).settings.webhook).toBeNull();
  });

  test("what a change of a webhook does not say stays as it is", async () => {
    const change = (webhook: AlertChanges["webhook"]) => one.alerts.change("acct_1", { webhook });
    expect(await failureOf(change({ enabled: true }))).toBeInstanceOf(WebhookAddressError);
    expect((await change({ url: hooks.url })).settings.webhook).toMatchObject({ enabled: true });
    await one.store.webhookFailed("acct_1", hooks, { error: "gone", max: 1 });
    const off = { url: hooks.url, enabled: false, failures: 1, lastError: "gone" };
    expect((await change({ url: hooks.url })).settings.webhook).toMatchObject(off);
    const renewed = await change({ newSecret: true });
    expect(renewed.secret).toStartWith("whsec_");
    expect(renewed.settings.webhook).toMatchObject(off);
    const on = { url: hooks.url, enabled: true, failures: 0, lastError: null };
    expect((await change({ enabled: true })).settings.webhook).toMatchObject(on);
  });

  describe("a webhook whose change nobody is told of stays as it was", () => {
    const asked = { budgets: false, webhook: { url: "https://b.example.com/2" } };
    const webhook = async () => (await two.alerts.settings("acct_1")).webhook;
    type Change = typeof one.store.changeSettings;

    /** What becomes of the next change, which its asker does not hear. */
    function loseNext(write: (change: () => ReturnType<Change>) => Promise<unknown>) {
      const change = one.store.changeSettings.bind(one.store);
      one.store.changeSettings = async (...wanted) => {
        one.store.changeSettings = change;
        await write(() => change(...wanted));
        throw new StorageError("lost");
      };
    }

    async function expectUnchanged(change: () => Promise<unknown>) {
      for (const before of [null, { url: "https://a.example.com/1" }]) {
        await one.alerts.change("acct_1", { webhook: before });
        const was = await webhook();
        expect(await failureOf(change())).toBeInstanceOf(StorageError);
        await one.tasks.settled();
        expect(await webhook()).toEqual(was);
      }
    }

    test("though the change was written", () =>
      expectUnchanged(() => {
        loseNext((change) => change());
        return one.alerts.change("acct_1", asked);
      }));

    test("though the change comes later", () =>
      expectUnchanged(async () => {
        const late = Promise.withResolvers<void>();
        let come: Promise<unknown> = Promise.resolve();
        loseNext(async (change) => {
          come = late.promise.then(change).catch(() => {});
        });
        const failed = await failureOf(one.alerts.change("acct_1", asked));
        late.resolve();
        await come;
        throw failed;
      }));

    test("though the database was away for a moment when it was put back", () =>
      expectUnchanged(() => {
        loseNext((change) => change());
        const putBack = one.store.putBackWebhook.bind(one.store);
        one.store.putBackWebhook = async () => {
          one.store.putBackWebhook = putBack;
          throw new StorageError("away");
        };
        return one.alerts.change("acct_1", asked);
      }));

    test("though only what follows the change has failed", () =>
      expectUnchanged(() =>
        one.alerts.change("acct_1", asked, async () => {
          throw new StorageError("no audit log");
        }),
      ));

    test.each<AlertChanges["webhook"]>([
      null,
      { enabled: false },
      { url: "https://a.example.com/2" },
    ])("though it was to be %j, by which no secret is made", async (wanted) => {
      await one.alerts.change("acct_1", { webhook: { url: "https://a.example.com/1" } });
      const was = await webhook();
      loseNext((change) => change());
      await failureOf(one.alerts.change("acct_1", { webhook: wanted }));
      await one.tasks.settled();
      expect(await webhook()).toEqual(was);
    });

    test.each([{ enabled: false }, { url: "https://a.example.com/2" }])(
      "but for %j, which somebody else has chosen since",
      async (chosen) => {
        await one.alerts.change("acct_1", { webhook: { url: "https://a.example.com/1" } });
        const was = await webhook();
        loseNext(async (change) => {
          await change();
          await two.alerts.change("acct_1", { webhook: chosen });
        });
        await failureOf(one.alerts.change("acct_1", { webhook: { newSecret: true } }));
        await one.tasks.settled();
        expect(await webhook()).toEqual({ ...was, ...chosen } as typeof was);
      },
    );

    test("but not where somebody else has changed it since", async () => {
      loseNext(async (change) => {
        await change();
        await two.alerts.change("acct_1", { webhook: { newSecret: true } });
      });
      await failureOf(one.alerts.change("acct_1", asked));
      await one.tasks.settled();
      expect(await webhook()).toMatchObject(asked.webhook);
    });
  });

  test("a webhook that is switched off while somebody changes something else stays off", async () => {
    await one.alerts.change("acct_1", { webhook: { url: hooks.url } });
    let failed: Promise<boolean> | undefined;
    await one.store.changeSettings("acct_1", world.nowMs, (before = DEFAULT_SETTINGS) => {
      failed = one.store.webhookFailed("acct_1", hooks, { error: "gone", max: 1 });
      return { ...before, budgets: false };
    });
    expect(await failed).toBe(true);
    const settings = await two.alerts.settings("acct_1");
    expect(settings).toMatchObject({ budgets: false, webhook: { enabled: false, failures: 1 } });
  });

  test("two who change different things at once have changed both", async () => {
    await Promise.all([
      one.alerts.change("acct_1", { budgets: false }),
      two.alerts.change("acct_1", { spendSpike: false }),
    ]);
    const both = { budgets: false, spendSpike: false };
    expect(await one.alerts.settings("acct_1")).toMatchObject(both);
  });

  test("what happened is told once, by mail and by a signed call, whoever looks and sends", async () => {
    const account = facts({ charged: 90n * USD });
    const { secret = "" } = await one.alerts.change(account.accountId, {
      webhook: { url: hooks.url, enabled: true, newSecret: false },
    });
    world.accounts = [account];
    const [mailsBefore, callsBefore] = [mail.mails.length, hooks.calls.length];
    for (let minute = 0; minute < 3; minute++) {
      await Promise.all([one.watch.look(), two.watch.look()]);
      await Promise.all([one.outbox.run(), two.outbox.run()]);
      later(MINUTE_MS);
    }
    const calls = hooks.calls.slice(callsBefore);
    expect(mailsSince(mailsBefore).map(({ to }) => to)).toEqual([["ann@example.com"]]);
    expect(calls.map((call) => isSigned(call, secret))).toEqual([true]);
    expect(JSON.parse(calls[0]?.body ?? "")).toMatchObject({
      type: "alert.low_balance",
      account_id: account.accountId,
      data: { balance: "10.0", threshold: "20.0" },
    });
    expect(await rows()).toEqual([
      { state: "sent", attempts: 1, error: null },
      { state: "sent", attempts: 1, error: null },
    ]);
  });

  test("a rule fires once even where two processes fire at the same instant", async () => {
    const mark = {
      accountId: "acct_1",
      rule: "low_balance",
      subject: "",
      mark: "1",
      seenAtMs: 1,
    };
    const fire = (process: NoticeProcess, text: string) =>
      process.store.fire({ ...mark, mark: text }, [notice()]);
    const first = await Promise.all([fire(one, "1"), fire(two, "1"), fire(one, "1")]);
    expect(first.filter(Boolean)).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
    expect(await fire(two, "2")).toBe(true);
    expect(await rows()).toHaveLength(2);
    // The same mark of long ago, as both have read it, fires once more and once only.
    const again = (process: NoticeProcess) =>
      process.store.fire({ ...mark, mark: "2", seenAtMs: 3 }, [notice()], { seenAtMs: 1 });
    const second = await Promise.all([again(one), again(two)]);
    expect(second.filter(Boolean)).toHaveLength(1);
    expect(await rows()).toHaveLength(3);
    // Seen again by another process meanwhile, it is not over.
    await two.store.see({ ...mark, mark: "2", seenAtMs: 5 });
    await one.store.arm({ ...mark, mark: "2" });
    expect(await one.store.marks(["acct_1"])).toEqual([{ ...mark, mark: "2", seenAtMs: 5 }]);
    await one.store.arm({ ...mark, mark: "2", seenAtMs: 5 });
    expect(await one.store.marks(["acct_1"])).toEqual([]);
  });

  test("one process of all looks at the accounts, and a look that failed is made up for", async () => {
    const started = world.nowMs;
    await one.watch.look();
    await two.watch.look();
    expect(world.asked).toHaveLength(1);
    later(MINUTE_MS);
    await two.watch.look();
    expect(world.asked).toHaveLength(2);
    world.accounts = [low("acct_1")];
    const gone = noticeProcess(tables.sql, { ...world, asked: [] }, undefined);
    gone.store.endLease = () => Promise.reject(new Error("killed"));
    await gone.watch.look().catch(() => {});
    later(60 * MINUTE_MS);
    await one.watch.look();
    expect(world.asked.at(-1)).toBe(started + MINUTE_MS);
  });

  test("a clock that was set back keeps nobody from looking", async () => {
    await one.watch.look();
    later(-SET_BACK_MS);
    await two.watch.look();
    expect(world.asked).toHaveLength(2);
    later(MINUTE_MS);
    await one.watch.look();
    expect(world.asked).toHaveLength(3);
    expect(world.asked[2]).toBeLessThan(world.nowMs);
  });

  test("a clock that was set back keeps nothing from being sent", async () => {
    const fresh = () => notice({ createdAtMs: world.nowMs });
    mail.refuse(1);
    await one.store.add([fresh()]);
    await one.outbox.run();
    await one.store.add([fresh()]);
    await one.store.claim("clm_dead", world.nowMs, one.limits);
    await one.store.add([fresh()]);
    later(-SET_BACK_MS);
    await two.outbox.run();
    const states = (await rows()).map(({ state }) => state);
    expect(states).toEqual(["sent", "sent", "sent"]);
  });

  test("what somebody else is sending, whose clock is a little ahead, is left to them", async () => {
    await one.store.add([notice({ createdAtMs: world.nowMs })]);
    await one.store.claim("clm_ahead", world.nowMs + MINUTE_MS, one.limits);
    await two.outbox.run();
    expect(await rows()).toMatchObject([{ state: "queued", attempts: 1 }]);
  });

  test("a vendor that is down is told to operators in their language, once for all processes", async () => {
    const channel = { id: "ch_1", name: "Main", vendor: "openai", enabled: true };
    const before = mail.mails.length;
    world.channels = [{ ...channel, state: "refused", message: "bad key" }];
    await Promise.all([one.watch.look(), two.watch.look()]);
    later(MINUTE_MS);
    world.channels = [{ ...channel, state: "ok", message: undefined }];
    await two.watch.look();
    world.channels = [{ ...channel, state: "refused", message: "bad key" }];
    await one.watch.look();
    await one.outbox.run();
    const [told, ...more] = mailsSince(before);
    expect([told?.to, more]).toEqual([["op@example.com"], []]);
    expect(Buffer.from(told?.body ?? "").length).toBeGreaterThan(0);
    expect((await tables.sql.query<{ subject: string }>("select subject from notices"))[0]).toEqual(
      { subject: "渠道「Main」不可用" },
    );
  });

  test("input that is lost is told to operators, once a day for each account beyond the limit", async () => {
    const before = mail.mails.length;
    const loss = { of: "account", id: "acct_1", name: "Acme", day: "2026-11-15" } as const;
    world.inputLosses = [
      { ...loss, amount: 2n * USD },
      { ...loss, id: "acct_2", amount: USD },
    ];
    await Promise.all([one.watch.look(), two.watch.look()]);
    later(MINUTE_MS);
    world.inputLosses = [{ ...loss, amount: 3n * USD }];
    await two.watch.look();
    await one.outbox.run();
    const [told, ...more] = mailsSince(before);
    expect([told?.to, more]).toEqual([["op@example.com"], []]);
    const subjects = () =>
      tables.sql.query<{ subject: string }>("select subject from notices order by created_at");
    expect(await subjects()).toEqual([{ subject: "账户「Acme」今日输入损失 $2.00" }]);
    later(MINUTE_MS);
    world.inputLosses = [];
    await two.watch.look();
    expect(await tables.sql.query("select rule from alert_marks")).toEqual([]);
    later(MINUTE_MS);
    world.inputLosses = [{ ...loss, day: "2026-11-16", amount: 2n * USD }];
    await one.watch.look();
    expect(await subjects()).toHaveLength(2);
  });

  describe("a vendor that is down is told to a webhook", () => {
    const refused = { state: "refused", message: "bad key" } as const;
    const channel = { id: "ch_1", name: "Main", vendor: "openai", enabled: true, ...refused };

    const told = async (webhook: AlertChanges["webhook"]) => {
      await one.alerts.change("acct_operator", { email: false, webhook });
      world.channels = [channel];
      await one.watch.look();
      later(16 * MINUTE_MS);
      const rows = tables.sql.query<{ channel: string }>("select channel from notices");
      const ways = (await rows).map((row) => row.channel);
      await tables.sql.query("delete from notices");
      return ways;
    };

    test("only where an operator has set it, else by mail", async () => {
      expect(await told({ url: hooks.url })).toEqual(["email"]);
      expect(await told({ enabled: true, byOperator: true })).toEqual(["webhook"]);
      expect(await told(undefined)).toEqual(["webhook"]);
      // It was theirs as it was: what somebody else makes of it is not.
      expect(await told({ url: `${hooks.url}/other` })).toEqual(["email"]);
      expect(await told(null)).toEqual(["email"]);
    });

    test("of which nobody knows who has set it, where operators alone own the account", async () => {
      world.owners = world.operators;
      expect(await told({ url: hooks.url })).toEqual(["webhook"]);
      world.owners = [...world.operators, ...noticeWorld().owners];
      expect(await told(undefined)).toEqual(["email"]);
    });

    test("unless it was switched off after failures, where it is told by mail", async () => {
      expect(await told({ url: hooks.url, byOperator: true })).toEqual(["webhook"]);
      await one.store.webhookFailed("acct_operator", hooks, { error: "gone", max: 1 });
      expect(await told(undefined)).toEqual(["email"]);
    });
  });

  describe("the history of alerts", () => {
    const channel = { id: "ch_1", name: "Main", vendor: "openai", enabled: true };
    const page = { after: undefined, limit: 10 };
    const history = () => new AlertHistory(tables.sql);
    const calls = (attempts: number, failures: number) => ({
      ...{ ...channel, state: "ok" as const, message: "overloaded" },
      totals: { attempts, failures },
    });

    test("says what was told, to whom, and when it was over", async () => {
      const toldAtMs = world.nowMs;
      world.channels = [{ ...channel, state: "cooled", reason: "quota", message: "no quota" }];
      await one.watch.look();
      const subject = {
        kind: "vendor_down",
        subject: "ch_1",
        accountId: "acct_operator",
        toldAtMs,
      };
      const queued = { channel: "email", address: "op@example.com", state: "queued", error: null };
      expect(await history().page(page)).toMatchObject([
        {
          ...subject,
          title: 'Channel "Main" has no quota left',
          endedAtMs: null,
          notices: [queued],
        },
      ]);
      expect(await history().open()).toBe(1);
      await one.outbox.run();
      later(MINUTE_MS);
      await one.watch.look();
      world.channels = [{ ...channel, state: "ok", message: undefined }];
      later(16 * MINUTE_MS);
      await one.watch.look();
      expect(await history().page(page)).toMatchObject([
        { ...subject, endedAtMs: toldAtMs + MINUTE_MS, notices: [{ ...queued, state: "sent" }] },
      ]);
      expect(await history().open()).toBe(0);
    });

    test("has an outage that began and ended between two looks", async () => {
      world.channels = [calls(100, 2)];
      await one.watch.look();
      later(MINUTE_MS);
      world.channels = [calls(120, 14)];
      await one.watch.look();
      expect(await history().page(page)).toMatchObject([{ kind: "vendor_down", subject: "ch_1" }]);
    });

    test("goes from page to page, the newest first, and has what is over in a moment", async () => {
      for (const id of ["1", "2", "3"]) {
        await one.alerts.tell("acct_1", {
          kind: "webhook_disabled",
          url: id,
          error: "",
          mailed: true,
        });
        later(MINUTE_MS);
      }
      const first = await history().page({ after: undefined, limit: 2 });
      const after = first[1]?.id;
      const last = await history().page({ after, limit: 2 });
      expect([first.length, last.length, await history().open()]).toEqual([3, 1, 0]);
      expect(first[0]?.endedAtMs).toBe(first[0]?.toldAtMs ?? 0);
    });

    test("is forgotten with the messages, but for what still holds", async () => {
      await one.alerts.tell("acct_1", {
        kind: "webhook_disabled",
        url: "",
        error: "",
        mailed: true,
      });
      world.channels = [{ ...channel, state: "refused", message: "bad key" }];
      await one.watch.look();
      later(2 * one.limits.notice_keep_ms);
      await one.outbox.sweep();
      expect(await history().page(page)).toMatchObject([{ kind: "vendor_down" }]);
    });

    test("tells of messages that nobody took", async () => {
      expect(await history().outboxTrouble(0)).toBeUndefined();
      await one.store.add([notice({ id: "ntc_1", createdAtMs: 5_000 }), notice({ id: "ntc_2" })]);
      const claim = "clm_1";
      await one.store.claim(claim, world.nowMs, one.limits);
      await one.store.retry("ntc_1", claim, world.nowMs + MINUTE_MS, "connection refused");
      await one.store.giveUp("ntc_2", claim, world.nowMs, "no such mailbox");
      const trouble = { waiting: 1, givenUp: 1, sinceMs: 1_000, error: "connection refused" };
      expect(await history().outboxTrouble(0)).toEqual(trouble);
      expect(await history().outboxTrouble(6_000)).toBeUndefined();
    });
  });

  test("accounts are told of theirs where nobody can say how the vendors are", async () => {
    Object.defineProperty(world, "channels", {
      get() {
        throw new Error("no gate answers");
      },
    });
    world.accounts = [low("acct_1")];
    await one.watch.look();
    const kinds = await tables.sql.query("select kind from notices");
    expect(kinds).toEqual([{ kind: "low_balance" }]);
    expect(one.logged("channels_not_looked_at")).toHaveLength(1);
  });

  test("an unusual hour is compared with the usual ones", async () => {
    world.accounts = [facts({ spentThisHour: 10n * USD })];
    world.usual = { total: 10n * USD, hours: 5 };
    await one.watch.look();
    later(MINUTE_MS);
    await one.watch.look();
    const kinds = await tables.sql.query("select kind from notices");
    expect(kinds).toEqual([{ kind: "spend_spike" }]);
  });

  test("what is not taken is sent again, later each time, and given up in the end", async () => {
    const before = mail.mails.length;
    await one.store.add([notice({ createdAtMs: world.nowMs })]);
    mail.refuse(2);
    await one.outbox.run();
    expect(await rows()).toMatchObject([{ state: "queued", attempts: 1 }]);
    later(29_999);
    await one.outbox.run();
    expect(await rows()).toMatchObject([{ state: "queued", attempts: 1 }]);
    later(1);
    await two.outbox.run();
    later(59_999);
    await two.outbox.run();
    expect(await rows()).toMatchObject([{ state: "queued", attempts: 2 }]);
    later(1);
    await one.outbox.run();
    expect(await rows()).toEqual([{ state: "sent", attempts: 3, error: null }]);
    expect(mailsSince(before)).toHaveLength(1);

    await one.store.add([notice({ createdAtMs: world.nowMs })]);
    mail.refuse(3);
    for (let attempt = 0; attempt < 5; attempt++) {
      await one.outbox.run();
      later(10 * MINUTE_MS);
    }
    expect(await rows()).toMatchObject([{ state: "sent" }, { state: "failed", attempts: 3 }]);
    expect(one.logged("notice_given_up")).toHaveLength(1);
  });

  test("what is refused for good is given up at once", async () => {
    world.accounts = [low("acct_gone")];
    mail.refuse(9, "550 no such mailbox");
    await one.watch.look();
    await one.outbox.run();
    expect(await rows()).toMatchObject([{ state: "failed", attempts: 1 }]);
    later(60 * MINUTE_MS);
    await one.outbox.run();
    expect(await rows()).toMatchObject([{ attempts: 1, error: expect.stringContaining("550") }]);
  });

  test("what is due when a process starts is sent at once", async () => {
    world.accounts = [low("acct_waits")];
    await one.watch.look();
    const tasks = new TaskGroup((thrown) => expect(thrown).toBeUndefined());
    const stop = one.outbox.start(tasks);
    await tasks.settled();
    stop();
    expect(await rows()).toMatchObject([{ state: "sent", attempts: 1 }]);
  });

  test("other rooms tell accounts where they want to hear it", async () => {
    const before = mail.mails.length;
    const failed = { kind: "auto_topup_failed", amount: USD, reason: "no", off: true } as const;
    await one.alerts.tell("acct_told", failed);
    await one.alerts.change("acct_quiet", { email: false });
    await one.alerts.tell("acct_quiet", failed);
    await one.outbox.run();
    expect(mailsSince(before).map(({ headers }) => headers.subject)).toEqual([
      "Auto top-up was switched off",
    ]);
  });

  test("a notice that a dead process had taken is sent by another, once its lease is over", async () => {
    const before = mail.mails.length;
    await one.store.add([notice({ createdAtMs: world.nowMs })]);
    const [taken] = await one.store.claim("clm_dead", world.nowMs, one.limits);
    await two.outbox.run();
    expect(mailsSince(before)).toHaveLength(0);
    later(120_000);
    await two.outbox.run();
    expect(mailsSince(before)).toHaveLength(1);
    // It was only slow: what it says now changes nothing.
    await one.store.retry(taken?.id ?? "", "clm_dead", 0, "late");
    expect(await rows()).toEqual([{ state: "sent", attempts: 2, error: null }]);
  });

  test("a receiver that never ends a call holds up nobody else", async () => {
    const webhooks = new Webhooks({ timeoutMs: 10_000, loopback: true }, () => world.nowMs);
    webhooks.call = () => new Promise(() => {});
    const held = noticeProcess(tables.sql, world, mail.url, { webhooks, leaseMs: 50 });
    const accountId = newId("acct_");
    const webhook = { url: hooks.url, enabled: true, newSecret: false };
    await held.alerts.change(accountId, { webhook });
    const call = { accountId, channel: "webhook", address: "", text: "{}" } as const;
    await held.store.add([notice({ ...call, createdAtMs: world.nowMs })]);
    await held.outbox.run();
    expect(await rows()).toMatchObject([
      { state: "queued", attempts: 1, error: "it was not sent within 50 ms" },
    ]);
    const before = mail.mails.length;
    // A mail may take longer than the call was given.
    held.limits.notice_lease_ms = one.limits.notice_lease_ms;
    await held.store.add([notice({ createdAtMs: world.nowMs })]);
    await held.outbox.run();
    expect(mailsSince(before)).toHaveLength(1);
  });

  test("many notices are sent once each by processes that take them at the same time", async () => {
    const before = mail.mails.length;
    const many = Array.from({ length: 30 }, (_, at) =>
      notice({ address: `p${at}@example.com`, createdAtMs: world.nowMs }),
    );
    await one.store.add(many);
    await Promise.all([one.outbox.run(), two.outbox.run()]);
    const sent = mailsSince(before).flatMap(({ to }) => to);
    expect(sent.toSorted()).toEqual(many.map(({ address }) => address).toSorted());
  });

  test("a webhook is not switched off before its owners can be told, and then they are", async () => {
    const accountId = newId("acct_");
    await one.alerts.change(accountId, { webhook: { url: hooks.url } });
    for (let i = 0; i < 3; i++) {
      await one.store.webhookFailed(accountId, hooks, { error: "gone", max: 4 });
    }
    hooks.answer(() => new Response("no", { status: 500 }));
    const call = notice({ accountId, channel: "webhook", createdAtMs: world.nowMs });
    await one.store.add([call]);
    const { owners } = world;
    Object.defineProperty(world, "owners", {
      configurable: true,
      get() {
        throw new Error("storage");
      },
    });
    await one.outbox.run();
    Object.defineProperty(world, "owners", { value: owners });
    const isOn = async () => (await two.alerts.settings(accountId)).webhook?.enabled;
    expect(await isOn()).toBe(true);
    const unwritten = [notice({ subject: null as never })];
    const last = { error: "gone", max: 4, notices: unwritten };
    expect(await failureOf(one.store.webhookFailed(accountId, hooks, last))).toBeInstanceOf(Error);
    expect(await isOn()).toBe(true);
    later(MINUTE_MS);
    await two.outbox.run();
    expect(await isOn()).toBe(false);
    const told = await tables.sql.query(
      "select address, state from notices where kind = 'webhook_disabled'",
    );
    expect(told).toEqual([{ address: "ann@example.com", state: "queued" }]);
  });

  test("a webhook that fails too often is switched off and its owner is told", async () => {
    const accountId = newId("acct_");
    await one.alerts.change(accountId, {
      email: false,
      webhook: { url: hooks.url, enabled: true, newSecret: false },
    });
    hooks.answer(() => new Response("no", { status: 500 }));
    const before = mail.mails.length;
    const hook = () =>
      notice({ accountId, channel: "webhook", address: "", text: "{}", createdAtMs: world.nowMs });
    await one.store.add([hook(), hook(), hook()]);
    await one.outbox.run();
    expect((await one.alerts.settings(accountId)).webhook).toMatchObject({
      enabled: true,
      failures: 3,
      lastError: "the receiver answered 500",
    });
    later(MINUTE_MS);
    await one.outbox.run();
    const { webhook } = await one.alerts.settings(accountId);
    expect(webhook).toMatchObject({ enabled: false, failures: 4 });
    later(10 * MINUTE_MS);
    await one.outbox.run();
    // Nothing else is mailed to this account, and the mail does not promise it.
    expect(mailsSince(before).map(wordsOf)).toEqual([
      expect.stringContaining("Alerts by e-mail are off as well"),
    ]);
    const states = await tables.sql.query(
      "select kind, state from notices where kind = 'webhook_disabled' or state <> 'failed'",
    );
    expect(states).toEqual([{ kind: "webhook_disabled", state: "sent" }]);

    // Switched on again it starts afresh, and the first success forgets what failed.
    await one.alerts.change(accountId, {
      webhook: { url: hooks.url, enabled: true, newSecret: false },
    });
    await one.store.add([hook()]);
    await one.outbox.run();
    expect((await one.alerts.settings(accountId)).webhook?.failures).toBe(1);
    hooks.answer(() => new Response("thanks"));
    later(10 * MINUTE_MS);
    await one.outbox.run();
    expect((await one.alerts.settings(accountId)).webhook?.failures).toBe(0);
  });

  test("a test is sent at once, to nobody else, and not twice in a moment", async () => {
    expect(await one.alerts.test("acct_1", "webhook")).toMatchObject({ why: "nowhere" });
    const { secret = "" } = await one.alerts.change("acct_1", {
      webhook: { url: hooks.url, enabled: false, newSecret: false },
    });
    const [mailsBefore, callsBefore] = [mail.mails.length, hooks.calls.length];
    const both = [one.alerts.test("acct_1", "webhook"), two.alerts.test("acct_1", "webhook")];
    expect((await Promise.all(both)).filter(({ sent }) => sent)).toHaveLength(1);
    expect(hooks.calls.slice(callsBefore).map((call) => isSigned(call, secret))).toEqual([true]);
    later(10_000);
    expect(await one.alerts.test("acct_1", "email")).toEqual({ sent: true });
    expect(mailsSince(mailsBefore)).toHaveLength(1);
    later(-SET_BACK_MS);
    expect(await one.alerts.test("acct_1", "email")).toEqual({ sent: true });
    later(10_000);
    const unset = noticeProcess(tables.sql, world, undefined);
    expect(await unset.alerts.test("acct_1", "email")).toMatchObject({ why: "failed" });
    expect(await rows()).toEqual([]);
  });

  test("what is done with is forgotten after a while, what is not stays", async () => {
    await one.store.add([notice({ createdAtMs: world.nowMs })]);
    await one.outbox.run();
    await one.store.add([notice({ createdAtMs: world.nowMs })]);
    later(86_400_001);
    await one.outbox.sweep();
    expect(await rows()).toMatchObject([{ state: "queued" }]);
  });
});
