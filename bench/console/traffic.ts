// Ninety days of traffic, the same for the same seed: a few large accounts and many small ones, of
// which one large one leaves in the middle, and keys that work at some hours of the day, each with a
// few models of its own.
import type { BillingReason } from "../../src/ledger/receipt.ts";

export const DAYS = 90;
const HOUR_MS = 3_600_000;
const MODELS = 12;
const CHANNELS = 4;
const ACCOUNTS = 200;
const KEYS_MAX = 40;
/** Hours of a day in which a key does most of its work. */
const SHIFT_HOURS = 9;
/** The rank of the account that leaves, and when it does. */
const LEAVER = 2;
const LEAVES_AFTER_DAYS = 45;
/** Of good answers, those that cost more than was held for them. */
const OVER_SHARE = 0.005;
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

export interface SeedKey {
  readonly id: string;
  readonly models: readonly string[];
  /** The UTC hour at which its day begins. */
  readonly shift: number;
  used: bigint;
}

export interface SeedAccount {
  readonly id: string;
  readonly keys: readonly SeedKey[];
  used: bigint;
}

export interface SeedReceipt {
  readonly id: string;
  readonly account: SeedAccount;
  readonly key: SeedKey;
  readonly atMs: number;
  readonly model: string;
  readonly status: number;
  readonly reason: BillingReason;
  readonly responseId: string;
  readonly channel: string;
  readonly input: number;
  readonly output: number;
  readonly cost: number;
  readonly held: number;
  readonly durationMs: number;
}

/** Numbers from 0 to 1 that look like chance and are not. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function idAt(prefix: string, ms: number, random: () => number): string {
  let time = "";
  for (let rest = ms, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) {
    time = ALPHABET[rest % 32] + time;
  }
  let chance = "";
  for (let i = 0; i < 4; i++) {
    let bits = (random() * 2 ** 20) | 0;
    for (let j = 0; j < 4; j++, bits >>= 5) chance += ALPHABET[bits & 31];
  }
  return prefix + time + chance;
}

/** The share of the n-th is as small as n is large. */
function pick(random: () => number, sums: readonly number[]): number {
  const at = random() * (sums.at(-1) ?? 0);
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

function shares(count: number): number[] {
  let sum = 0;
  return Array.from({ length: count }, (_, i) => {
    sum += 1 / (i + 1);
    return sum;
  });
}

export class Traffic {
  readonly accounts: readonly SeedAccount[];
  readonly startMs: number;
  /** When the last hour ends. */
  readonly endMs: number;
  readonly #receipts: number;
  readonly #random: () => number;

  constructor(receipts: number, endMs: number) {
    this.#receipts = receipts;
    this.#random = dice(20_261_115);
    this.endMs = Math.floor(endMs / HOUR_MS) * HOUR_MS;
    this.startMs = this.endMs - DAYS * 24 * HOUR_MS;
    this.accounts = Array.from({ length: ACCOUNTS }, (_, i) => this.#account(i));
  }

  #account(rank: number): SeedAccount {
    const bornMs = this.startMs - HOUR_MS + rank;
    const keys = Math.max(2, Math.round(KEYS_MAX / Math.sqrt(rank + 1)));
    return {
      id: idAt("acct_", bornMs, this.#random),
      used: 0n,
      keys: Array.from({ length: keys }, (): SeedKey => {
        const first = Math.floor(this.#random() * MODELS);
        return {
          id: idAt("key_", bornMs, this.#random),
          models: [0, 1, 5].map((step) => `bench-model-${(first + step) % MODELS}`),
          shift: Math.floor(this.#random() * 24),
          used: 0n,
        };
      }),
    };
  }

  /** The account that has long been silent. */
  get left(): SeedAccount {
    return this.accounts[LEAVER] as SeedAccount;
  }

  #accountAt(sums: readonly number[], atMs: number): SeedAccount {
    const rank = pick(this.#random, sums);
    const gone = atMs - this.startMs > LEAVES_AFTER_DAYS * 24 * HOUR_MS;
    return this.accounts[rank === LEAVER && gone ? 0 : rank] as SeedAccount;
  }

  #key({ keys }: SeedAccount, sums: readonly number[], atMs: number): SeedKey {
    const hour = Math.floor(atMs / HOUR_MS) % 24;
    let key = keys[0] as SeedKey;
    for (let tries = 0; tries < 4; tries++) {
      key = keys[pick(this.#random, sums)] as SeedKey;
      const working = (hour - key.shift + 24) % 24 < SHIFT_HOURS;
      if (working || this.#random() < 0.02) break;
    }
    return key;
  }

  /** In the order of time. */
  *receipts(): Generator<SeedReceipt> {
    const random = this.#random;
    const ofAccounts = shares(ACCOUNTS);
    const ofKeys = Array.from({ length: KEYS_MAX + 1 }, (_, i) => shares(i));
    const stepMs = (DAYS * 24 * HOUR_MS) / this.#receipts;
    for (let i = 0; i < this.#receipts; i++) {
      const atMs = Math.floor(this.startMs + i * stepMs);
      const account = this.#accountAt(ofAccounts, atMs);
      const key = this.#key(account, ofKeys[account.keys.length] ?? [], atMs);
      const luck = random();
      const reason = luck < 0.01 ? "refused" : luck < 0.03 ? "upstream_failed" : "completed";
      const good = reason === "completed";
      const choice = random();
      const cost = good ? Math.floor(random() * 5_000_000) : 0;
      const channel = reason === "refused" ? "" : `bench-${Math.floor(random() * CHANNELS)}`;
      account.used += BigInt(cost);
      key.used += BigInt(cost);
      yield {
        id: idAt("req_", atMs, random),
        account,
        key,
        atMs,
        model: key.models[choice < 0.7 ? 0 : choice < 0.9 ? 1 : 2] ?? "",
        status: good ? 200 : reason === "refused" ? 429 : 503,
        reason,
        responseId: idAt("chatcmpl-", atMs, random),
        channel,
        input: good ? 100 + Math.floor(random() * 2_000) : 0,
        output: good ? 10 + Math.floor(random() * 500) : 0,
        cost,
        held: random() < OVER_SHARE ? Math.floor(cost / 2) : cost * 2,
        durationMs: 200 + Math.floor(random() * 3_000),
      };
    }
  }
}
