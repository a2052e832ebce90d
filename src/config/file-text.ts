import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "./environment.ts";
import { ConfigError } from "./members.ts";

const FILE_NAME = "faregate.yaml";

/** By which a process is told that its operator's file comes by its standard input. */
const HANDED = "FAREGATE_FILE_HANDED";
const STANDARD_INPUT = 0;

/** The operator's file word for word, and what it is called. */
interface FileText {
  readonly path: string;
  readonly text: string;
}

/** What whoever started this process has read: a file, or that there was none. */
export interface HandedFile {
  readonly file: FileText | null;
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    throw new ConfigError(`${path} cannot be read (${code}); FAREGATE_CONFIG must name a file.`);
  }
}

function readText(path: string): FileText {
  const bytes = readBytes(path);
  try {
    return { path, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    throw new ConfigError(`${path} is not UTF-8; save it as UTF-8.`);
  }
}

/** The file that the environment names, which must be there, or the folder's, which need not. */
export function findFile(env: Environment, folder: string | undefined): FileText | undefined {
  if (env.FAREGATE_CONFIG) return readText(env.FAREGATE_CONFIG);
  if (folder === undefined || !existsSync(join(folder, FILE_NAME))) return undefined;
  return readText(join(folder, FILE_NAME));
}

/**
 * What a process is started with so that it has the file as it was read here: what somebody has written there since is
 * in force from the next start of the whole server on.
 */
export function handFile(file: FileText | undefined) {
  const handed: HandedFile = { file: file ?? null };
  return { env: { [HANDED]: "yes" }, stdin: Buffer.from(JSON.stringify(handed)) };
}

/** What this process was handed; undefined where it reads the file itself. */
export function handedFile(env: Environment): HandedFile | undefined {
  if (!env[HANDED]) return undefined;
  return JSON.parse(readFileSync(STANDARD_INPUT, "utf8")) as HandedFile;
}
