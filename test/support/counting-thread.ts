// A thread that counts, for the tests of the port to one.
import { serveMethods } from "../../src/lib/threads/worker-port.ts";

export interface CountSettings {
  readonly start: number;
}

interface Counter {
  add(more: number, times: number): number;
  say(text: string): string;
  refuse(): never;
  die(): void;
}

export type CountTargets = readonly [Counter];

serveMethods<CountSettings, CountTargets>(({ start }) => {
  if (start < 0) throw new Error("counts from zero on");
  let sum = start;
  const counter: Counter = {
    add: (more, times) => (sum += more * times),
    say: (text) => `${text} ${sum}`,
    refuse() {
      throw new Error("will not count that");
    },
    die: () => process.exit(1),
  };
  return { targets: [counter], close() {} };
});
