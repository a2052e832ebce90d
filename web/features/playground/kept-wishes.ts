import { useState } from "react";
import type { Endpoint } from "./answer.ts";

/** What stands in the playground's fields, as it was typed. */
export interface PlaygroundWishes {
  /** Empty until one was chosen. */
  readonly model: string;
  readonly endpoint: Endpoint;
  readonly instructions: string;
  readonly temperature: string;
  readonly maxOutput: string;
  /** The message that is being written. */
  readonly prompt: string;
}

const NO_WISHES: PlaygroundWishes = {
  model: "",
  endpoint: "responses",
  instructions: "",
  temperature: "",
  maxOutput: "",
  prompt: "",
};

/** Of this tab, by person and account: they are there again when somebody comes back from another page. */
const kept = new Map<string, PlaygroundWishes>();

export function useKeptWishes(
  person: string,
  account: string,
): readonly [PlaygroundWishes, (changes: Partial<PlaygroundWishes>) => void] {
  const [, redraw] = useState(0);
  const name = `${person} ${account}`;
  const wishes = kept.get(name) ?? NO_WISHES;
  const change = (changes: Partial<PlaygroundWishes>) => {
    kept.set(name, { ...(kept.get(name) ?? NO_WISHES), ...changes });
    redraw((count) => count + 1);
  };
  return [wishes, change];
}
