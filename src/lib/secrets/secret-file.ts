import { randomBytes } from "node:crypto";
import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { flushFolder } from "../files/flush-folder.ts";
import { hasNoLinks, type Link } from "../files/hard-links.ts";
import { createPrivateFolder } from "./private-files.ts";
import { readingFrom, writingTo } from "./refused-paths.ts";

const FILE_NAME = "secret.key";
/** The one that takes its place, while rows are being sealed with it. */
const NEXT_NAME = "secret.key.next";
const SECRET_BYTES = 32;
const FOR_OWNER = { mode: 0o600, flag: "wx", flush: true } as const;

type Name = typeof FILE_NAME | typeof NEXT_NAME;

const codeOf = (thrown: unknown) => (thrown as { code?: string }).code;

function find(folder: string, name: Name): string | undefined {
  const path = join(folder, name);
  return readingFrom(path, () => {
    try {
      return readFileSync(path, "utf8").trim();
    } catch (thrown) {
      if (codeOf(thrown) !== "ENOENT") throw thrown;
      return undefined;
    }
  });
}

/** Written beside its place and then linked, so that nobody ever reads half of it. */
function writeBeside(place: string, text: string, link: Link): void {
  const draft = join(dirname(place), `${FILE_NAME}.${randomBytes(6).toString("hex")}`);
  writeFileSync(draft, text, FOR_OWNER);
  try {
    link(draft, place);
  } finally {
    rmSync(draft);
  }
}

/**
 * Where there are no hard links. Of several only one makes the file; a move would replace that of another, who may have
 * sealed with it by then. For a moment it is empty, and whoever looks just then is told so.
 */
function writeInPlace(place: string, text: string): void {
  const fd = openSync(place, "wx", FOR_OWNER.mode);
  try {
    writeFileSync(fd, text, { flush: true });
  } catch (thrown) {
    rmSync(place);
    throw thrown;
  } finally {
    closeSync(fd);
  }
}

function write(place: string, text: string, link: Link): void {
  try {
    writeBeside(place, text, link);
  } catch (thrown) {
    if (!hasNoLinks(thrown)) throw thrown;
    writeInPlace(place, text);
  }
}

/** False where somebody else was faster, whose it is then. */
function create(folder: string, name: Name, link: Link): boolean {
  createPrivateFolder(folder);
  const text = `${randomBytes(SECRET_BYTES).toString("base64url")}\n`;
  try {
    writingTo(folder, () => write(join(folder, name), text, link));
  } catch (thrown) {
    if (codeOf(thrown) !== "EEXIST") throw thrown;
    return false;
  } finally {
    flushFolder(folder);
  }
  return true;
}

function findOrCreate(folder: string, name: Name, link: Link = linkSync): string {
  const path = join(folder, name);
  let secret = find(folder, name);
  if (secret === undefined) {
    create(folder, name, link);
    secret = readFileSync(path, "utf8").trim();
  }
  if (secret !== "") return secret;
  // What is sealed with it would lie open to everybody.
  throw new Error(
    `${path} is empty. Put the secret back that was in it; remove the file if there never was one.`,
  );
}

/** The folder's own secret, which is made at the first start. */
export function ownSecret(folder: string, link?: Link): string {
  return findOrCreate(folder, FILE_NAME, link);
}

export function findOwnSecret(folder: string): string | undefined {
  return find(folder, FILE_NAME);
}

/** Whether it was made here and now, and not by anybody else before. */
export function makeOwnSecret(folder: string, link: Link = linkSync): boolean {
  return findOwnSecret(folder) === undefined && create(folder, FILE_NAME, link);
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
