// The program in few files instead of fifteen hundred: a server and its office start in half the time, and take less
// memory. Packed at the first start of each version, and again whenever anything it is made of has changed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const projectDir = fileURLToPath(new URL("..", import.meta.url));
const SCRIPT = "bin/pack.ts";
/** Its version, and what npm has installed beside it, which may be older than what it was told to. */
const PACKAGE = ["package.json", "package-lock.json", "node_modules/.package-lock.json"];
const HASH_CHARS = 16;
/** It takes a second. A start must not hang by it. */
const PACK_MS_MAX = 60_000;
const MARK = "used-by-";

function sources() {
  return (
    readdirSync(join(projectDir, "src"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
      // The older name is the only one before Node 20.12.
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(projectDir.length))
      .sort()
  );
}

/** Contents count, not times: a fresh clone, an older commit and a restored backup all tell the truth. */
function sourcesHash() {
  const hash = createHash("sha256");
  const installed = PACKAGE.filter((name) => existsSync(join(projectDir, name)));
  for (const name of [...sources(), SCRIPT, ...installed]) {
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(projectDir, name)))
      .update("\0");
  }
  return hash.digest("hex").slice(0, HASH_CHARS);
}

/** Where the program of these very sources is, or would be, packed. */
export function packedEntry() {
  return join(projectDir, "dist", sourcesHash(), "main.js");
}

/** Asked before, since to find out by trying takes a second of each start. */
function canWrite(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return thrown.code === "EPERM";
  }
}

/** Whether a process runs that began with this version: it loads parts of it when it needs them. */
export function isUsed(folder) {
  const marks = readdirSync(folder).filter((name) => name.startsWith(MARK));
  return marks.some((name) => isAlive(Number(name.slice(MARK.length))));
}

/** Whoever packs a later version leaves this one for as long as this process runs. */
function markUsed(folder) {
  try {
    for (const name of readdirSync(folder)) {
      const isStale = name.startsWith(MARK) && !isAlive(Number(name.slice(MARK.length)));
      if (isStale) rmSync(join(folder, name), { force: true });
    }
    writeFileSync(join(folder, `${MARK}${process.pid}`), "");
  } catch {
    // A folder that cannot be written to is not tidied up by the likes of us either.
  }
}

/** The packed program, which is made where it is missing; undefined where it cannot be, as in a folder of others. */
export function pack(bun) {
  const entry = packedEntry();
  if (!existsSync(entry)) {
    if (!canWrite(join(projectDir, "dist"))) return undefined;
    spawnSync(bun, [join(projectDir, SCRIPT), entry], { stdio: "ignore", timeout: PACK_MS_MAX });
  }
  if (!existsSync(entry)) return undefined;
  markUsed(dirname(entry));
  return entry;
}
