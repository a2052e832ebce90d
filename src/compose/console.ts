import { join, resolve } from "node:path";
import type { Account } from "../accounts/account.ts";
import { Accounts } from "../accounts/accounts.ts";
import type { AuditLog } from "../accounts/audit.ts";
import { createPeople } from "../accounts/people/people.ts";
import { withdrawLost } from "../accounts/people/withdrawal.ts";
import type { Passwords } from "../accounts/sign-in/options.ts";
import { peopleStores } from "../accounts/tables/open.ts";
import { RecipientsTable } from "../accounts/tables/recipients.ts";
import { TryWindowsTable } from "../accounts/tables/try-windows.ts";
import { type Catalogue, priceAt, shippedCatalogue } from "../catalogue/models.ts";
import type { Config } from "../config/config.ts";
import { alertRoutes } from "../console/alert-routes.ts";
import { operatorRoutes } from "../console/operator/routes.ts";
import type { MailFacts } from "../console/operator/services.ts";
import { consoleRoutes } from "../console/routes.ts";
import { searchRoutes } from "../console/search-routes.ts";
import type { WaitingCalls } from "../drafts/push/leases.ts";
import { ConsoleFiles, type ConsoleSource } from "../http/files/console-files.ts";
import { docsPages } from "../http/files/docs-pages.ts";
import { apiPage, consolePages } from "../http/files/static.ts";
import type { Installation } from "../installation/installation.ts";
import { OperatorRows } from "../installation/tables/operator.ts";
import { every, systemClock } from "../lib/clock.ts";
import { diskSpaceOf } from "../lib/files/disk-space.ts";
import { openVault } from "../lib/secrets/vault.ts";
import { AlertWatch } from "../notices/alert-watch.ts";
import { Alerts } from "../notices/alerts.ts";
import { Mailer } from "../notices/mailer.ts";
import { NoticeWriter } from "../notices/notice-writer.ts";
import { Outbox } from "../notices/outbox.ts";
import { AlertHistory } from "../notices/tables/alert-history.ts";
import { NoticesTable } from "../notices/tables/notices.ts";
import { Webhooks } from "../notices/webhooks.ts";
import { openPayments, type Payments } from "../payments/payments.ts";
import { paymentRoutes } from "../payments/routes/routes.ts";
import { openPaymentsStore } from "../payments/tables/open.ts";
import { alertFacts } from "../store/money-reads/alert-facts.ts";
import { databaseFacts } from "../store/money-reads/database-facts.ts";
import { latestEntries } from "../store/money-reads/latest-entries.ts";
import { openConsoleReads } from "../store/money-reads/open.ts";
import { operatorBooks } from "../store/money-reads/operator-books.ts";
import { SearchReads } from "../store/reads/search.ts";
import type { ChannelSettings } from "../upstream/channels/channel-settings.ts";
import { Routes } from "../upstream/routing.ts";
import { openPersonalKeys } from "./kept-keys.ts";
import type { OfficeDependencies } from "./office.ts";

/** How often payments that a process left undone are taken up, and low balances topped up. */
const RECONCILE_MS = 60_000;
const AUTO_TOPUP_MS = 30_000;

const WEB_DIR = join(import.meta.dir, "..", "..", "web");

/** What stands in the place of what an installation has. */
export interface StandIns {
  /** For the built pages, for whoever works on them. */
  readonly pages?: ConsoleSource | undefined;
  /** For the library's way to keep them, which takes its time. */
  readonly passwords?: Passwords | undefined;
}

/** What the console is made of. */
interface ConsoleParts extends OfficeDependencies {
  readonly version: string;
  readonly waiting: WaitingCalls;
}

function ownAddress({ config, port }: ConsoleParts): string {
  return config.publicUrl ?? `http://localhost:${port()}`;
}

function openTill(
  parts: ConsoleParts,
  installation: Installation,
  { audit, alerts }: { readonly audit: AuditLog; readonly alerts: Alerts },
  reader: Awaited<ReturnType<typeof openConsoleReads>>["reader"],
): Payments {
  const { config, store, clock, log } = parts;
  const { ledger } = store;
  return openPayments({
    store: openPaymentsStore(store.sql),
    tries: new TryWindowsTable(store.sql),
    ledger: {
      credit: (credit) => ledger.credit(credit),
      balance: (accountId) => ledger.balance(accountId),
      accountOfEntry: (id) => ledger.accountOfEntry(id),
      latestEntries: latestEntries(reader),
      debit: (id, accountId, amount, kind, note) =>
        ledger.debit({ id, accountId, amount, kind, note, createdAtMs: clock() }),
      closeDebit: (id, accountId, kind, note) =>
        ledger.closeDebit({ id, accountId, kind, note, createdAtMs: clock() }),
    },
    publicUrl: ownAddress(parts),
    stripe: config.payments.stripe,
    epay: config.payments.epay,
    isEnabled: async (id) => (await store.accounts.findAccount(id))?.enabled ?? false,
    cnyRate: async () => {
      const currency = installation.current().displayCurrency;
      return currency?.code === "CNY" ? currency.rate : undefined;
    },
    testPaymentAllowed: () => installation.sandboxOnly,
    audit,
    tell: (accountId, occurrence) => alerts.tell(accountId, occurrence),
    limits: config.limits,
    ...{ clock, log },
  });
}

function openNotices(
  parts: ConsoleParts,
  vault: ReturnType<typeof openVault>,
  reader: Awaited<ReturnType<typeof openConsoleReads>>["reader"],
) {
  const { config, store, tasks, clock, log, gate, catalogue } = parts;
  const { limits } = config;
  const mail = { smtpUrl: config.smtpUrl, from: config.mailFrom, sendMs: limits.mail_send_ms };
  const mailer = new Mailer(mail, log);
  const hooks = { timeoutMs: limits.webhook_timeout_ms, loopback: config.webhookLoopback };
  const webhooks = new Webhooks(hooks, clock);
  const recipients = new RecipientsTable(store.sql);
  const writer = new NoticeWriter(recipients, `${ownAddress(parts)}/console`, clock);
  const table = new NoticesTable(store.sql);
  const shared = { store: table, mailer, webhooks, vault, writer, limits, tasks, clock, log };
  const operatorAccountId = async () => (await store.accounts.operatorAccount())?.id;
  const watch = new AlertWatch({
    ...shared,
    facts: alertFacts(reader),
    house: {
      operatorAccountId,
      channels: async () =>
        (await gate.health()).channels.map(({ lastError, ...channel }) => ({
          ...channel,
          message: lastError?.message,
        })),
      modelEnds: () =>
        [...catalogue.all()].flatMap(({ id, deprecatesOn, replacement }) =>
          deprecatesOn === undefined ? [] : [{ model: id, on: deprecatesOn, replacement }],
        ),
    },
  });
  /** What the page about alerts asks of the house. */
  const alertPage = { mailConfigured: mailer.configured, operatorAccountId };
  return { mailer, alerts: new Alerts(shared), outbox: new Outbox(shared), watch, alertPage };
}

function mailFacts({ smtpUrl, mailFrom }: Config, mailer: Mailer): MailFacts | undefined {
  if (smtpUrl === undefined) return undefined;
  const send: MailFacts["send"] = (mail) => mailer.send(mail);
  return { server: new URL(smtpUrl).host, from: mailFrom, send };
}

/** Everybody's way in, and what they are told about themselves. */
function openPeople(
  parts: ConsoleParts,
  vault: ReturnType<typeof openVault>,
  installation: Installation,
  mailer: Mailer,
  accounts: Accounts,
  { books }: ReturnType<typeof operatorParts>,
) {
  const { config, store, log, tasks, port, passwords } = parts;
  return createPeople({
    config,
    stores: peopleStores(store.sql, systemClock),
    accountsStore: store.accounts,
    accounts,
    vault,
    clock: systemClock,
    log,
    sendMail: mailer.configured ? (mail) => mailer.send(mail) : undefined,
    passwords,
    port,
    terms: async () => {
      const { signup, signupCredit } = installation.current();
      return { policy: signup, credit: signupCredit };
    },
    credit: (credit) => store.ledger.credit(credit),
    // Pages show it on a full disk too, where the ledger itself must not answer.
    balanceOf: async (id: Account["id"]) => {
      const account = await books.account(id);
      return account ? account.credited - account.charged : 0n;
    },
    namesOf: (ids) => books.namesOf(ids),
    facts: async () => ({
      displayCurrency: installation.current().displayCurrency ?? null,
      testPayment: installation.sandboxOnly,
    }),
    background: (work) => tasks.run(work),
  });
}

/** What the operator's pages read and change beside the installation's settings. */
export function operatorParts(
  parts: Omit<ConsoleParts, "log" | "tasks" | "call" | "port" | "installation">,
  accounts: Accounts,
  reader: Awaited<ReturnType<typeof openConsoleReads>>["reader"],
) {
  const { config, store, source, gate, version, waiting } = parts;
  const { catalogue, routes, wires, clock } = parts;
  return {
    store: new OperatorRows(store.sql),
    told: new AlertHistory(store.sql),
    dataDisk: { folder: resolve(config.dataDir), room: () => diskSpaceOf(config.dataDir) },
    books: operatorBooks(reader, databaseFacts(config, reader)),
    accounts: {
      createAccount: (name: string, options: Parameters<Accounts["createAccount"]>[1]) =>
        accounts.createAccount(name, options),
      updateAccount: store.accounts.updateAccount.bind(store.accounts),
    },
    ...{ catalogue, routes, wires, gate, clock, version },
    facts: () => gate.facts(),
    draftCallsWaiting: () => waiting.draftCallsWaiting,
    routesTo: (channel: ChannelSettings, known: Catalogue) =>
      new Routes(known, [source.open(channel)], config.limits),
    verify: () => store.ledger.verify(),
  };
}

/** What the pages about money ask of other rooms. */
function tillFacts({ store, config }: ConsoleParts, installation: Installation, alerts: Alerts) {
  return {
    limits: config.limits,
    /** From what balance on an account is warned; undefined when it is not. */
    async lowBalance(accountId: string) {
      const { lowBalance, lowBalanceThreshold } = await alerts.settings(accountId);
      return lowBalance ? (lowBalanceThreshold ?? undefined) : undefined;
    },
    displayCurrency: () => installation.current().displayCurrency,
    accountName: async (id: string) => (await store.accounts.findAccount(id))?.name,
  };
}

/** The console: its rooms put together, its routes, and what runs beside them. */
export async function openConsole(parts: ConsoleParts) {
  const { config, store, installation, gate } = parts;
  const { tasks, clock, catalogue, routes } = parts;
  const vault = openVault(config.secret, config.dataDir);
  const { reads, reader, close } = await openConsoleReads(config);
  const accounts = Accounts.within(store.accounts, clock, config.limits);
  const { mailer, alerts, outbox, watch, alertPage } = openNotices(parts, vault, reader);
  const operatorOwn = operatorParts(parts, accounts, reader);
  const people = openPeople(parts, vault, installation, mailer, accounts, operatorOwn);
  const { guards } = people;
  const { audit, keyRights: rights, namesOf } = people.services;
  const personalKeys = openPersonalKeys(store, { accounts, vault, rights, audit, clock });
  const payments = openTill(parts, installation, { audit, alerts }, reader);
  installation.onChannelsChanged = async ({ sandboxOnly }) => {
    if (!sandboxOnly) await payments.testPayments.reverseTestCredit();
  };
  await installation.reload();
  const operator = {
    ...operatorOwn,
    ...{ installation, audit, vault, personalKeys, mail: mailFacts(config, mailer) },
  };
  const { file, metricsPublic } = config;
  const shipped = shippedCatalogue();
  const models = async () => {
    // For what vendors list at this moment.
    await gate.facts();
    return routes.models().filter((model) => priceAt(model, clock()));
  };
  const files = parts.pages ?? new ConsoleFiles(WEB_DIR);
  const stops: (() => void)[] = [];
  return {
    /** For the routes of rooms that are not the console's, and what the pages are made of. */
    ...{ guards, audit, personalKeys, people: people.services, files },
    routes: [
      ...consolePages(files),
      apiPage(files),
      ...docsPages(),
      ...people.routes,
      ...consoleRoutes(
        {
          ...{ store: reads, accounts, keys: store.accounts, personalKeys },
          ...{ catalogue, models, audit, tasks, clock, rights },
        },
        guards,
      ),
      ...alertRoutes({ ...alertPage, alerts, audit }, guards),
      ...paymentRoutes({ payments, audit, ...tillFacts(parts, installation, alerts) }, guards),
      ...operatorRoutes(operator, guards, { shipped, file, metricsPublic }),
      ...searchRoutes({ search: new SearchReads(reader, store.sql), models, namesOf }, guards),
    ],
    /** Begins what runs beside the requests. */
    start() {
      // Built beside the requests where that has not been done, so that the first visitor need not wait.
      tasks.run(files.tree());
      tasks.run(payments.reconcile());
      tasks.run(rights.narrowAll());
      tasks.run(withdrawLost(people.services));
      stops.push(
        watch.start(tasks),
        outbox.start(tasks),
        every(RECONCILE_MS, () => tasks.run(payments.reconcile())),
        every(AUTO_TOPUP_MS, () => tasks.run(payments.autoTopUps.run())),
      );
    },
    async stop() {
      for (const stop of stops) stop();
      await close();
    },
  };
}
