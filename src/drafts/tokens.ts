import { createHash, createHmac } from "node:crypto";
import type { Clock } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import type { Vault } from "../lib/vault.ts";
import type { JsonRecord, PlatformWire, Reply } from "./platform-wire.ts";
import type { StoredToken, TokenKey, TokensStore } from "./store.ts";

/** A token is replaced so long before its end; the platform renews its own as early. */
const MARGIN_MS = 300_000;
const POLL_MS = 200;
/** How much longer than one call a turn lasts. */
const TURN_SLACK_MS = 5_000;
const TOKEN_CHARS_MAX = 2_048;
/** Whatever a platform says, a token is asked for again some day. */
const LIFE_S_MAX = 86_400;

/** Who asks for a token, and where. */
export interface TokenHolder {
  /** Names the platform, whatever its address is at this moment. */
  readonly box: string;
  readonly platformUrl: string;
  readonly appid: string;
  readonly secret: string;
}

interface Parts {
  readonly store: TokensStore;
  readonly wire: PlatformWire;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  readonly callMs: number;
}

interface Grant {
  readonly token: string;
  readonly lifeMs: number;
}

function sumOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function readGrant({ access_token, expires_in }: JsonRecord): Grant | undefined {
  const seconds = Number(expires_in);
  if (typeof access_token !== "string" || access_token === "") return undefined;
  if (access_token.length > TOKEN_CHARS_MAX || !(seconds > 0)) return undefined;
  return { token: access_token, lifeMs: Math.floor(Math.min(seconds, LIFE_S_MAX) * 1000) };
}

/**
 * Access tokens, one for each public account, shared by all processes through the database. Only
 * one of them fetches at a time, and always the stable kind: it leaves the tokens of others alone.
 */
export class Tokens {
  readonly #parts: Parts;
  readonly #running = new Map<string, Promise<Reply<string>>>();
  /** A secret of ours in the sum, so that stored sums do not help to guess an AppSecret. */
  readonly #sumKey: string;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#sumKey = parts.vault.derive("draft-tokens");
  }

  /** The token that is stored and still good, or a new one. */
  async get(holder: TokenHolder): Promise<Reply<string>> {
    const key = this.#keyOf(holder);
    const name = JSON.stringify(key);
    const running = this.#running.get(name);
    if (running) return running;
    const mine = this.#find(holder, key).finally(() => this.#running.delete(name));
    this.#running.set(name, mine);
    return mine;
  }

  /** The platform refused this token. Whoever has fetched a newer one meanwhile keeps it. */
  async drop(holder: TokenHolder, token: string): Promise<void> {
    await this.#parts.store.drop(this.#keyOf(holder), sumOf(token));
  }

  /** Asks the platform now, whatever is stored; the stable kind gives the same token again. */
  ask(holder: TokenHolder): Promise<Reply<Grant>> {
    const { platformUrl, appid, secret } = holder;
    return this.#parts.wire.call({
      platformUrl,
      path: "/cgi-bin/stable_token",
      json: { grant_type: "client_credential", appid, secret },
      secrets: [secret],
      read: readGrant,
    });
  }

  #keyOf({ box, appid, secret }: TokenHolder): TokenKey {
    const secretSum = createHmac("sha256", this.#sumKey).update(secret).digest("hex");
    return { box, appid, secretSum };
  }

  async #find(holder: TokenHolder, key: TokenKey): Promise<Reply<string>> {
    const { store, clock, sleep, callMs } = this.#parts;
    const owner = newId("tok_");
    const turnMs = callMs + TURN_SLACK_MS;
    const giveUpAtMs = clock() + 2 * turnMs;
    for (;;) {
      const stored = await this.#stored(key);
      if (stored) return stored;
      const nowMs = clock();
      if (await store.takeTurn(key, owner, nowMs, nowMs + turnMs)) {
        return this.#fetch(holder, key, owner);
      }
      if (clock() >= giveUpAtMs) {
        return { kind: "unknown", reason: "no token was had in time.", sent: false };
      }
      await sleep(POLL_MS);
    }
  }

  async #stored(key: TokenKey): Promise<Reply<string> | undefined> {
    const { store, vault, clock } = this.#parts;
    const stored = await store.find(key);
    if (!stored || stored.refreshAtMs <= clock()) return undefined;
    return { kind: "ok", value: vault.open(stored.sealed), platformTimeMs: undefined };
  }

  async #fetch(holder: TokenHolder, key: TokenKey, owner: string): Promise<Reply<string>> {
    const { store, vault, clock } = this.#parts;
    const askedAtMs = clock();
    const reply = await this.ask(holder);
    if (reply.kind !== "ok") {
      await store.endTurn(key, owner);
      return reply;
    }
    const { token, lifeMs } = reply.value;
    // What is left of a stable token may be less than the margin.
    const refreshAtMs = askedAtMs + lifeMs - Math.min(MARGIN_MS, Math.floor(lifeMs / 2));
    const stored: StoredToken = { sealed: vault.seal(token), sum: sumOf(token), refreshAtMs };
    await store.save(key, owner, stored);
    return { ...reply, value: token };
  }
}
