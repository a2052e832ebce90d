// The processes of a bench run: started on free ports, ended with the run, nothing left behind.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Subprocess } from "bun";
import { RUNTIME } from "../bin/runtime.mjs";
import { openFilesLimit, treeOf } from "./process-cost.ts";

const projectDir = fileURLToPath(new URL("..", import.meta.url));
const READY_MS = 20_000;
const STOP_MS = 20_000;
const COMMAND_MS = 30_000;

export interface Child {
  name: string;
  pid: number;
  port: number;
  process: Subprocess;
  logFile: string;
}

/** A port that was free a moment ago. */
export function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}

export class Children {
  /** Holds the databases and logs of the run and is removed with it. */
  readonly folder = mkdtempSync(join(tmpdir(), "faregate-bench-"));
  readonly #running = new Set<Child>();

  /** Starts a script of this project and waits until `readyPath` answers 200. */
  async start(
    name: string,
    args: string[],
    port: number,
    env: Record<string, string>,
    readyPath: string,
  ): Promise<Child> {
    const child = this.launch(name, [process.execPath, ...args], port, env, projectDir);
    await untilReady(child, readyPath);
    return child;
  }

  /** Starts any program in `cwd`; whoever asks waits for it. */
  launch(
    name: string,
    command: string[],
    port: number,
    env: Record<string, string>,
    cwd: string,
  ): Child {
    const logFile = join(this.folder, `${name}.log`);
    // A shell raises the limit of open files and then becomes the program, so the pid stays.
    const { hard } = openFilesLimit("self");
    const raise = `ulimit -n ${Number.isFinite(hard) ? hard : "unlimited"}; exec "$0" "$@"`;
    const started = Bun.spawn(["sh", "-c", raise, ...command], {
      cwd,
      env: { ...plainEnvironment(), ...env },
      stdin: "ignore",
      stdout: Bun.file(logFile),
      stderr: Bun.file(`${logFile}.err`),
    });
    const child = { name, pid: started.pid, port, process: started, logFile };
    this.#running.add(child);
    return child;
  }

  /** Ends one child as an operator would, and harshly when it does not obey. */
  async stop(child: Child): Promise<void> {
    this.#running.delete(child);
    child.process.kill("SIGTERM");
    const ended = await Promise.race([child.process.exited, Bun.sleep(STOP_MS)]);
    if (ended === undefined) {
      killTree(child.pid);
      throw new Error(`${child.name} did not end within ${STOP_MS} ms of SIGTERM`);
    }
  }

  /** Ends everything at once; safe to call twice and from an exit handler. */
  killAll(): void {
    for (const child of this.#running) killTree(child.pid);
    this.#running.clear();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What a child has started would outlive it, since a killed parent tells nobody. */
export function killTree(root: number): void {
  for (const pid of treeOf(root)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself meanwhile.
    }
  }
}

/** Runs a script to its end and returns its standard output; a failing one throws. */
export async function runCommand(args: string[], env: Record<string, string>): Promise<string> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: projectDir,
    env: { ...plainEnvironment(), ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: COMMAND_MS,
  });
  const [output, complaint, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  if (code !== 0) {
    throw new Error(`${args.join(" ")} ended with ${code}: ${complaint.trim() || output.trim()}`);
  }
  return output;
}

/** What a child needs of our environment; settings and vendor keys of the user stay out. */
function plainEnvironment(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    ...RUNTIME,
  };
}

async function untilReady(child: Child, path: string): Promise<void> {
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline && child.process.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${child.port}${path}`).catch(() => null);
    await answer?.text();
    if (answer?.ok) return;
    await Bun.sleep(50);
  }
  throw new Error(`${child.name} did not become ready:\n${logOf(child).slice(-2_000)}`);
}

/** What the child has written so far, its complaints first. */
export function logOf({ logFile }: Child): string {
  return readFileSync(`${logFile}.err`, "utf8") + readFileSync(logFile, "utf8");
}
