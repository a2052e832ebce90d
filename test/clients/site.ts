// Where a client is installed and run: a folder of its own, and the server that it is pointed at.
import { join } from "node:path";

export interface Site {
  /** Empty at first; the client's home, and what is installed lies in it. */
  readonly folder: string;
  /** The address of the server, without `/v1`. */
  readonly url: string;
  readonly key: string;
  readonly model: string;
}

/** Longer than any of these takes on a machine that has much else to do. */
const INSTALL_MS = 1_200_000;
const RUN_MS = 300_000;
/** So much of what a program printed is shown when it failed. */
const SHOWN_CHARS = 2_000;

type Environment = Record<string, string | undefined>;

interface Run {
  readonly cwd: string;
  readonly env: Environment;
  readonly timeout: number;
}

/** What a program wrote to standard output; throws with all it wrote when it fails or takes too long. */
async function run(command: readonly string[], { cwd, env, timeout }: Run): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd,
    env,
    timeout,
    killSignal: "SIGKILL",
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code === 0) return stdout;
  const said = `${stdout}\n${stderr}`.trim().slice(-SHOWN_CHARS);
  throw new Error(`${command[0]} ended with ${child.signalCode ?? code}:\n${said}`);
}

/** Runs an installer as whoever called would: with the registries and caches that are set up here. */
export function install(command: readonly string[], folder: string): Promise<string> {
  return run(command, { cwd: folder, env: process.env, timeout: INSTALL_MS });
}

/** Runs a client that sees nothing of this machine but its programs, and whatever `env` says. */
export function runClient(
  site: Site,
  command: readonly string[],
  env: Environment = {},
): Promise<string> {
  const { PATH, LANG } = process.env;
  const own = { PATH, LANG, HOME: site.folder, TERM: "xterm-256color" };
  const ours = { FAREGATE_URL: site.url, FAREGATE_KEY: site.key, FAREGATE_MODEL: site.model };
  return run(command, { cwd: site.folder, env: { ...own, ...ours, ...env }, timeout: RUN_MS });
}

/** A program of a package that npm has installed. */
export function binary({ folder }: Site, name: string): string {
  return join(folder, "node_modules", ".bin", name);
}
