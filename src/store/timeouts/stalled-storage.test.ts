// Storage that does not answer: nobody waits for longer than he may, and what comes of it later is put right.
import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ENGINES } from "../../../test/store/engines.ts";
import {
  admitted,
  customer,
  failureOf,
  NO_LIMITS,
  post,
  receipt,
  request,
  voidHold,
} from "../../../test/store/samples.ts";
import { partsOfTest, perSuite } from "../../../test/support/houses/house.ts";
import { keptLog } from "../../../test/support/logs.ts";
import { eventually } from "../../../test/support/waiting.ts";
import { Accounts } from "../../accounts/accounts.ts";
import { hashSecret } from "../../accounts/keys/secret.ts";
import type { AccountsStore } from "../../accounts/store.ts";
import { readConfig } from "../../config/config.ts";
import { Ledger } from "../../ledger/ledger.ts";
import { steadyClock, systemClock } from "../../lib/clock.ts";
import { StorageError } from "../../lib/faults.ts";
import { TaskGroup } from "../../lib/threads/task-group.ts";
import { Metrics } from "../../telemetry/metrics.ts";
import { openConsoleReads } from "../money-reads/open.ts";
import { timedStore } from "./timed-store.ts";

/** Short enough for a test, and long enough for a machine that has much else to do. */
const { limits } = readConfig({
  FAREGATE_ADMISSION_STORAGE_MS: "500",
  FAREGATE_CONSOLE_STORAGE_MS: "500",
  FAREGATE_SETTLE_WAIT_MS: "800",
});

for (const engine of ENGINES) {
  describe(`a ${engine.name} that does not answer`, () => {
    const parts = partsOfTest();

    const house = perSuite(async (open) => {
      const site = await engine.site(open);
      // On SQLite a hold is a row where it cannot be mapped, which is then waited for.
      const map = join(site.settings.FAREGATE_DATA, "holds.map");
      rmSync(map, { force: true });
      mkdirSync(map);
      const { log, logged } = keptLog();
      const metrics = new Metrics();
      // The connections stay: what is asked about is what comes on them, late.
      const { renew: _, ...plain } = await site.open();
      const store = timedStore(plain, limits, log, metrics);
      const tasks = new TaskGroup((thrown) => log.error("task_failed", { thrown }));
      const clocks = { clock: systemClock, steady: steadyClock };
      const ledger = new Ledger(store.ledger, limits, clocks, tasks);
      return { site, store, plain, ledger, tasks, logged, metrics };
    });

    /** Whatever is opened at its first use is open when it stalls. */
    async function payer() {
      const { plain } = house;
      const made = await customer(plain, { credit: 1_000n });
      await voidHold(plain, await admitted(plain, made, 1n));
      return made;
    }

    test("ends every wait with a failure, says so once, and says when it is over", async () => {
      const { site, store, plain, logged, metrics } = house;
      const made = await payer();
      const resume = parts.adopt(await site.stall(), (end) => end());
      const asked = [
        store.ledger.credit({
          ...{ id: "ref_late", accountId: made.accountId, amount: 5n, kind: "topup", note: "" },
          createdAtMs: 1,
        }),
        store.accounts.updateKey(made.id, { name: "renamed" }),
        store.ledger.refuse(receipt(request(made, 0n), 0n)),
        store.ping(),
      ];
      const failures = await Promise.all(asked.map((each) => failureOf(each)));
      expect(failures.map(({ name }) => name)).toEqual(Array(4).fill("StorageError"));
      await eventually("it is said", () => logged("storage_failed").length > 0);
      expect(metrics.storageUp).toBe(false);
      expect(metrics.storageFailures.total).toBeGreaterThan(3);
      await eventually("nobody who comes now is made to wait", async () => {
        const asking = async () => store.accounts.findKey(made.hash);
        const told = await asking().catch((thrown: Error) => thrown.message);
        return typeof told === "string" && told.includes("not taken a write for a while");
      });

      await resume();
      await eventually("it is told that it works again", () => logged("storage_recovered")[0]);
      expect(metrics.storageUp).toBe(true);
      expect(await store.accounts.findKey(made.hash)).toMatchObject({ id: made.id });
      expect(logged("storage_failed")).toHaveLength(1);
      // What was asked for and came late has happened, once.
      await eventually("the late credit is there", async () => {
        return (await plain.ledger.balance(made.accountId))?.credited === 1_005n;
      });
      expect(await plain.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
    });

    // What a file of SQLite has can be read while another process writes to it.
    const reading = async () => {
      const { site, store, plain } = house;
      const made = await payer();
      const waits = { FAREGATE_CONSOLE_STORAGE_MS: "500" };
      const pages = parts.keep(await openConsoleReads(readConfig({ ...site.settings, ...waits })));
      // On a busy machine the first look may take longer than anybody waits.
      await eventually("the page is read", async () => {
        return (await pages.reads.listKeys(made.accountId).catch(() => [])).length === 1;
      });
      const resume = parts.adopt(await site.stall(), (end) => end());
      const asked: Record<string, unknown> = {
        key: store.accounts.findKey(made.hash),
        account: store.accounts.findAccount(made.accountId),
        balance: store.ledger.balance(made.accountId),
        response: store.conversations.find("resp_1", { accountId: made.accountId }, 1),
        claim: store.keptAnswers.findClaim({ keyId: made.id, value: "v" }),
        row: store.sql.query("select 1 as one"),
        rows: store.sql.transaction((sql) => sql.query("select 1 as one")),
        page: pages.reads.listKeys(made.accountId),
      };
      const names = Object.entries(asked).map(async ([what, answer]) => {
        return [what, (await failureOf(answer)).name];
      });
      const all = Object.keys(asked).map((what) => [what, "StorageError"]);
      expect(await Promise.all(names)).toEqual(all);
      await resume();
      await eventually("it answers", () => plain.accounts.findKey(made.hash));
    };
    if (engine.name === "PostgreSQL") test("what is only read is not waited for either", reading);

    test("a hold that is taken when its request has been refused is voided", async () => {
      const { site, store, plain, metrics } = house;
      const made = await payer();
      const before = await admitted(plain, made, 10n);
      const resume = parts.adopt(await site.stall(), (end) => end());
      const limits = { ...NO_LIMITS, tokensPerMinute: 100 };
      const asked = request(made, 20n, { limits, tokens: 60 });
      expect(await failureOf(store.admission.admit(asked))).toMatchObject({ name: "StorageError" });
      expect(metrics.storageFailures.of("admission")).toBe(1);
      await resume();
      const written = await eventually("the late hold is ended", () =>
        plain.ledger.findReceipt(asked.requestId, made.accountId).catch(() => undefined),
      );
      expect(written).toMatchObject({
        ...{ status: 503, errorCode: "storage_unavailable", held: 20n, loss: 0n, channel: null },
        charge: { amount: 0n },
      });
      expect(await plain.ledger.balance(made.accountId)).toMatchObject({ held: 10n, charged: 0n });
      expect(await post(plain, before, 6n)).toBe("done");
      const next = await admitted(plain, made, 0n, { limits });
      expect(next.rates.tokensLeft).toBe(100);
      await post(plain, next, 0n);
      expect(await plain.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
    });

    /** A guarded store's keys, and one of them with a secret that is to take the place of its own. */
    async function rotating(accounts: AccountsStore) {
      const { plain } = house;
      const made = await payer();
      const keys = new Accounts(accounts, systemClock, 0);
      const key = await plain.accounts.describeKey(made.id);
      const prepared = await keys.prepareSecret(made.id);
      if (!key || !prepared) throw new Error("no key was made");
      const keptItsOwn = async () => {
        await eventually("what nobody was told opens nothing", async () => {
          const found = await plain.accounts.findKey(hashSecret(prepared.secret));
          return found === undefined;
        });
        const found = await plain.accounts.findKey(made.hash);
        expect(found).toMatchObject({ id: made.id, lastFour: "abcd", secretEndsAtMs: null });
        expect((await plain.accounts.describeKey(made.id))?.formerSecrets).toEqual([]);
      };
      return { rotate: () => keys.rotateKey(key, 0, prepared), keptItsOwn };
    }

    test("a key that gets another secret when nobody waits for it any more keeps its own", async () => {
      const { site, store } = house;
      const { rotate, keptItsOwn } = await rotating(store.accounts);
      const resume = parts.adopt(await site.stall(), (end) => end());
      expect(await failureOf(rotate())).toMatchObject({ name: "StorageError" });
      await resume();
      await keptItsOwn();
    });

    test("so does one that has got it where the answer was lost", async () => {
      const { plain } = house;
      const accounts: AccountsStore = {
        ...plain.accounts,
        async replaceSecret(...args) {
          await plain.accounts.replaceSecret(...args);
          throw new StorageError("connection lost");
        },
      };
      // Not closed: what is behind it is the suite's.
      const store = timedStore({ ...plain, accounts }, limits, keptLog().log);
      const { rotate, keptItsOwn } = await rotating(store.accounts);
      expect(await failureOf(rotate())).toMatchObject({ message: "connection lost" });
      await keptItsOwn();
    });

    test("what is settled while it stalls is charged once or not at all, and nothing stays held", async () => {
      const { site, plain, ledger, tasks } = house;
      const made = await payer();
      const open = await Promise.all([1n, 2n, 3n].map((cost) => admitted(plain, made, cost * 10n)));
      const resume = parts.adopt(await site.stall(), (end) => end());
      const settle = (asked: (typeof open)[number]) =>
        ledger.settle({ kind: "post", receipt: receipt(asked, 4n) });
      const [first, ...others] = open as [(typeof open)[number], ...typeof open];
      const ends = [failureOf(settle(first))];
      // The first is on its way when the others come, which then have not begun to be written.
      await Bun.sleep(0);
      ends.push(...others.map((each) => failureOf(settle(each))));
      for (const failure of await Promise.all(ends)) {
        expect(failure).toMatchObject({
          fault: "storage_unavailable",
          status: 503,
          headers: { "retry-after": "5" },
        });
      }
      await resume();
      await tasks.settled();
      for (const { requestId, accountId } of others) {
        const written = await plain.ledger.findReceipt(requestId, accountId);
        expect(written).toMatchObject({ status: 503, charge: { amount: 0n } });
      }
      // What was on its way may have come to pass, and was then given back.
      const {
        charged = 0n,
        credited = 0n,
        held,
      } = (await plain.ledger.balance(made.accountId)) ?? {};
      expect([held, credited - charged]).toEqual([0n, 1_000n]);
      expect([0n, 4n]).toContain(charged);
      expect(await plain.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
    });
  });
}
