// The program in few files instead of fifteen hundred: a server and its office start in half the time, and take less
// memory. Packed at the first start of each version, and again whenever anything it is made of has changed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const projectDir = fileURLToPath(new URL("..", import.meta.url));
const SCRIPT = "bin/pack.ts";
/** Its version, and those of what is packed with it. */
const PACKAGE = ["package.json", "package-lock.json"];
const HASH_CHARS = 16;

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
  for (const name of [...sources(), SCRIPT, ...PACKAGE]) {
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

/** The packed program, which is made where it is missing; undefined where it cannot be, as in a folder of others. */
export function pack(bun) {
  const entry = packedEntry();
  if (existsSync(entry)) return entry;
  if (!canWrite(join(projectDir, "dist"))) return undefined;
  spawnSync(bun, [join(projectDir, SCRIPT), entry], { stdio: "ignore" });
  return existsSync(entry) ? entry : undefined;
}
