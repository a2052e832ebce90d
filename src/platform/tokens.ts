import { createHash, randomBytes } from "node:crypto";
import { type Clock, hasCome } from "../lib/clock.ts";
import { openedBy, type Vault } from "../lib/secrets/vault.ts";
import { PlatformError } from "./platform-error.ts";
import type { Quotas } from "./tables/quotas.ts";
import type { KeptToken, TokenRows } from "./tables/tokens.ts";

interface TokensParts {
  readonly store: TokenRows;
  readonly quotas: Quotas;
  readonly vault: Vault;
  readonly clock: Clock;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresInS: number;
}

interface IssuedAuthorization extends IssuedToken {
  readonly refreshToken: string;
}

const LIFE_MS = 7_200_000;
/** How long an old token lives beside a new one, and how long before its end one is renewed. */
const OVERLAP_MS = 300_000;
const FORCE_GAP_MS = 30_000;
/** A refresh token has no end of its own. */
const REFRESH_LIFE_MS = 10 * 365 * 86_400_000;
/** How long an ended token is told from one that never was, and how often old ones are removed. */
const KEEP_MS = 7 * 86_400_000;
const TIDY_MS = 3_600_000;
const WELL_FORMED = /^[\w.-]{1,512}$/;

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** A token looks like the platform's: a small number, then about 130 characters. */
export function newTokenText(): string {
  const [number = 0, ...rest] = randomBytes(97);
  return `${(number % 99) + 1}_${Buffer.from(rest).toString("base64url")}`;
}

/** Whether a newer token has ended this one. Only a normal one lives on for a while. */
function isSuperseded({ kind, supersededAtMs }: KeptToken, nowMs: number): boolean {
  if (supersededAtMs === undefined) return false;
  return kind !== "normal" || hasCome(supersededAtMs + OVERLAP_MS, nowMs, OVERLAP_MS);
}

/** The credentials of calls. All instances share them through the database. */
export class Tokens {
  readonly #parts: TokensParts;
  #tidiedAtMs = 0;

  constructor(parts: TokensParts) {
    this.#parts = parts;
  }

  /** A new token each time, which takes the place of the one before. */
  async issue(appid: string): Promise<IssuedToken> {
    const { text, token } = this.#make(appid, "normal");
    await this.#parts.store.supersede(token);
    await this.#tidy(token.createdAtMs);
    return { token: text, expiresInS: LIFE_MS / 1000 };
  }

  /** The same token until shortly before its end; a new one at once only by force. */
  async stable(appid: string, force: boolean): Promise<IssuedToken> {
    const { store, vault, clock, quotas } = this.#parts;
    const nowMs = clock();
    await this.#tidy(nowMs);
    const { token: current, forcedAtMs } = await store.newestStable(appid);
    if (force) {
      if (forcedAtMs !== undefined && !hasCome(forcedAtMs + FORCE_GAP_MS, nowMs, FORCE_GAP_MS)) {
        throw new PlatformError(45011);
      }
      if (!(await quotas.count(appid, "stable_token_force", nowMs))) throw new PlatformError(45009);
    }
    const kept =
      current && !force && this.#isFresh(current, nowMs)
        ? current
        : await store.addStable(this.#make(appid, "stable", { force }).token, current?.hash);
    const expiresInS = Math.max(1, Math.floor((kept.expiresAtMs - nowMs) / 1000));
    return { token: vault.open(kept.sealed), expiresInS };
  }

  /** What a third party holds once an account has authorised it with some permission sets. */
  async authorize(appid: string, sets: readonly number[]): Promise<IssuedAuthorization> {
    const refresh = this.#make(appid, "refresh", { sets, lifeMs: REFRESH_LIFE_MS });
    await this.#parts.store.add(refresh.token);
    const issued = await this.#add(appid, "third-party", sets);
    return { ...issued, refreshToken: refresh.text };
  }

  /** Another token for a third party that has been authorised before. */
  async refresh(appid: string, refreshToken: string): Promise<IssuedToken> {
    const kept = await this.#parts.store.find(hashOf(refreshToken));
    if (kept?.kind !== "refresh" || kept.appid !== appid) throw new PlatformError(61023);
    return this.#add(appid, "third-party", kept.sets);
  }

  /** The token of a call from the platform's own cloud, which no endpoint here takes. */
  cloud(appid: string): Promise<IssuedToken> {
    return this.#add(appid, "cloud", []);
  }

  /** Whose a token is and what it allows; refused when it is none of ours, or no longer good. */
  async check(text: string): Promise<KeptToken> {
    if (text === "") throw new PlatformError(41001);
    if (!WELL_FORMED.test(text)) throw new PlatformError(40014);
    const kept = await this.#parts.store.find(hashOf(text));
    const nowMs = this.#parts.clock();
    if (kept === undefined || kept.kind === "refresh") throw new PlatformError(40001);
    if (isSuperseded(kept, nowMs)) throw new PlatformError(40001);
    if (hasCome(kept.expiresAtMs, nowMs, LIFE_MS)) throw new PlatformError(42001);
    return kept;
  }

  /** Whether a stable token can be given once more. */
  #isFresh({ sealed, expiresAtMs }: KeptToken, nowMs: number): boolean {
    const leftMs = expiresAtMs - nowMs;
    // More is left of one only that was made before a clock was set back.
    if (leftMs <= OVERLAP_MS || leftMs > LIFE_MS) return false;
    return openedBy(this.#parts.vault, sealed) !== undefined;
  }

  async #add(
    appid: string,
    kind: KeptToken["kind"],
    sets: readonly number[],
  ): Promise<IssuedToken> {
    const { text, token } = this.#make(appid, kind, { sets });
    await this.#parts.store.add(token);
    return { token: text, expiresInS: LIFE_MS / 1000 };
  }

  async #tidy(nowMs: number): Promise<void> {
    if (!hasCome(this.#tidiedAtMs + TIDY_MS, nowMs, TIDY_MS)) return;
    this.#tidiedAtMs = nowMs;
    await this.#parts.store.removeExpired(nowMs - KEEP_MS);
  }

  #make(
    appid: string,
    kind: KeptToken["kind"],
    more: { sets?: readonly number[]; lifeMs?: number; force?: boolean } = {},
  ): { readonly text: string; readonly token: KeptToken } {
    const { vault, clock } = this.#parts;
    const text = newTokenText();
    const createdAtMs = clock();
    const token: KeptToken = {
      hash: hashOf(text),
      sealed: vault.seal(text),
      appid,
      kind,
      sets: more.sets ?? [],
      createdAtMs,
      expiresAtMs: createdAtMs + (more.lifeMs ?? LIFE_MS),
      supersededAtMs: undefined,
      forced: more.force ?? false,
    };
    return { text, token };
  }
}
