// Other people's installers, run inside the temporary folder of a run.
import { existsSync } from "node:fs";
import { killTree } from "../children.ts";
import { Missing } from "./peer.ts";

const INSTALL_MS = 420_000;
/** Of a long complaint the beginning says who speaks, and the end says why. */
const REASON_HEAD_CHARACTERS = 70;
const REASON_TAIL_CHARACTERS = 130;

/** Installers at work, which must not outlive the run. */
const working = new Set<number>();

/** Ends whatever is being installed; safe to call from an exit handler. */
export function endTools(): void {
  for (const pid of working) killTree(pid);
}

/** The path of a program; without it, the peer is left out. */
export function programOf(name: string): string {
  const path = Bun.which(name);
  if (path === null) throw new Missing(`${name} is not on the PATH`);
  return path;
}

/**
 * Runs an installer to its end and returns what it printed. It gets the whole environment, since that
 * says where packages come from and which certificates count.
 */
export async function runTool(
  command: string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  const tool = Bun.spawn(command, {
    cwd,
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: INSTALL_MS,
  });
  working.add(tool.pid);
  const [output, complaint, code] = await Promise.all([
    tool.stdout.text(),
    tool.stderr.text(),
    tool.exited,
  ]).finally(() => working.delete(tool.pid));
  if (code === 0) return output.trim();
  const last = (complaint.trim() || output.trim()).split("\n").at(-1) ?? "";
  const ended = tool.signalCode ? `was ended by ${tool.signalCode}` : `ended with ${code}`;
  throw new Missing(`${command.slice(0, 2).join(" ")} ${ended}: ${last}`);
}

/** A reason that can be published: one line, without addresses and folders of this machine. */
export function plainReason(fault: unknown): string {
  const text = fault instanceof Error ? fault.message : String(fault);
  const line = text
    .replace(/\bhttps?:\/\/[^\s"']+/g, "(an address)")
    .replace(/(?<![\w.:])\/[^\s"':]+\/([^\s"':/]+)/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
  if (line.length <= REASON_HEAD_CHARACTERS + REASON_TAIL_CHARACTERS) return line;
  return `${line.slice(0, REASON_HEAD_CHARACTERS)} … ${line.slice(-REASON_TAIL_CHARACTERS)}`;
}

/** The folder's own Python environment with the packages; gives the path of its programs. */
export async function pythonWith(folder: string, packages: string[]): Promise<string> {
  const programs = `${folder}/python/bin`;
  if (!existsSync(programs)) {
    await runTool([programOf("python3"), "-m", "venv", "python"], folder);
  }
  await runTool([`${programs}/pip`, "install", "--quiet", ...packages], folder);
  return programs;
}

export async function pythonVersion(programs: string): Promise<string> {
  return runTool([`${programs}/python`, "--version"], "/");
}
