import type { NanoUsd } from "../catalogue/money.ts";

/** Letters and digits that are not mistaken for one another when read from paper. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 18 characters of 32 are 90 bits: nobody guesses one of any number of codes. */
const RANDOM_CHARS = 18;
const CHECK_CHARS = 2;
const WHOLE_CHARS = RANDOM_CHARS + CHECK_CHARS;
const GROUP_CHARS = 5;
const PREFIX = "FG";

export interface Batch {
  readonly id: string;
  readonly amount: NanoUsd;
  readonly note: string;
  readonly expiresAtMs: number | null;
  readonly createdAtMs: number;
  readonly codes: number;
  readonly redeemed: number;
  readonly revoked: number;
}

export interface NewCode {
  readonly id: string;
  readonly hash: string;
  readonly lastFour: string;
}

/** The code itself is never stored. */
export interface Code extends Omit<NewCode, "hash"> {
  readonly batchId: string;
  readonly amount: NanoUsd;
  readonly expiresAtMs: number | null;
  /** The account that has its credit, under the code's id in the ledger. */
  readonly redeemedBy: string | null;
  /** Who typed it there, in words; null where that was not kept yet. */
  readonly redeemedPerson: string | null;
  readonly redeemedAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly credited: boolean;
}

export const CODE_STATES = ["unused", "redeemed", "revoked"] as const;
export type CodeStateName = (typeof CODE_STATES)[number];

/** A code as the operator sees it afterwards. */
export type CodeState = Pick<
  Code,
  "id" | "lastFour" | "revokedAtMs" | (`redeemed${string}` & keyof Code)
>;

export function stateOf({ redeemedAtMs, revokedAtMs }: CodeState): CodeStateName {
  if (redeemedAtMs !== null) return "redeemed";
  return revokedAtMs === null ? "unused" : "revoked";
}

function digest(text: string): Buffer {
  return new Bun.CryptoHasher("sha256").update(text).digest();
}

function checkChars(body: string): string {
  const bytes = digest(`check ${body}`).subarray(0, CHECK_CHARS);
  return Array.from(bytes, (byte) => ALPHABET[byte & 31]).join("");
}

/** `FG-XXXXX-XXXXX-XXXXX-XXXXX`, the last two characters a checksum. */
export function newCodeText(): string {
  const random = crypto.getRandomValues(new Uint8Array(RANDOM_CHARS));
  const body = Array.from(random, (byte) => ALPHABET[byte & 31]).join("");
  const whole = body + checkChars(body);
  const groups = whole.match(new RegExp(`.{${GROUP_CHARS}}`, "g")) ?? [];
  return [PREFIX, ...groups].join("-");
}

/** A code as someone typed it, in its one form; undefined when it cannot be a code. */
export function plainCode(typed: string): string | undefined {
  const text = typed.toUpperCase().replace(/[\s-]/g, "");
  // The prefix may be left out, and the rest may begin with the same letters.
  const prefixed = text.length === PREFIX.length + WHOLE_CHARS && text.startsWith(PREFIX);
  const bare = prefixed ? text.slice(PREFIX.length) : text;
  const plain = bare.replace(/O/g, "0").replace(/[IL]/g, "1");
  if (plain.length !== WHOLE_CHARS) return undefined;
  const body = plain.slice(0, RANDOM_CHARS);
  return plain === body + checkChars(body) ? plain : undefined;
}

/** What is stored of a code and what it is found by. */
export function hashCode(plain: string): string {
  return digest(plain).toString("hex");
}
