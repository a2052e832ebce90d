import type { NanoUsd } from "../../catalogue/money.ts";
import type { Config } from "../../config/config.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Vault } from "../../lib/secrets/vault.ts";
import { dialectOver } from "../../lib/sql/dialect.ts";
import type { Log } from "../../telemetry/log.ts";
import type { Accounts } from "../accounts.ts";
import { createGuards } from "../create-guards.ts";
import { KeyRights } from "../keys/key-rights.ts";
import { SecretMakers } from "../keys/secret-makers.ts";
import { accountsRoutes } from "../routes/routes.ts";
import type { PeopleServices } from "../services.ts";
import { BackOff } from "../sign-in/back-off.ts";
import { mailToLog, type SendMail } from "../sign-in/mail.ts";
import type { Passwords } from "../sign-in/options.ts";
import { originsOf } from "../sign-in/origins.ts";
import { PendingSignUps } from "../sign-in/pending.ts";
import { SignIn } from "../sign-in/sign-in.ts";
import { type Credit, SignUp, type SignUpTerms } from "../sign-in/sign-up.ts";
import type { AccountsStore } from "../store.ts";
import type { PeopleStores } from "../tables/open.ts";
import { InvitationLimit } from "./invitation-limit.ts";
import { Memberships } from "./members.ts";
import { OperatorLinks } from "./operator-links.ts";
import { OperatorTokens } from "./operator-tokens.ts";

interface PeopleParts {
  readonly config: Pick<Config, "host" | "publicUrl" | "oidc" | "limits">;
  readonly stores: PeopleStores;
  readonly accountsStore: Pick<
    AccountsStore,
    "findAccount" | "operatorAccount" | "updateAccount" | "findKey" | "describeKey" | "updateKey"
  >;
  readonly accounts: Pick<Accounts, "createAccount">;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Log;
  /** Left out where nothing can send mail. */
  readonly sendMail?: SendMail | undefined;
  readonly passwords?: Passwords | undefined;
  /** The port that the server listens on; asked when the first visitor comes. */
  port(): number;
  terms(): Promise<SignUpTerms>;
  credit(credit: Credit): Promise<unknown>;
  balanceOf(accountId: string): Promise<NanoUsd>;
  namesOf: PeopleServices["namesOf"];
  facts: PeopleServices["facts"];
  background(work: Promise<unknown>): void;
}

function openKeyRights(parts: PeopleParts, memberships: Memberships): KeyRights {
  const { stores, accountsStore: keys, clock } = parts;
  const secrets = new SecretMakers({ table: stores.secretMakers, keys, clock });
  return new KeyRights({ makers: stores.keyMakers, secrets, memberships, keys });
}

/**
 * Puts together everything about people: sign-in, membership, their own routes, and the guards for those of
 * every other room of the console.
 */
export function createPeople(parts: PeopleParts) {
  const { config, stores, accountsStore, vault, clock, log, sendMail } = parts;
  const memberships = new Memberships(stores.sql, vault, clock);
  const signUp = new SignUp({
    terms: parts.terms,
    openAccount: async (id, name) =>
      (await accountsStore.findAccount(id)) ??
      parts.accounts.createAccount(name, { id, hard: true }),
    credit: parts.credit,
    ...{ store: stores.signUps, unplaced: stores.unplaced },
    ...{ memberships, audit: stores.audit, clock },
  });
  const keyRights = openKeyRights(parts, memberships);
  const origins = () => originsOf({ ...config, port: parts.port() });
  const consoleUrl = () => `${origins().own}/console`;
  const signIn = new SignIn({
    dialect: dialectOver(stores.sql),
    secret: vault.derive("sessions"),
    origins,
    providers: config.oidc,
    limits: config.limits,
    signUp,
    signInTries: stores.signInTries,
    ...{ tries: stores.tries, clock },
    backOff: new BackOff(stores.signInTries, config.limits, clock),
    audit: stores.audit,
    pending:
      sendMail && new PendingSignUps({ ...{ store: stores.pending, sendMail, clock }, consoleUrl }),
    disableKeysOf: (userId) => keyRights.disableKeysOf(userId),
    withdrawInvitationsOf: (userId) => memberships.withdrawAllOf(userId),
    async leaveAll(userId) {
      await memberships.leaveAll(userId);
      await keyRights.narrowKeysOf(userId);
    },
    sendMail: sendMail ?? mailToLog(log),
    log,
    passwords: parts.passwords,
    background: parts.background,
  });
  const tokens = new OperatorTokens({
    ...{ store: stores.tokens, memberships, clock },
    audit: stores.audit,
  });
  const services: PeopleServices = {
    signIn,
    signUp,
    memberships,
    keyRights,
    tokens,
    links: new OperatorLinks(stores.links, clock),
    audit: stores.audit,
    preferences: stores.preferences,
    accounts: accountsStore,
    sendMail,
    invitations: new InvitationLimit(stores.tries, clock),
    log,
    balanceOf: parts.balanceOf,
    namesOf: parts.namesOf,
    facts: parts.facts,
  };
  const guards = createGuards({
    signIn,
    tokens,
    memberships,
    findAccount: (id) => accountsStore.findAccount(id),
    limits: config.limits,
  });
  return { services, guards, routes: accountsRoutes(services, guards) };
}
