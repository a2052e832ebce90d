// npm run build:binary builds one executable for each target into build/binary, with a list of what is in it and the
// hashes of all.
//
//   --target NAME   a machine, such as linux-x64; may be given several times
//   --all           every target
//   --key FILE      signs SHA256SUMS with an Ed25519 key (PEM)
//   --into DIR      another folder than build/binary
import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Build, BunPlugin } from "bun";
import project from "../../package.json" with { type: "json" };
import { BuildError, nativesOf, TARGETS } from "./natives.ts";
import {
  buildDir,
  emptyFolder,
  megabytes,
  noticesOf,
  packageIn,
  packProgram,
  projectDir,
  type ShippedPackage,
  sorted,
  stageFiles,
} from "./stage.ts";

const SUMS = "SHA256SUMS";
const NOTICES = `faregate-${project.version}-third-party-notices.txt`;

/** Embeds the drawing library of the target, where the package would look for that of the machine that it runs on. */
function drawingLibrary(path: string): BunPlugin {
  return {
    name: "drawing library",
    setup(build) {
      build.onLoad({ filter: /@napi-rs\/canvas\/js-binding\.js$/ }, () => ({
        contents: `module.exports = require(${JSON.stringify(path)});`,
        loader: "js",
      }));
    },
  };
}

/** What is inside, as CycloneDX. */
function bill(name: string, packages: readonly ShippedPackage[]): object {
  const components = packages.map(({ name, version, license }) => ({
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    ...(license && { licenses: [{ expression: license }] }),
  }));
  const component = { type: "application", name, version: project.version };
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component },
    components,
  };
}

async function build(name: string, stage: string, staged: readonly ShippedPackage[], into: string) {
  const target = TARGETS[name];
  if (!target) {
    throw new BuildError(`There is no target ${name}. Choose: ${Object.keys(TARGETS).join(", ")}`);
  }
  const { executablePath, library } = await nativesOf(target);
  const file = `faregate-${project.version}-${name}`;
  const outfile = join(into, name.startsWith("windows") ? `${file}.exe` : file);
  // The files of the working folder are embedded by their relative paths.
  process.chdir(stage);
  const packed = await packProgram(".", [drawingLibrary(library)], {
    external: ["@embedpdf/fonts-sc"],
    compile: {
      target: target.compile as Build.CompileTarget,
      ...{ outfile, executablePath },
      assets: ["docs", "fonts", "web"],
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  });
  const runtime = packageIn(join(projectDir, "node_modules", "bun"));
  const packages = sorted([...packed, ...staged, runtime]);
  writeFileSync(join(into, NOTICES), noticesOf(packages));
  writeFileSync(
    join(into, `${file}.cdx.json`),
    `${JSON.stringify(bill(file, packages), null, 1)}\n`,
  );
  console.log(`${outfile}: ${megabytes(Bun.file(outfile).size)}`);
}

function readKey(path: string): KeyObject {
  const key = createPrivateKey(readFileSync(path));
  if (key.asymmetricKeyType === "ed25519") return key;
  throw new BuildError(
    `${path} is no Ed25519 key. Make one: openssl genpkey -algorithm ed25519 -out ${path}`,
  );
}

/** Writes the hashes of all files in the folder, and their signature. */
async function writeSums(dir: string, key: KeyObject | undefined): Promise<void> {
  const names = readdirSync(dir).filter((name) => name.startsWith("faregate-"));
  const lines = names.sort().map((name) => {
    const hash = new Bun.CryptoHasher("sha256").update(readFileSync(join(dir, name)));
    return `${hash.digest("hex")}  ${name}\n`;
  });
  const text = lines.join("");
  writeFileSync(join(dir, SUMS), text);
  if (key) writeFileSync(join(dir, `${SUMS}.sig`), sign(null, Buffer.from(text), key));
}

async function main(): Promise<void> {
  const { values: flags } = parseArgs({
    options: {
      target: { type: "string", multiple: true, default: [] },
      all: { type: "boolean", default: false },
      key: { type: "string" },
      into: { type: "string", default: join(buildDir, "binary") },
    },
  });
  const targets = flags.all ? Object.keys(TARGETS) : flags.target;
  if (targets.length === 0) {
    throw new BuildError(`Name a target: --target ${Object.keys(TARGETS).join(" | ")}, or --all`);
  }
  const key = flags.key === undefined ? undefined : readKey(flags.key);
  const into = resolve(flags.into);
  mkdirSync(into, { recursive: true });
  const stage = emptyFolder(join(buildDir, `stage-${process.pid}`));
  try {
    const staged = await stageFiles(stage);
    for (const name of targets) await build(name, stage, staged, into);
    await writeSums(into, key);
  } finally {
    process.chdir(projectDir);
    rmSync(stage, { recursive: true });
  }
}

await main().catch((thrown: unknown) => {
  if (!(thrown instanceof BuildError)) throw thrown;
  process.stderr.write(`${thrown.message}\n`);
  process.exitCode = 2;
});
