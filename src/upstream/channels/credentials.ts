import type { Limits } from "../../config/config.ts";
import { Fault } from "../../lib/faults.ts";
import { redact, withoutSecret } from "../../lib/secrets/secrets.ts";
import { ErrorInside } from "../../protocols/faults.ts";

/** Shorter keys would be given away by their last four characters. */
const SHOWN_FROM_CHARS = 12;
const MESSAGE_CHARS_MAX = 500;

/** Faults whose sentences are a vendor's words. */
const QUOTING: readonly string[] = ["upstream_rejected", "context_length_exceeded"];

/** A value with one word in front of it, as `Bearer` stands before what is secret. */
const BEHIND_SCHEME = /^[\w-]+\s+(\S+)$/;

/** What of a header's value nobody is to read: all of it, and what stands behind its scheme. */
function secretsIn(value: string): readonly string[] {
  const [, behind] = BEHIND_SCHEME.exec(value.trim()) ?? [];
  return behind === undefined ? [value.trim()] : [value.trim(), behind];
}

/**
 * A vendor's key, with the headers that the operator has sent beside it, which are kept as secret.
 * Nothing prints it by accident; `reveal` is for the header it is sent in.
 */
export class VendorKey {
  readonly #text: string;
  /** The longest first, since one may be a part of another. */
  readonly #hidden: readonly string[];

  constructor(text: string, headers: Readonly<Record<string, string>> = {}) {
    this.#text = text;
    const all = [text, ...Object.values(headers).flatMap(secretsIn)];
    this.#hidden = all.sort((a, b) => b.length - a.length);
  }

  /** Servers without authentication have an empty one. */
  get empty(): boolean {
    return this.#text === "";
  }

  reveal(): string {
    return this.#text;
  }

  /** Whether the same is sent: with other headers, a vendor may judge the same text otherwise. */
  equals(other: VendorKey): boolean {
    return this.#text === other.#text && Bun.deepEquals(this.#hidden, other.#hidden);
  }

  /** Tells this key from others without giving it away. */
  get name(): string {
    return new Bun.CryptoHasher("sha256")
      .update(this.#hidden.join("\n"))
      .digest("hex")
      .slice(0, 32);
  }

  get lastFour(): string {
    return this.#text.length < SHOWN_FROM_CHARS ? "" : this.#text.slice(-4);
  }

  /** The text without this key and its headers, wherever somebody has quoted them. */
  hide(text: string): string {
    return this.#hidden.reduce((clean, secret) => withoutSecret(clean, secret), text);
  }

  /**
   * What is written in JSON, without this key and its headers in any of its strings. Throws for what is no
   * JSON. Not in the text: a header may be a word like `true`, and signs may be written as numbers there.
   */
  parse(text: string): unknown {
    return JSON.parse(text, (_name, value) =>
      typeof value === "string" ? this.hide(value) : value,
    );
  }

  /**
   * The fault without this key: vendors quote it in errors that come with a 200, too. Sentences of our
   * own hold no key, though they may hold a word that is one.
   */
  hideIn(fault: Fault): Fault {
    const { cause } = fault;
    const message = QUOTING.includes(fault.fault) ? this.hide(fault.message) : fault.message;
    const hidden = cause instanceof Error ? this.#hideInCause(cause) : undefined;
    if (message === fault.message && (hidden === cause || hidden === undefined)) return fault;
    return new Fault(fault.fault, message, {
      param: fault.param ?? undefined,
      headers: fault.headers,
      cause: hidden,
    });
  }

  #hideInCause(cause: Error): Error {
    if (cause instanceof ErrorInside) return cause.with((text) => this.hide(text));
    const said = `${cause.message}\n${cause.stack}`;
    return this.hide(said) === said ? cause : new Error(this.hide(cause.message));
  }

  toJSON(): string {
    return `…${this.lastFour}`;
  }
}

/** What operators may read of a vendor's words: short, and without anything that looks like a key. */
export function forOperators(message: string): string {
  return redact(message).slice(0, MESSAGE_CHARS_MAX);
}

export interface CredentialStatus {
  readonly lastFour: string;
  readonly state: "ok" | "cooled" | "refused";
  /** When it is tried again: by the next request, or if it is refused by a probe. */
  readonly cooledUntilMs: number | undefined;
  /** Why the vendor refuses it, in its own words. */
  readonly message: string | undefined;
  /** The vendor says that the key's quota is used up. */
  readonly exhausted: boolean;
}

/** The state of a key that outlives its process. Times are of the clock that the channel goes by. */
export interface KeptCredential {
  readonly name: string;
  readonly refusedFor: string | null;
  readonly refusals: number;
  readonly probeAtMs: number;
  readonly cooledUntilMs: number;
  readonly exhausted: boolean;
}

/** How long a refused key is left alone, at first and at most. */
type ProbePauses = Pick<Limits, "credential_probe_ms" | "credential_probe_ms_max">;

/** One key and how the vendor takes it. Rates are limited by model, so cooling mostly is too. */
export class Credential {
  readonly key: VendorKey;
  #refusedFor: string | undefined;
  /** How often it was refused since it last worked. */
  #refusals = 0;
  #probeAtMs = 0;
  #cooledUntilMs = 0;
  #exhausted = false;
  readonly #modelsCooledUntilMs = new Map<string, number>();

  constructor(key: VendorKey) {
    this.key = key;
  }

  get refused(): boolean {
    return this.#refusedFor !== undefined;
  }

  /**
   * The vendor does not take the key: out until somebody says otherwise, or a probe finds that it is
   * taken. Each time that proves wrong the next probe is twice as far away.
   */
  refuse(message: string, nowMs: number, limits: ProbePauses): void {
    if (!this.refused) this.#refusals += 1;
    this.#refusedFor = message;
    this.#rest(nowMs, limits);
  }

  /** A probe is on its way. If it comes back with nothing, the next one is as far away as this one was. */
  asked(nowMs: number, limits: ProbePauses): void {
    this.#rest(nowMs, limits);
  }

  /** A probe found that the key is still refused, unless somebody has revived it in the meantime. */
  stillRefused(nowMs: number, limits: ProbePauses): void {
    if (!this.refused) return;
    this.#refusals += 1;
    this.#rest(nowMs, limits);
  }

  #rest(nowMs: number, { credential_probe_ms, credential_probe_ms_max }: ProbePauses): void {
    const pauseMs = credential_probe_ms * 2 ** (this.#refusals - 1);
    this.#probeAtMs = nowMs + Math.min(pauseMs, credential_probe_ms_max);
  }

  /** Whether it is refused and it is time to ask whether it still is. */
  probeDue(nowMs: number): boolean {
    return this.refused && this.#probeAtMs <= nowMs;
  }

  /** A probe found that the key is taken. The next request will tell whether it is for good. */
  readmit(): void {
    this.#refusedFor = undefined;
  }

  /** The vendor has answered a request with it. */
  worked(): void {
    this.#refusals = 0;
    this.#exhausted = false;
  }

  /** The vendor says that its quota is used up. */
  exhaust(): void {
    this.#exhausted = true;
  }

  kept(): KeptCredential {
    return {
      name: this.key.name,
      refusedFor: this.#refusedFor ?? null,
      refusals: this.#refusals,
      probeAtMs: this.#probeAtMs,
      cooledUntilMs: this.#cooledUntilMs,
      exhausted: this.#exhausted,
    };
  }

  /** Takes over the state that an earlier process kept. */
  recall(kept: KeptCredential): void {
    this.#refusedFor = kept.refusedFor ?? undefined;
    this.#refusals = kept.refusals;
    this.#probeAtMs = kept.probeAtMs;
    this.#cooledUntilMs = kept.cooledUntilMs;
    this.#exhausted = kept.exhausted;
  }

  /** Whoever runs the channel says that the key can be tried again, at once. */
  revive(): void {
    this.#refusedFor = undefined;
    this.#refusals = 0;
    this.#cooledUntilMs = 0;
    this.#exhausted = false;
    this.#modelsCooledUntilMs.clear();
  }

  /**
   * No request until then; for one model, or for all where none is named. A later word may be of an earlier
   * request, so it ends no rest that goes on for longer.
   */
  cool(untilMs: number, model?: string): void {
    if (model === undefined) {
      this.#cooledUntilMs = Math.max(this.#cooledUntilMs, untilMs);
      return;
    }
    const knownMs = this.#modelsCooledUntilMs.get(model) ?? 0;
    this.#modelsCooledUntilMs.set(model, Math.max(knownMs, untilMs));
  }

  /** When it can be used for the model: a moment that is past, one to come, or never. */
  usableAtMs(model: string): number {
    if (this.#refusedFor !== undefined) return Number.POSITIVE_INFINITY;
    if (this.#modelsCooledUntilMs.size === 0) return this.#cooledUntilMs;
    return Math.max(this.#cooledUntilMs, this.#modelsCooledUntilMs.get(model) ?? 0);
  }

  isUsable(model: string, nowMs: number): boolean {
    return this.usableAtMs(model) <= nowMs;
  }

  status(nowMs: number): CredentialStatus {
    const until = Math.max(this.#cooledUntilMs, ...this.#modelsCooledUntilMs.values());
    const cooled = until > nowMs;
    const againAtMs = this.refused ? this.#probeAtMs : until;
    return {
      lastFour: this.key.lastFour,
      state: this.refused ? "refused" : cooled ? "cooled" : "ok",
      cooledUntilMs: cooled || this.refused ? againAtMs : undefined,
      message: this.#refusedFor,
      exhausted: cooled && this.#exhausted,
    };
  }
}

/** The keys of a channel, used in turn. */
export class Credentials {
  readonly all: readonly Credential[];
  readonly #limits: Limits;
  #next = 0;

  /** A key that the channel had before goes on as it was. */
  constructor(keys: readonly VendorKey[], limits: Limits, former?: Credentials) {
    const known = former?.all ?? [];
    this.all = keys.map(
      (key) => known.find((credential) => credential.key.equals(key)) ?? new Credential(key),
    );
    this.#limits = limits;
  }

  /** All of them are refused: the channel is of no use to anybody. */
  get refused(): boolean {
    return this.all.every((credential) => credential.refused);
  }

  /**
   * The next one that can be used now and has not been tried, the preferred one first. What is preferred
   * may be of former keys, which the channel no longer has or had at another place: that is never used.
   */
  pick(
    model: string,
    nowMs: number,
    tried: readonly Credential[],
    preferred?: Credential,
  ): Credential | undefined {
    if (
      preferred &&
      this.all.includes(preferred) &&
      preferred.isUsable(model, nowMs) &&
      !tried.includes(preferred)
    ) {
      return preferred;
    }
    const { length } = this.all;
    for (let step = 0; step < length; step++) {
      const at = (this.#next + step) % length;
      const credential = this.all[at];
      if (!credential?.isUsable(model, nowMs) || tried.includes(credential)) continue;
      this.#next = at + 1;
      return credential;
    }
    return undefined;
  }

  /** The vendor does not take a key. */
  refuse(credential: Credential, message: string, nowMs: number): void {
    credential.refuse(message, nowMs, this.#limits);
  }

  has(model: string, nowMs: number, tried: readonly Credential[]): boolean {
    for (const credential of this.all) {
      if (credential.isUsable(model, nowMs) && !tried.includes(credential)) return true;
    }
    return false;
  }

  /** When the first of them can be used for the model again. */
  usableAtMs(model: string): number {
    return Math.min(...this.all.map((credential) => credential.usableAtMs(model)));
  }

  /** The vendor said too many: for as long as it says, within bounds. */
  limited(
    credential: Credential,
    nowMs: number,
    retryAfterMs: number | undefined,
    model?: string,
  ): void {
    const { credential_cooldown_ms, credential_cooldown_ms_max } = this.#limits;
    const wait = Math.min(retryAfterMs ?? credential_cooldown_ms, credential_cooldown_ms_max);
    credential.cool(nowMs + wait, model);
  }
}
