// npm run lock: after a change of packages, takes out of the lock file which Node they ask for, where that
// is a newer one than this project needs. Packages run under the Bun that comes with them, and npm would
// greet everybody on Node 20 with a page of warnings about it. npm keeps the lock file as it finds it. What else
// has to be right in it is looked at by the tests of the tree.
import { join } from "node:path";
import { semver } from "bun";
import { engines } from "../package.json" with { type: "json" };

interface Locked {
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

if (import.meta.main) {
  const lock = await readLock();
  const names = newerEngines(lock);
  for (const name of names) delete lock.packages[name]?.engines;
  await file.write(`${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${names.length} packages ask for a newer Node than ${OLDEST}: taken out`);
}
