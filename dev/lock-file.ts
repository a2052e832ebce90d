// npm run lock: run it after a change of packages. It does two things to the lock file:
// - It takes out which Node a package asks for where that is newer than this project needs. Packages run under the Bun
//   that comes with them, and npm would print a page of warnings to everybody on Node 20.
// - It adds the hashes that are missing. npm writes none for a build of another machine that it has not downloaded.
// npm keeps the lock file as it finds it. The tests of the tree check it.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { semver } from "bun";
import { engines } from "../package.json" with { type: "json" };

interface Locked {
  readonly version?: string;
  integrity?: string;
  /** A folder of this project, or a part of another package: neither is downloaded by itself. */
  readonly link?: boolean;
  readonly inBundle?: boolean;
  engines?: { node?: string };
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Record<string, Locked>;
}

const file = Bun.file(join(import.meta.dir, "..", "package-lock.json"));

/** The oldest Node that this project promises to start with. */
const OLDEST = `${/\d+/.exec(engines.node)?.[0]}.0.0`;

export function readLock(): Promise<Lock> {
  return file.json();
}

/** Packages that ask for a newer Node than the project, by their path. */
export function newerEngines({ packages }: Lock): string[] {
  return Object.entries(packages)
    .filter(([, { engines }]) => engines?.node && !semver.satisfies(OLDEST, engines.node))
    .map(([name]) => name);
}

/** Builds for other machines that a package names and the lock lacks: with one missing `npm ci` refuses the lock. */
export function missingBuilds({ packages }: Lock): string[] {
  const named = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies),
  );
  return named.filter((name) => packages[`node_modules/${name}`] === undefined);
}

/**
 * Packages that are downloaded and lack a hash, by name and version. npm would take whatever the registry has that day.
 */
export function withoutHash({ packages }: Lock): string[] {
  return Object.entries(packages)
    .filter(([path, { integrity, link, inBundle }]) => path && !integrity && !link && !inBundle)
    .map(([path, { version }]) => `${nameAt(path)}@${version}`);
}

function nameAt(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** The hash that the registry has of a package; undefined where it does not have the package. */
async function hashOf(spec: string): Promise<string | undefined> {
  const asked = promisify(execFile)("npm", ["view", spec, "dist.integrity"]);
  const hash = await asked.then(({ stdout }) => stdout.trim()).catch(() => "");
  return hash.startsWith("sha512-") ? hash : undefined;
}

/** Adds the hashes that the registry knows, each behind the version as npm writes it. */
async function addHashes({ packages }: Lock, missing: readonly string[]): Promise<number> {
  const hashes = new Map(
    await Promise.all(missing.map(async (spec) => [spec, await hashOf(spec)] as const)),
  );
  let added = 0;
  for (const [path, { version, ...rest }] of Object.entries(packages)) {
    const integrity = hashes.get(`${nameAt(path)}@${version}`);
    if (integrity === undefined || rest.integrity || version === undefined) continue;
    packages[path] = { version, integrity, ...rest };
    added += 1;
  }
  return added;
}

if (import.meta.main) {
  const lock = await readLock();
  const missing = withoutHash(lock);
  const added = await addHashes(lock, missing);
  const names = newerEngines(lock);
  for (const name of names) delete lock.packages[name]?.engines;
  await file.write(`${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${names.length} packages ask for a newer Node than ${OLDEST}: taken out`);
  console.log(`${missing.length} packages had no hash: ${added} added`);
}
