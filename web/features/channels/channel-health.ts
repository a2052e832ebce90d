import type { Channel } from "../../../src/console/operator/contract/channels.ts";
import type { Tone } from "../../ui/badge.tsx";

type Shown = Channel["state"] | "quota" | "rate" | "off";

type Health = Pick<Channel, "state" | "enabled"> & { readonly reason?: Channel["reason"] };

/** The state that an operator sees: off where it is switched off, and what it is cooled for. */
export function shownState({ state, reason, enabled }: Health): Shown {
  if (state !== "broken" && !enabled) return "off";
  if (state === "cooled" && (reason === "quota" || reason === "rate")) return reason;
  return state;
}

export const STATE_TONES: Readonly<Record<Shown, Tone>> = {
  untried: "neutral",
  failing: "bad",
  ok: "good",
  cooled: "warn",
  quota: "bad",
  rate: "warn",
  trial: "warn",
  refused: "bad",
  broken: "bad",
  off: "neutral",
};

/** Keys that are not used at the moment, while the channel is. */
export function keysAway({ keys }: Pick<Channel, "keys">): number {
  return keys.filter(({ state }) => state !== "ok").length;
}

/** Whether a person has to do something, since mostly nothing else brings it back. */
export function needsSomebody(channel: Health): boolean {
  const state = shownState(channel);
  return ["refused", "broken", "failing", "quota"].includes(state);
}

/** The vendor's exact words, or what keeps the channel from being opened. */
export function exactError(channel: Pick<Channel, "problem" | "keys" | "last_error">) {
  const refused = channel.keys.find(({ state, message }) => state === "refused" && message);
  return channel.problem ?? refused?.message ?? channel.last_error?.message ?? null;
}
