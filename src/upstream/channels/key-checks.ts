import { systemClock } from "../../lib/clock.ts";
import type { Channel } from "./channels.ts";
import { forOperators, type VendorKey } from "./credentials.ts";

/** What a vendor says to one cheap call with one key. */
export interface KeyCheck {
  readonly channel: string;
  readonly vendor: string;
  /** Its last four characters; empty where it is too short to show any, or there is none. */
  readonly lastFour: string;
  readonly word: "taken" | "refused" | "limited" | "failing" | "unreachable" | "unasked";
  /** 0 where there was no answer. */
  readonly status: number;
  /** Why there was none. */
  readonly reason: string;
  /** What its clock said, where it told. */
  readonly theirMs: number | undefined;
  readonly askedMs: number;
  readonly answeredMs: number;
}

/** Of a vendor without a list, as some servers are. */
const UNLISTED = [404, 405, 501];
const TOO_MANY = 429;

function wordOf(status: number): KeyCheck["word"] {
  if (status === 200) return "taken";
  if (UNLISTED.includes(status)) return "unasked";
  if (status === TOO_MANY) return "limited";
  return status >= 400 && status < 500 ? "refused" : "failing";
}

async function ask(channel: Channel, key: VendorKey, withinMs: number): Promise<KeyCheck> {
  const askedMs = systemClock();
  const known = { channel: channel.id, vendor: channel.vendor, lastFour: key.lastFour, askedMs };
  const silent = { ...known, status: 0, reason: "", theirMs: undefined, answeredMs: askedMs };
  if (!channel.list) return { ...silent, word: "unasked" };
  try {
    const response = await channel.list(key, AbortSignal.timeout(withinMs));
    await response.body?.cancel();
    const { status, headers } = response;
    const date = Date.parse(headers.get("date") ?? "");
    const theirMs = Number.isNaN(date) ? undefined : date;
    return { ...silent, word: wordOf(status), status, theirMs, answeredMs: systemClock() };
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return { ...silent, word: "unreachable", reason: forOperators(key.hide(reason)) };
  }
}

/** Asks for the list of models with each key of each channel, which costs nothing. */
export function checkKeys(channels: readonly Channel[], withinMs: number): Promise<KeyCheck[]> {
  return Promise.all(
    channels.flatMap((channel) => channel.keys.map((key) => ask(channel, key, withinMs))),
  );
}
