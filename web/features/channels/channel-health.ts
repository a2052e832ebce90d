import type { Channel } from "../../../src/console/operator/contract/channels.ts";
import type { Tone } from "../../ui/badge.tsx";

type Shown = Channel["state"] | "off";

/** What an operator wants to know first: whether it is switched off, then how it is. */
export function shownState({ state, enabled }: Pick<Channel, "state" | "enabled">): Shown {
  return state === "broken" || enabled ? state : "off";
}

export const STATE_TONES: Readonly<Record<Shown, Tone>> = {
  untried: "neutral",
  failing: "bad",
  ok: "good",
  cooled: "warn",
  trial: "warn",
  refused: "bad",
  broken: "bad",
  off: "neutral",
};

/** Keys that are not used at the moment, while the channel is. */
export function keysAway({ keys }: Pick<Channel, "keys">): number {
  return keys.filter(({ state }) => state !== "ok").length;
}

/** It needs somebody: mostly nothing but a person brings it back. */
export function needsSomebody(channel: Pick<Channel, "state" | "enabled">): boolean {
  const state = shownState(channel);
  return state === "refused" || state === "broken" || state === "failing";
}

/** The vendor's exact words, or what keeps the channel from being opened. */
export function exactError(channel: Pick<Channel, "problem" | "keys" | "last_error">) {
  const refused = channel.keys.find(({ state, message }) => state === "refused" && message);
  return channel.problem ?? refused?.message ?? channel.last_error?.message ?? null;
}
