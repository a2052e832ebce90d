import { WECHAT_ERRORS } from "../../wechat/errors.ts";
import type { PlatformError } from "../platform-error.ts";

const HINT_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

/** Refused before a call reached what it was for: these messages have no hint. */
const UNHINTED = new Set([
  -1, 40001, 40002, 40013, 40014, 40066, 40125, 40164, 40243, 41001, 41002, 41004, 42001, 43001,
  43002, 44002, 45009, 45011, 45106, 48001, 48004, 48006, 50002, 50004, 50007, 61004, 61006, 61007,
  61023, 76001, 76002, 76003, 76004, 76021, 76022,
]);

/** The shape of a request's id; the first group is the second of its call. */
export const RID = /^([0-9a-f]{8})-[0-9a-f]{8}-[0-9a-f]{8}$/;

function randomUnits(count: number): Uint32Array {
  return crypto.getRandomValues(new Uint32Array(count));
}

let lastSecond = 0;
let lastPlace = 0;

/** Calls of one second are counted up from anywhere, so that the later of two has the greater id. */
function placeWithin(second: number): number {
  const [chance = 0] = randomUnits(1);
  lastPlace = second === lastSecond ? lastPlace + 1 : chance >>> 1;
  lastSecond = second;
  return lastPlace;
}

const hex = (value: number) => value.toString(16).padStart(8, "0");

export function newRid(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  return [second, placeWithin(second), ...randomUnits(1)].map(hex).join("-");
}

function newHint(): string {
  const units = [...randomUnits(8)];
  const letters = units.slice(0, 6).map((unit) => HINT_CHARS[unit % HINT_CHARS.length]);
  const digits = String((units[6] ?? 0) % 1_000_000).padStart(6, "0");
  return `${letters.join("")}${digits}-${(units[7] ?? 0) % 2}`;
}

/** A refusal in the platform's words: the message, a hint where it has one, the request's id. */
export function refusalText({ errcode, text: own }: PlatformError, rid: string): string {
  const text = own ?? WECHAT_ERRORS[errcode]?.errmsg ?? "unknown error";
  const hint = UNHINTED.has(errcode) ? "" : ` hint: [${newHint()}]`;
  return `${text}${hint} rid: ${rid}`;
}
