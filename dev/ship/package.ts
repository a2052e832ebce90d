// npm run package builds the package for npm in build/npm and packs it into build/.
//
//   --into DIR   another folder than build
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { OUTSIDE } from "../../bin/pack.ts";
import project from "../../package.json" with { type: "json" };
import {
  buildDir,
  emptyFolder,
  megabytes,
  noticesOf,
  packProgram,
  projectDir,
  sizeOf,
  sorted,
  stageFiles,
} from "./stage.ts";

/** What npm puts into the package. Beside it npm takes package.json, the README and the licence. */
const FILES = ["bin", "docs", "fonts", "program", "web/dist", "CHANGELOG.md", "README.zh.md"];
const LAUNCHER = ["bun.mjs", "faregate", "runtime.mjs"];
const TEXTS = ["LICENSE", "README.md", "README.zh.md", "CHANGELOG.md"];
const NOTICES = "THIRD-PARTY-NOTICES.txt";

const { values: flags } = parseArgs({ options: { into: { type: "string", default: buildDir } } });

/** The manifest that npm reads: no scripts, and no packages that are bundled. */
function manifest(): object {
  const { name, version, description, license, type, engines, bin, dependencies } = project;
  const files = [...FILES, NOTICES];
  return { name, version, description, license, type, engines, bin, files, dependencies };
}

async function npmPack(dir: string, into: string): Promise<string> {
  const child = Bun.spawn(["npm", "pack", "--json", "--pack-destination", into], {
    cwd: dir,
    stdout: "pipe",
    stderr: "ignore",
  });
  const [packed] = (await new Response(child.stdout).json()) as { filename: string }[];
  if ((await child.exited) !== 0 || !packed) throw new Error(`npm pack failed in ${dir}`);
  return join(into, packed.filename);
}

const dir = emptyFolder(join(flags.into, "npm"));
const program = { outdir: join(dir, "program"), external: OUTSIDE };
const packages = sorted([
  ...(await packProgram("program", [], program)),
  ...(await stageFiles(dir)),
]);
mkdirSync(join(dir, "bin"));
for (const name of LAUNCHER) cpSync(join(projectDir, "bin", name), join(dir, "bin", name));
for (const name of TEXTS) cpSync(join(projectDir, name), join(dir, name));
writeFileSync(join(dir, NOTICES), noticesOf(packages));
writeFileSync(join(dir, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
const tarball = await npmPack(dir, flags.into);
console.log(`${tarball}: ${megabytes(Bun.file(tarball).size)}, unpacked ${megabytes(sizeOf(dir))}`);
