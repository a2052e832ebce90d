// npm run release -- 0.2.0 makes a release: it checks the tree, joins changes/ into the changelog, sets the version,
// builds every way in, proves each, and leaves build/release/0.2.0 to publish. It commits and publishes nothing.
//
//   --key FILE    signs SHA256SUMS with an Ed25519 key (PEM); required unless --dry-run
//   --dry-run     checks the tree and prints the entry of the changelog
//   --targets A,B builds these executables only (default: all)
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import project from "../../package.json" with { type: "json" };
import { compareVersions, entryOf, withEntry } from "./join-changes.ts";
import { buildDir, emptyFolder, projectDir } from "./stage.ts";

const CHANGES = join(projectDir, "changes");
const CHANGELOG = join(projectDir, "CHANGELOG.md");
/** Files that name the version, and how they write it. */
const VERSIONED = [
  ["package.json", (version: string) => `"version": "${version}"`],
  ["package-lock.json", (version: string) => `"version": "${version}"`],
  ["deploy/helm/faregate/Chart.yaml", (version: string) => `ersion: ${version}`],
  ["docs/install.md", (version: string) => `faregate-${version}-`],
] as const;
/** The name and the version of the project stand twice at the top of the lock file. */
const LOCK_PLACES = 2;

class ReleaseError extends Error {}

async function run(...command: string[]): Promise<string> {
  const child = Bun.spawn(command, { cwd: projectDir, stdout: "pipe", stderr: "inherit" });
  const out = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new ReleaseError(`${command.join(" ")} failed.`);
  return out;
}

async function show(...command: string[]): Promise<void> {
  console.log(`== ${command.join(" ")}`);
  const child = Bun.spawn(command, { cwd: projectDir, stdout: "inherit", stderr: "inherit" });
  if ((await child.exited) !== 0) throw new ReleaseError(`${command.join(" ")} failed.`);
}

async function checkTree(version: string): Promise<void> {
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    throw new ReleaseError(
      `"${version}" is no version. Write three numbers: npm run release -- 0.2.0`,
    );
  }
  if (compareVersions(version, project.version) <= 0) {
    throw new ReleaseError(`${version} is not newer than ${project.version}.`);
  }
  const changed = await run("git", "status", "--porcelain");
  if (changed !== "") throw new ReleaseError(`Commit or remove these first:\n${changed}`);
  const tags = await run("git", "tag", "--list", `v${version}`);
  if (tags !== "") throw new ReleaseError(`There is a tag v${version} already.`);
}

function changeFiles() {
  return readdirSync(CHANGES)
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => ({ name, text: readFileSync(join(CHANGES, name), "utf8") }));
}

/** Replaces the version where a file names it. Throws if the file does not name it. */
function setVersion(version: string): void {
  for (const [name, written] of VERSIONED) {
    const path = join(projectDir, name);
    let text = readFileSync(path, "utf8");
    const from = written(project.version);
    if (!text.includes(from)) throw new ReleaseError(`${name} does not say ${from}.`);
    if (name === "package.json") text = text.replace(from, written(version));
    else if (name === "package-lock.json") {
      for (let i = 0; i < LOCK_PLACES; i++) text = text.replace(from, written(version));
    } else text = text.replaceAll(from, written(version));
    writeFileSync(path, text);
  }
}

async function main(): Promise<void> {
  const { values: flags, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      targets: { type: "string" },
    },
  });
  const [version = ""] = positionals;
  await checkTree(version);
  const files = changeFiles();
  const entry = entryOf(version, new Date().toISOString().slice(0, 10), files);
  if (flags["dry-run"]) return console.log(entry);
  if (!flags.key) throw new ReleaseError("Name the key that signs: --key release.pem");

  setVersion(version);
  writeFileSync(CHANGELOG, withEntry(readFileSync(CHANGELOG, "utf8"), entry));
  for (const { name } of files) rmSync(join(CHANGES, name));

  const folder = emptyFolder(join(buildDir, "release", version));
  const targets = flags.targets?.split(",").flatMap((name) => ["--target", name]) ?? ["--all"];
  await show("npm", "run", "--silent", "package");
  cpSync(join(buildDir, `faregate-${version}.tgz`), join(folder, `faregate-${version}-npm.tgz`));
  const chart = join(folder, `faregate-${version}-deploy.tgz`);
  await show("tar", "--create", "--gzip", "--file", chart, "deploy");
  mkdirSync(folder, { recursive: true });
  await show(
    ...["npm", "run", "--silent", "build:binary", "--", ...targets],
    ...["--into", folder, "--key", flags.key],
  );
  await show("npm", "run", "--silent", "test:full", "--", "test/packaging");
  await show("npm", "test");

  console.log(`
Release ${version} lies in ${folder}. To publish it:

  git commit --all --message "release: ${version}" && git tag v${version}
  npm publish ${join(folder, `faregate-${version}-npm.tgz`)}
  Upload the other files of the folder, with SHA256SUMS and SHA256SUMS.sig.

To take it back instead: git checkout -- . `);
}

await main().catch((thrown: unknown) => {
  const isOurs = thrown instanceof ReleaseError || (thrown as Error).message.startsWith("changes");
  console.error(isOurs ? (thrown as Error).message : thrown);
  process.exit(1);
});
