// `faregate …` as somebody types it: in a process of its own, or without one, since to start it takes far longer
// than what most commands do.
import { join } from "node:path";
import { run } from "../../src/cli/run.ts";
import { isFull } from "../support/counts.ts";

/** Names the program as it is started by people: packed. A suite that runs without the others starts the sources. */
export const ENTRY_VARIABLE = "FAREGATE_TEST_ENTRY";
const SOURCE_ENTRY = join(import.meta.dir, "..", "..", "src", "cli", "main.ts");
export const ENTRY = process.env[ENTRY_VARIABLE] ?? SOURCE_ENTRY;

/** What is loaded before the program may have modules of it to change, which only the sources are; or it names which. */
export function entryFor({ BUN_OPTIONS, [ENTRY_VARIABLE]: named }: Record<string, string>): string {
  return named ?? (BUN_OPTIONS === undefined ? ENTRY : SOURCE_ENTRY);
}

/** The environment of a child: ours, without what would change its behaviour. */
export function environment(settings: Record<string, string>): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (
      value !== undefined &&
      !/^FAREGATE_|^OTEL_|^DATABASE_URL$|_API_KEY$|_BASE_URL$/.test(name)
    ) {
      env[name] = value;
    }
  }
  // What commands remember of this person stays out of it.
  const state = settings.FAREGATE_DATA ? { FAREGATE_STATE: `${settings.FAREGATE_DATA}/state` } : {};
  const language = { FAREGATE_LANG: "en" };
  return { ...env, BUN_CONFIG_MAX_HTTP_REQUESTS: "65336", ...state, ...language, ...settings };
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * In a process, with something on its standard input or nothing: its streams and its end are the real ones. Another program
 * may start it, which is named with its own arguments.
 */
export async function faregate(
  args: readonly string[],
  settings: Record<string, string>,
  input?: string,
  starter: readonly string[] = [],
): Promise<CommandResult> {
  const child = Bun.spawn([...starter, process.execPath, entryFor(settings), ...args], {
    env: environment(settings),
    stdin: input === undefined ? "ignore" : new TextEncoder().encode(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

/** Commands that go on until they are told to stop. */
const STAYING = ["serve", "mcp"];

/** What is printed while `work` runs goes to the result. */
async function listening(work: () => Promise<number>): Promise<CommandResult> {
  const printed = { stdout: "", stderr: "" };
  const streams = ["stdout", "stderr"] as const;
  const writes = streams.map((name) => process[name].write);
  for (const name of streams) {
    process[name].write = (text: string | Uint8Array) => {
      printed[name] += typeof text === "string" ? text : Buffer.from(text).toString();
      return true;
    };
  }
  try {
    return { code: await work(), ...printed };
  } finally {
    for (const [at, name] of streams.entries()) process[name].write = writes[at] as never;
  }
}

let last: Promise<unknown> = Promise.resolve();

/**
 * For tests of what a command does and says. One after another, since all of them print to the same two streams;
 * with the full counts each has its process, as at a terminal.
 */
export function typed(
  args: readonly string[],
  settings: Record<string, string>,
): Promise<CommandResult> {
  const stays = STAYING.includes(args[0] ?? "") || args.join(" ") === "platform";
  // Some commands of drafts ask whoever sits there.
  const asks = args[0] === "draft" && process.stdin.isTTY;
  if (isFull || stays || asks) return faregate(args, settings);
  const done = last.then(() => listening(() => run(args, environment(settings))));
  last = done.catch(() => undefined);
  return done;
}
