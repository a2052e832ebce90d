import { createInterface } from "node:readline";

/** Somebody who can be asked. */
export interface Terminal {
  /** The answer without white space around it; undefined where they end the input instead. */
  ask(question: string): Promise<string | undefined>;
}

/**
 * Whoever sits at the terminal; undefined where nobody does. Questions are put on standard error: standard
 * output is for what the command answers. One reader serves all questions, since it may have read ahead.
 */
export function terminal(): Terminal | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  return {
    async ask(question) {
      process.stderr.write(question);
      const { value, done } = await lines.next();
      return done ? undefined : value.trim();
    },
  };
}
