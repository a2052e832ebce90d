// Calls of the kernel by a process, counted by strace where it is installed and may look.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Syscalls {
  readonly total: number;
  readonly byName: ReadonlyMap<string, number>;
}

/** Who cannot be counted, and why. */
interface Uncounted {
  readonly why: string;
}

/** What a server asked of the kernel for so many whole answers. */
export interface KernelCalls {
  readonly server: string;
  readonly requests: number;
  readonly calls: Syscalls | Uncounted;
}

/** Names beyond these are a small part of all calls. */
const NAMES_SHOWN = 6;

export function syscallsText({ server, requests, calls }: KernelCalls): string {
  const subject = `calls of the kernel per request, ${server}`;
  if ("why" in calls) return `${subject}: not counted (${calls.why})`;
  const most = [...calls.byName].sort(([, one], [, two]) => two - one).slice(0, NAMES_SHOWN);
  const each = most.map(([name, count]) => `${name} ${(count / requests).toFixed(2)}`).join(", ");
  return `${subject}: ${(calls.total / requests).toFixed(1)} (${each})`;
}

/** What strace prints once it has all threads of a process. */
const ATTACHED = /attached/;
const ATTACH_MS = 10_000;

/** Reads the table of `strace -c`: share, seconds, each, calls, errors where there were any, name. */
export function readTable(text: string): Syscalls {
  const byName = new Map<string, number>();
  for (const line of text.split("\n")) {
    const cells = line.trim().split(/\s+/);
    const name = cells.at(-1) ?? "";
    const calls = Number(cells[3]);
    if (cells.length < 5 || !/^[a-z]\w*$/.test(name) || !Number.isInteger(calls)) continue;
    if (name !== "total") byName.set(name, calls);
  }
  const total = [...byName.values()].reduce((sum, calls) => sum + calls, 0);
  return { total, byName };
}

/** Resolves when it has them, or with its words when it has ended. Reads on: with nobody to hear it, it would end. */
function untilAttached(words: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const attached = Promise.withResolvers<string | undefined>();
  const listen = async () => {
    const decoder = new TextDecoder();
    let said = "";
    for await (const bytes of words) {
      said += decoder.decode(bytes, { stream: true });
      if (ATTACHED.test(said)) attached.resolve(undefined);
    }
    attached.resolve(said.trim() || "strace ended without a word");
  };
  listen().catch(attached.reject);
  return attached.promise;
}

/** Counts what all threads of a process ask of the kernel while some work is done, which takes much longer so. */
export async function countSyscalls(
  pid: number,
  work: () => Promise<unknown>,
): Promise<Syscalls | Uncounted> {
  const program = Bun.which("strace");
  if (!program) return { why: "strace is not installed" };
  const folder = mkdtempSync(join(tmpdir(), "faregate-strace-"));
  const table = join(folder, "table");
  const strace = Bun.spawn([program, "-f", "-c", "-o", table, "-p", String(pid)], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  try {
    const late = Bun.sleep(ATTACH_MS).then(() => "strace did not attach in time");
    const why = await Promise.race([untilAttached(strace.stderr), late]);
    if (why !== undefined) return { why };
    await work();
    if (strace.exitCode !== null) return { why: "strace ended before the work did" };
    strace.kill("SIGINT");
    await strace.exited;
    return readTable(readFileSync(table, "utf8"));
  } finally {
    strace.kill("SIGKILL");
    await strace.exited;
    rmSync(folder, { recursive: true, force: true });
  }
}
