import type { NanoUsd } from "../catalogue/money.ts";
import type { Limits } from "../config/config.ts";
import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import {
  type Account,
  type KeptSecret,
  type KeyChanges,
  type KeySettings,
  type KeySummary,
  type NewKey,
  openSecrets,
  type SecretExchange,
} from "./account.ts";
import { hashSecret, newSecret } from "./keys/secret.ts";
import type { AccountsStore } from "./store.ts";

export interface CreatedKey {
  readonly id: string;
  /** The secret, seen here and never again. */
  readonly key: string;
}

/** A new key as someone asks for it: what is not said is open or the default. */
type KeyInput = KeyChanges & {
  readonly name: string;
  /** Where somebody has to know it before the key is there. */
  readonly id?: string;
  /** Where somebody has to keep it before the key is there. */
  readonly secret?: string;
};

/** So many secrets of before may still work at once; whoever needs more has lost track of them. */
export const OPEN_SECRETS_MAX = 5;

/** A key that is to get another secret. */
type RotatedKey = Pick<KeySummary, "id" | "lastFour" | "formerSecrets">;

/** A secret that nobody knows yet, and the exchange by which it becomes the key's own. */
export interface PreparedSecret {
  readonly secret: string;
  readonly exchange: SecretExchange;
}

/** So long a secret opens its key that is to take the place of another, until it does. */
const PREPARED_MS = 5 * 60_000;

function keptOf(secret: string): KeptSecret {
  return { hash: hashSecret(secret), lastFour: secret.slice(-4) };
}

const OPEN_KEY: Omit<KeySettings, "name" | "requestsPerMinute"> = {
  enabled: true,
  expiresAtMs: null,
  models: null,
  networks: null,
  tokensPerMinute: 0,
  concurrency: 0,
  hard: false,
  accountRead: false,
  showCost: true,
};

/** What a new key gets, and how many keys an account may have. */
type KeyLimits = Pick<Limits, "key_requests_per_minute" | "keys_per_account">;

/** Where nobody sets another. */
const KEYS_MAX = 1_000;

function tooManyKeys(max: number): Fault {
  return new Fault(
    "key_limit_reached",
    `This account has ${max} keys, which is the most it may have. Delete keys that are not used any more, ` +
      "or ask the operator to raise FAREGATE_KEYS_PER_ACCOUNT.",
  );
}

/** Accounts and keys, as the command line and the console make them. */
export class Accounts {
  readonly #store: AccountsStore;
  readonly #clock: Clock;
  readonly #requestsPerMinute: number;
  readonly #keysMax: number;

  constructor(
    store: AccountsStore,
    clock: Clock,
    requestsPerMinute: number,
    keysMax: number = KEYS_MAX,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#requestsPerMinute = requestsPerMinute;
    this.#keysMax = keysMax;
  }

  /** By the settings of the installation. */
  static within(store: AccountsStore, clock: Clock, limits: KeyLimits): Accounts {
    return new Accounts(store, clock, limits.key_requests_per_minute, limits.keys_per_account);
  }

  async createAccount(
    name: string,
    options: { id?: string; operator?: boolean; hard?: boolean; overdraft?: NanoUsd } = {},
  ): Promise<Account> {
    const account: Account = {
      id: options.id ?? newId("acct_"),
      name,
      operator: options.operator ?? false,
      enabled: true,
      hard: options.hard ?? false,
      overdraft: options.overdraft ?? 0n,
      createdAtMs: this.#clock(),
    };
    await this.#store.createAccount(account);
    return account;
  }

  /** Every key is made here. Undefined when the account does not exist; throws when it has as many keys as it may. */
  async createKey(accountId: string, form: KeyInput): Promise<CreatedKey | undefined> {
    const { secret = newSecret(), id = newId("key_"), ...entered } = form;
    const key: NewKey = {
      ...OPEN_KEY,
      requestsPerMinute: this.#requestsPerMinute,
      budgets: [],
      ...entered,
      id,
      accountId,
      ...keptOf(secret),
      createdAtMs: this.#clock(),
      lastUsedAtMs: null,
      deletedAtMs: null,
    };
    const created = await this.#store.createKey(key, this.#keysMax);
    if (created === "too_many") throw tooManyKeys(this.#keysMax);
    return created ? { id, key: secret } : undefined;
  }

  /** Whether the secret that a key has may work on for so long, beside those of before that still do. */
  canOverlap(key: Pick<KeySummary, "formerSecrets">, overlapMs: number): boolean {
    return overlapMs === 0 || openSecrets(key, this.#clock()).length < OPEN_SECRETS_MAX;
  }

  /**
   * A secret that opens a key for a while beside the one it has, and that is to take its place. Nobody knows it before it is
   * told, so nothing is lost where that does not come about. Undefined when the key is gone.
   */
  async prepareSecret(id: string): Promise<PreparedSecret | undefined> {
    const secret = newSecret();
    const to = keptOf(secret);
    const from = await this.#store.addSecret(id, to, this.#clock() + PREPARED_MS);
    return from === undefined ? undefined : { secret, exchange: { keyId: id, from, to } };
  }

  /** Of one that was told to nobody. */
  dropSecret({ exchange }: PreparedSecret): Promise<void> {
    return this.#store.withdrawSecret(exchange);
  }

  /**
   * Gives a key the secret that was prepared for it, while its old one works on for a while, and says how the key is then.
   * Undefined when it is gone, or has got another one meanwhile.
   */
  async rotateKey(
    key: RotatedKey,
    overlapMs: number,
    prepared: PreparedSecret,
  ): Promise<Omit<RotatedKey, "id"> | undefined> {
    if (!this.canOverlap(key, overlapMs)) {
      throw new Error(`too many secrets of ${key.id} still work`);
    }
    const { exchange } = prepared;
    const former = { lastFour: key.lastFour, endsAtMs: this.#clock() + overlapMs };
    if (!(await this.#store.replaceSecret(exchange, former.endsAtMs))) {
      await this.dropSecret(prepared);
      return undefined;
    }
    const formerSecrets = [former, ...key.formerSecrets].sort((a, b) => b.endsAtMs - a.endsAtMs);
    return { lastFour: exchange.to.lastFour, formerSecrets };
  }
}
