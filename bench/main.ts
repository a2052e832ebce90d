// How a bench is run as a program: its options, what it may run on, its children ended however it ends.
import { Children } from "./children.ts";

export const say = (words: string): void => console.error(`bench: ${words}`);

interface Bench<Options> {
  readonly usage: string;
  readOptions(args: readonly string[]): Options;
  run(options: Options, children: Children): Promise<void>;
  /** What else has to be ended with the process. */
  atExit?(): void;
}

const ENDED_BY = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;

const wordsOf = (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown));

/** The exit code: 0 with a report, 1 without, 2 where nothing was tried. */
export async function runBench<Options>(bench: Bench<Options>): Promise<number> {
  let options: Options;
  try {
    options = bench.readOptions(Bun.argv.slice(2));
  } catch (thrown) {
    say(`${wordsOf(thrown)}\n${bench.usage}`);
    return 2;
  }
  if (process.platform !== "linux") {
    say("processor time and memory are read from /proc, so this runs on Linux only");
    return 2;
  }
  const children = new Children();
  process.on("exit", () => {
    bench.atExit?.();
    children.killAll();
  });
  for (const [signal, code] of ENDED_BY) process.on(signal, () => process.exit(code));
  try {
    await bench.run(options, children);
    return 0;
  } catch (thrown) {
    say(`no report: ${wordsOf(thrown)}`);
    return 1;
  }
}
