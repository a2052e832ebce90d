// Format and lint of what has changed since both were right: they look at each file by itself, and at all of them for
// ten seconds of a core.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { checkChanged } from "./checked-files.ts";

const projectDir = join(import.meta.dir, "..", "..");
const node = process.env.npm_node_execpath ?? "node";
const BIOME = "node_modules/@biomejs/biome";
const NOTES = "node_modules/.cache/biome/right.txt";

function check(...paths: readonly string[]): boolean {
  // A file that its rules leave out is none to complain of.
  const flags = ["--error-on-warnings", "--no-errors-on-unmatched"];
  const command = [join(BIOME, "bin/biome"), "check", ...flags, ...paths];
  return spawnSync(node, command, { cwd: projectDir, stdio: "inherit" }).status === 0;
}

/** Files of the checkout, ignored ones left out; nothing where it is none, or there is no git. */
function checkedOut(): string[] {
  const flags = ["--cached", "--others", "--exclude-standard", "-z"];
  const { status, stdout } = spawnSync("git", ["ls-files", ...flags], { cwd: projectDir });
  return status === 0 ? stdout.toString().split("\0").filter(Boolean) : [];
}

const paths = checkedOut();
const judged = {
  folder: projectDir,
  paths,
  // By what a package depends on, it is asked for more.
  rules: ["biome.json", ".gitignore", "package.json", join(BIOME, "package.json")],
};
const isRight =
  paths.length > 0
    ? await checkChanged(judged, join(projectDir, NOTES), async (changed) => check(...changed))
    : check(".");
process.exit(isRight ? 0 : 1);
