import { run } from "./run.ts";
import { end, outliveReaders } from "./terminal/ending.ts";

/** What Bun reads only before it starts; `bin/bun.mjs` has the same. */
const AT_START: Readonly<Record<string, string>> = {
  /** More outbound requests at once than Bun's default of 256. */
  BUN_CONFIG_MAX_HTTP_REQUESTS: "65336",
  /** So many milliseconds between looks for memory to give back: one after the other took 3 % of what a request costs. */
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: "5000",
};

/** Starts this process again, under the same pid, with what is not set. */
function startWithAll(): void {
  if (Object.keys(AT_START).every((name) => process.env[name] !== undefined)) return;
  const env = { ...AT_START, ...process.env };
  const execve = (process as { execve?: (file: string, args: string[], env: object) => void })
    .execve;
  execve?.call(process, process.execPath, [process.execPath, ...process.argv.slice(1)], env);
}

startWithAll();
outliveReaders();
await end(await run(process.argv.slice(2), process.env));
