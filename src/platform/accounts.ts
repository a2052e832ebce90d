import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../lib/clock.ts";
import { openedBy, type Vault } from "../lib/secrets/vault.ts";
import type { AccountChanges, PublicAccount } from "./account.ts";
import type { AccountRows, KeptAccount } from "./tables/accounts.ts";

/** An account with what it signs in with. */
export interface AccountCredentials {
  readonly account: PublicAccount;
  readonly secret: string;
}

interface AccountsParts {
  readonly store: AccountRows;
  readonly vault: Vault;
  readonly clock: Clock;
}

/** Nothing else is ever looked up: a database may choke on what a caller makes of an id. */
const APPID = /^[A-Za-z0-9_-]{1,64}$/;

const newSecret = () => randomBytes(16).toString("hex");
const digest = (text: string) => createHash("sha256").update(text).digest();

function newAccount(owner: string, nowMs: number, changes: AccountChanges): PublicAccount {
  return {
    appid: `wx${randomBytes(8).toString("hex")}`,
    owner,
    name: "sandbox",
    type: "subscription",
    verified: true,
    comments: true,
    product: "ok",
    networks: [],
    frozen: false,
    callback: null,
    createdAtMs: nowMs,
    ...changes,
  };
}

/** The public accounts of this platform. */
export class Accounts {
  readonly #parts: AccountsParts;

  constructor(parts: AccountsParts) {
    this.#parts = parts;
  }

  /**
   * The account that an owner has without asking for one: a verified subscription account with every
   * right.
   */
  async sandbox(owner: string): Promise<AccountCredentials> {
    const { store } = this.#parts;
    const found = await store.findSandbox(owner);
    if (found) return this.#open(found);
    const made = await this.#make(owner, {}, true);
    // Another instance may have made it meanwhile: what the database has is the one.
    return this.#open((await store.findSandbox(owner)) ?? made);
  }

  async create(owner: string, changes: AccountChanges = {}): Promise<AccountCredentials> {
    return this.#open(await this.#make(owner, changes, false));
  }

  async find(appid: string): Promise<PublicAccount | undefined> {
    if (!APPID.test(appid)) return undefined;
    return (await this.#parts.store.find(appid))?.account;
  }

  async credentials(appid: string): Promise<AccountCredentials | undefined> {
    const kept = APPID.test(appid) ? await this.#parts.store.find(appid) : undefined;
    return kept && this.#open(kept);
  }

  /** Whether the secret is the account's. */
  async isSecret(appid: string, secret: string): Promise<boolean> {
    const known = await this.credentials(appid);
    return known !== undefined && timingSafeEqual(digest(known.secret), digest(secret));
  }

  async list(owner?: string): Promise<readonly PublicAccount[]> {
    return (await this.#parts.store.list(owner)).map(({ account }) => account);
  }

  /** The account after the changes; undefined when there is no such one. */
  async set(appid: string, changes: AccountChanges): Promise<PublicAccount | undefined> {
    if (!APPID.test(appid) || !(await this.#parts.store.change(appid, changes))) return undefined;
    return this.find(appid);
  }

  async #make(owner: string, changes: AccountChanges, isSandbox: boolean): Promise<KeptAccount> {
    const { store, vault, clock } = this.#parts;
    const kept: KeptAccount = {
      account: newAccount(owner, clock(), changes),
      sealedSecret: vault.seal(newSecret()),
      isSandbox,
    };
    await store.add(kept);
    return kept;
  }

  /** An account whose secret cannot be opened any more gets another one: else it would be shut for good. */
  async #open(kept: KeptAccount): Promise<AccountCredentials> {
    const { store, vault } = this.#parts;
    const { account, sealedSecret } = kept;
    const secret = openedBy(vault, sealedSecret);
    if (secret !== undefined) return { account, secret };
    const fresh = newSecret();
    if (await store.replaceSecret(kept, vault.seal(fresh))) return { account, secret: fresh };
    // Somebody was quicker.
    const current = await store.find(account.appid);
    if (!current) throw new Error(`the public account ${account.appid} is gone`);
    return { account, secret: vault.open(current.sealedSecret) };
  }
}
