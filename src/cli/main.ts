import { run } from "./run.ts";
import { end, outliveReaders } from "./terminal/ending.ts";

/** More outbound requests at once than Bun's default of 256; read by Bun only before it starts. */
const MAX_HTTP_REQUESTS = "65336";

/** Starts this process again, under the same pid, with what Bun reads only at its start. */
function raiseRequestLimit(): void {
  if (process.env.BUN_CONFIG_MAX_HTTP_REQUESTS !== undefined) return;
  const env = { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: MAX_HTTP_REQUESTS };
  const execve = (process as { execve?: (file: string, args: string[], env: object) => void })
    .execve;
  execve?.call(process, process.execPath, [process.execPath, ...process.argv.slice(1)], env);
}

raiseRequestLimit();
outliveReaders();
await end(await run(process.argv.slice(2), process.env));
