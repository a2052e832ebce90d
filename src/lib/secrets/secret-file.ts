import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPrivateFolder, flushFolder } from "./private-files.ts";

const FILE_NAME = "secret.key";
/** The one that takes its place, while rows are being sealed with it. */
const NEXT_NAME = "secret.key.next";
const SECRET_BYTES = 32;

type Name = typeof FILE_NAME | typeof NEXT_NAME;

const codeOf = (thrown: unknown) => (thrown as { code?: string }).code;

function find(folder: string, name: Name): string | undefined {
  try {
    return readFileSync(join(folder, name), "utf8").trim();
  } catch (thrown) {
    if (codeOf(thrown) !== "ENOENT") throw thrown;
    return undefined;
  }
}

/**
 * Written beside its place and then linked, so that nobody ever reads half of it. False where somebody else was
 * faster, whose it is then.
 */
function create(folder: string, name: Name): boolean {
  createPrivateFolder(folder);
  const draft = join(folder, `${FILE_NAME}.${randomBytes(6).toString("hex")}`);
  const text = `${randomBytes(SECRET_BYTES).toString("base64url")}\n`;
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  try {
    linkSync(draft, join(folder, name));
  } catch (thrown) {
    if (codeOf(thrown) !== "EEXIST") throw thrown;
    return false;
  } finally {
    rmSync(draft);
    flushFolder(folder);
  }
  return true;
}

function findOrCreate(folder: string, name: Name): string {
  const found = find(folder, name);
  if (found !== undefined) return found;
  create(folder, name);
  return readFileSync(join(folder, name), "utf8").trim();
}

/** The folder's own secret, which is made at the first start. */
export function ownSecret(folder: string): string {
  return findOrCreate(folder, FILE_NAME);
}

export function findOwnSecret(folder: string): string | undefined {
  return find(folder, FILE_NAME);
}

/** Whether it was made here and now, and not by anybody else before. */
export function makeOwnSecret(folder: string): boolean {
  return findOwnSecret(folder) === undefined && create(folder, FILE_NAME);
}

/** Of a secret that was made here, and with which nothing was sealed. */
export function removeOwnSecret(folder: string): void {
  rmSync(join(folder, FILE_NAME), { force: true });
  flushFolder(folder);
}

export function findNextSecret(folder: string): string | undefined {
  return find(folder, NEXT_NAME);
}

export function nextSecret(folder: string): string {
  return findOrCreate(folder, NEXT_NAME);
}

/** From now on the next one is the folder's own; the one before is gone. */
export function takeNextSecret(folder: string): void {
  renameSync(join(folder, NEXT_NAME), join(folder, FILE_NAME));
  flushFolder(folder);
}
