import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Folders of web/ that the built console does not depend on. */
const ASIDE = new Set(["dist", "fixtures"]);

function walk(folder: string, prefix: string, found: string[]): string[] {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = `${prefix}${entry.name}`;
    if (entry.isDirectory()) {
      if (prefix !== "" || !ASIDE.has(entry.name)) {
        walk(join(folder, entry.name), `${name}/`, found);
      }
    } else if (!/\.test\.tsx?$/.test(name)) found.push(name);
  }
  return found;
}

/**
 * One value for everything that the console is built from. Contents count, not times: a fresh clone,
 * a checkout of an older commit and a restored backup all tell the truth.
 */
export function sourcesHash(webDir: string): string {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const name of walk(webDir, "", []).sort()) {
    hasher
      .update(`${name}\0`)
      .update(readFileSync(join(webDir, name)))
      .update("\0");
  }
  // What bundles it, and the versions of what is bundled in.
  hasher.update(Bun.version);
  hasher.update(readFileSync(join(webDir, "..", "package-lock.json")));
  return hasher.digest("hex");
}
