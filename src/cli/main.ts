import { GATE_RUNTIME, RUNTIME } from "../../bin/runtime.mjs";
import { run } from "./run.ts";
import { end, outliveReaders } from "./terminal/ending.ts";

type Variables = Record<string, string | undefined>;
type Execve = (file: string, args: readonly string[], env: Variables) => void;

const isExecutable = Bun.isStandaloneExecutable;
const args = process.argv.slice(2);

/**
 * The environment with what Bun reads only before it starts; undefined where it is so already. The launcher sets this for
 * scripts. An executable has no launcher, and must not take options for Bun from its environment.
 */
function neededEnvironment(): Variables | undefined {
  const runtime: Variables = isExecutable && args[0] === "serve" ? GATE_RUNTIME : RUNTIME;
  const isRight = Object.keys(runtime).every((name) => process.env[name] !== undefined);
  const hasOptions = isExecutable && process.env.BUN_OPTIONS !== undefined;
  if (isRight && !hasOptions) return undefined;
  const env: Variables = { ...runtime, ...process.env };
  if (isExecutable) delete env.BUN_OPTIONS;
  return env;
}

/** Starts this program again with another environment, under the same pid where the system can do that. */
async function restart(env: Variables): Promise<void> {
  const { execPath } = process;
  const words = isExecutable ? args : process.argv.slice(1);
  const { execve } = process as { execve?: Execve };
  execve?.call(process, execPath, [execPath, ...words], env);
  // Windows has no such call.
  if (!isExecutable) return;
  const stdio = ["inherit", "inherit", "inherit"] as const;
  process.exit(await Bun.spawn([execPath, ...words], { env, stdio: [...stdio] }).exited);
}

const env = neededEnvironment();
if (env) await restart(env);
outliveReaders();
await end(await run(args, process.env));
