import { useState } from "react";
import type { Endpoint } from "./answer.ts";

/** What stands in the playground's fields, as it was typed. */
export interface PlaygroundSettings {
  /** Empty until one was chosen. */
  readonly model: string;
  readonly endpoint: Endpoint;
  readonly instructions: string;
  readonly temperature: string;
  readonly maxOutput: string;
  /** The message that is being written. */
  readonly prompt: string;
}

const NO_SETTINGS: PlaygroundSettings = {
  model: "",
  endpoint: "responses",
  instructions: "",
  temperature: "",
  maxOutput: "",
  prompt: "",
};

/** Of this tab, by person and account: they are there again when somebody comes back from another page. */
const kept = new Map<string, PlaygroundSettings>();

export function useKeptSettings(
  person: string,
  account: string,
): readonly [PlaygroundSettings, (changes: Partial<PlaygroundSettings>) => void] {
  const [, redraw] = useState(0);
  const name = `${person} ${account}`;
  const sending = kept.get(name) ?? NO_SETTINGS;
  const change = (changes: Partial<PlaygroundSettings>) => {
    kept.set(name, { ...(kept.get(name) ?? NO_SETTINGS), ...changes });
    redraw((count) => count + 1);
  };
  return [sending, change];
}
