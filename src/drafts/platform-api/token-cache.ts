import { createHash, createHmac } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import type { Vault } from "../../lib/secrets/vault.ts";
import type { GrantRows } from "../tables/grants.ts";
import type { StoredToken, TokenKey, TokenRows } from "../tables/tokens.ts";
import type { JsonRecord, PlatformHttp, Reply } from "./platform-http.ts";

/** A token is replaced so long before its end; the platform renews its own as early. */
const MARGIN_MS = 300_000;
const POLL_MS = 200;
/** How much longer than its calls a lease lasts. */
const LEASE_SLACK_MS = 5_000;
const TOKEN_CHARS_MAX = 2_048;
/** The longest life of a token, whatever the platform says. */
const LIFE_S_MAX = 86_400;

export interface Grant {
  readonly token: string;
  readonly lifeMs: number;
}

/** Dependencies of every way to a token. */
export interface TokenParts {
  readonly store: TokenRows;
  readonly grants: GrantRows;
  readonly wire: PlatformHttp;
  readonly vault: Vault;
  readonly clock: Clock;
  /** The clock for waits. */
  readonly steady: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  readonly callMs: number;
}

/** The key of a cached token, the call that fetches it, and how many calls in a row that may take. */
export interface Way {
  readonly key: TokenKey;
  readonly calls: number;
  /** `renew` renews the lease, and says whether the caller still has it. */
  ask(renew: () => Promise<boolean>): Promise<Reply<Grant>>;
}

export const NO_TOKEN_IN_TIME = {
  kind: "unknown",
  reason: "no token was had in time.",
  sent: false,
} as const;

function sumOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** A token and how long it lasts; undefined where an answer has no such thing. */
export function grantOf(token: unknown, expiresIn: unknown): Grant | undefined {
  const seconds = Number(expiresIn);
  if (typeof token !== "string" || token === "") return undefined;
  if (token.length > TOKEN_CHARS_MAX || !(seconds > 0)) return undefined;
  return { token, lifeMs: Math.floor(Math.min(seconds, LIFE_S_MAX) * 1000) };
}

export function readGrant({ access_token, expires_in }: JsonRecord): Grant | undefined {
  return grantOf(access_token, expires_in);
}

/**
 * Caches tokens in the database, where all processes share them. One process at a time fetches a token; the others
 * wait for it.
 */
export class TokenCache {
  readonly parts: TokenParts;
  readonly #running = new Map<string, Promise<Reply<string>>>();
  /** A secret of ours in the sum, so that stored sums do not help to guess an AppSecret. */
  readonly #sumKey: string;

  constructor(parts: TokenParts) {
    this.parts = parts;
    this.#sumKey = parts.vault.derive("draft-tokens");
  }

  /** The key of a token by the secret that it came by. */
  keyOf({ box, appid }: Pick<TokenKey, "box" | "appid">, secret: string): TokenKey {
    const secretSum = createHmac("sha256", this.#sumKey).update(secret).digest("hex");
    return { box, appid, secretSum };
  }

  /** The token that is stored and still good, or a new one. */
  async get(way: Way): Promise<Reply<string>> {
    const name = JSON.stringify(way.key);
    const running = this.#running.get(name);
    if (running) return running;
    const mine = this.#find(way).finally(() => this.#running.delete(name));
    this.#running.set(name, mine);
    return mine;
  }

  /** Drops a token that the platform refused. A newer one, fetched meanwhile, stays. */
  async drop(key: TokenKey, token: string): Promise<void> {
    await this.parts.store.drop(key, sumOf(token));
  }

  async #find({ key, calls, ask }: Way): Promise<Reply<string>> {
    const { store, clock, steady, sleep, callMs } = this.parts;
    const owner = newId("tok_");
    const leaseMs = calls * callMs + LEASE_SLACK_MS;
    const giveUpAtMs = steady() + 2 * leaseMs;
    for (;;) {
      const stored = await this.#stored(key);
      if (stored) return stored;
      const nowMs = clock();
      if (await store.takeLease(key, owner, nowMs, nowMs + leaseMs)) {
        const renew = () => store.renewLease(key, owner, clock() + leaseMs);
        return this.#withLease(key, owner, () => this.#fetch(key, () => ask(renew), owner));
      }
      if (steady() >= giveUpAtMs) return NO_TOKEN_IN_TIME;
      await sleep(POLL_MS);
    }
  }

  async #stored(key: TokenKey): Promise<Reply<string> | undefined> {
    const { store, vault, clock } = this.parts;
    const stored = await store.find(key);
    if (!stored || stored.refreshAtMs <= clock()) return undefined;
    return { kind: "ok", value: vault.open(stored.sealed), platformTimeMs: undefined };
  }

  /** Ends the lease after the work, so that the next process need not wait for its end. */
  async #withLease<T>(key: TokenKey, owner: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      await this.parts.store.endLease(key, owner).catch(() => {});
    }
  }

  async #fetch(
    key: TokenKey,
    ask: () => Promise<Reply<Grant>>,
    owner: string,
  ): Promise<Reply<string>> {
    const { store, vault, clock } = this.parts;
    const askedAtMs = clock();
    const reply = await ask();
    if (reply.kind !== "ok") return reply;
    const { token, lifeMs } = reply.value;
    // What is left of a stable token may be less than the margin.
    const refreshAtMs = askedAtMs + lifeMs - Math.min(MARGIN_MS, Math.floor(lifeMs / 2));
    const stored: StoredToken = { sealed: vault.seal(token), sum: sumOf(token), refreshAtMs };
    await store.save(key, owner, stored);
    return { ...reply, value: token };
  }
}
