// The whole gateway with what stands around it: a mail server, a receiver of hooks, Stripe, a vendor.
import { Accounts } from "../../src/accounts/accounts.ts";
import { OperatorLinks } from "../../src/accounts/people/operator-links.ts";
import { peopleStores } from "../../src/accounts/tables/open.ts";
import { firstRun } from "../../src/cli/first-run.ts";
import { operationsOf } from "../../src/http/openapi/describe-api.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { NoticesTable } from "../../src/notices/tables/notices.ts";
import type { Engine } from "../store/engines.ts";
import type { Parts } from "../support/houses/house.ts";
import { SmallVendor } from "../support/houses/operator-house.ts";
import { wholeApp } from "../support/houses/whole-app.ts";
import { startHookReceiver } from "../support/outside/hook-receiver.ts";
import { startMailServer, wordsOf } from "../support/outside/mail-server.ts";
import { FakeStripe } from "../support/payments/fake-stripe.ts";

export async function contractHouse(parts: Parts, engine: Engine) {
  const mail = parts.keep(await startMailServer());
  const hook = parts.keep(startHookReceiver());
  const stripe = parts.keep(new FakeStripe());
  const vendor = parts.keep(new SmallVendor());
  const settings = {
    FAREGATE_SMTP_URL: mail.url,
    FAREGATE_MAIL_FROM: "Gate <gate@example.com>",
    FAREGATE_SIGNUP: "open",
    FAREGATE_WEBHOOK_LOOPBACK: "on",
    FAREGATE_DRAFTS_PUBLISH: "on",
    FAREGATE_PLATFORM_URL: "built-in",
    FAREGATE_PLATFORM_PUBLISH_MS: "10",
  };
  const app = await wholeApp(parts, await engine.site(parts), settings, (config) => ({
    ...config,
    payments: { ...config.payments, stripe: stripe.settings },
  }));
  await firstRun(app.store, new Accounts(app.store.accounts, systemClock, 0), systemClock);
  const links = new OperatorLinks(peopleStores(app.store.sql, systemClock).links, systemClock);
  return {
    url: app.url,
    operations: operationsOf(app.routes),
    operatorLink: await links.create(),
    ...{ mail, hook, stripe, vendor },
    /** Two alerts that were told. */
    async tellAlerts() {
      for (const id of ["1", "2"]) {
        const alert = { id: `alr_${id}`, accountId: "acct_1", kind: "low_balance" };
        const words = { title: "Low", titleZh: "不足", toldAtMs: systemClock() };
        const notice = {
          ...{ id: `ntc_contract_${id}`, accountId: "acct_1", kind: "low_balance" },
          ...{ channel: "webhook" as const, address: "", subject: "Low", text: "{}", html: "" },
          ...{ link: "https://gate.example.com", createdAtMs: systemClock() },
        };
        await new NoticesTable(app.store.sql).add([notice], { ...alert, ...words });
      }
    },
    /** Of the vendor, for those who wait for one. */
    answers: Promise.withResolvers<void>(),
    /** What stands behind the sign of a link in the newest mail to somebody. */
    mailedToken: (address: string) => {
      const newest = mail.mails.findLast(({ to }) => to.includes(address));
      return newest && /#([\w-]+)/.exec(wordsOf(newest))?.[1];
    },
  };
}

export type ContractHouse = Awaited<ReturnType<typeof contractHouse>>;
