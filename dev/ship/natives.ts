// What an executable has that is made for one machine: the runtime and the drawing library. Both come from the packages
// of npm, and are checked against the hashes of package-lock.json.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import lock from "../../package-lock.json" with { type: "json" };
import { buildDir, emptyFolder, projectDir } from "./stage.ts";

interface Target {
  readonly compile: string;
  readonly runtime: string;
  readonly canvas: string;
}

/** The machines that an executable is built for. */
export const TARGETS: Readonly<Record<string, Target>> = {
  "linux-x64": target("linux-x64", "linux-x64-gnu"),
  "linux-arm64": target("linux-aarch64", "linux-arm64-gnu"),
  "linux-x64-musl": target("linux-x64-musl", "linux-x64-musl"),
  "linux-arm64-musl": target("linux-aarch64-musl", "linux-arm64-musl"),
  "darwin-arm64": target("darwin-aarch64", "darwin-arm64"),
  "darwin-x64": target("darwin-x64", "darwin-x64"),
  "windows-x64": target("windows-x64", "win32-x64-msvc"),
};

function target(runtime: string, canvas: string): Target {
  return {
    compile: `bun-${runtime.replace("aarch64", "arm64")}`,
    runtime: `@oven/bun-${runtime}`,
    canvas: `@napi-rs/canvas-${canvas}`,
  };
}

/** A mistake that a person can fix, told without a stack trace. */
export class BuildError extends Error {}

interface Locked {
  readonly version: string;
  readonly integrity?: string;
}

function lockedPackage(name: string): Required<Locked> {
  const locked = (lock.packages as Record<string, Partial<Locked>>)[`node_modules/${name}`];
  const { version, integrity } = locked ?? {};
  if (!version || !integrity) {
    throw new BuildError(
      `package-lock.json has no ${name} with a hash, which this target needs. Run "npm install" and "npm run lock".`,
    );
  }
  return { version, integrity };
}

function hashOf(bytes: Uint8Array): string {
  return `sha512-${new Bun.CryptoHasher("sha512").update(bytes).digest("base64")}`;
}

async function download(spec: string, into: string): Promise<void> {
  const draft = emptyFolder(`${into}.${process.pid}`);
  const command = ["npm", "pack", spec, "--pack-destination", draft];
  const child = Bun.spawn(command, { stdout: "ignore", stderr: "pipe" });
  const words = await new Response(child.stderr).text();
  const [name] = readdirSync(draft);
  if ((await child.exited) !== 0 || !name) {
    throw new BuildError(`npm cannot download ${spec}, which this target needs: ${words.trim()}`);
  }
  renameSync(join(draft, name), into);
  rmSync(draft, { recursive: true });
}

/** Where the package of this version is unpacked. It is downloaded once; its hash is checked each time. */
export async function unpacked(name: string, cache = join(buildDir, "cache")): Promise<string> {
  const { version, integrity } = lockedPackage(name);
  mkdirSync(cache, { recursive: true });
  const tarball = join(cache, `${name.replaceAll("/", "-")}-${version}.tgz`);
  if (!existsSync(tarball)) await download(`${name}@${version}`, tarball);
  const hash = hashOf(await Bun.file(tarball).bytes());
  if (hash !== integrity) {
    throw new BuildError(
      `${tarball} has the hash ${hash} and package-lock.json wants ${integrity}. Delete the file and build again.`,
    );
  }
  const dir = emptyFolder(tarball.replace(/\.tgz$/, ""));
  const tar = Bun.spawnSync(["tar", "xzf", tarball, "--strip-components=1", "-C", dir]);
  if (!tar.success) throw new BuildError(`tar cannot unpack ${tarball}: ${tar.stderr}`);
  return dir;
}

function fileIn(dir: string, pattern: RegExp): string {
  const file = (readdirSync(dir, { recursive: true }) as string[]).find((path) =>
    pattern.test(basename(path)),
  );
  if (!file) throw new BuildError(`${dir} has no file ${pattern}, which this target needs.`);
  return join(dir, file);
}

/** Where npm installed a package; npm checked its hash then. */
function installed(name: string): string | undefined {
  const dir = join(projectDir, "node_modules", name);
  return existsSync(dir) ? dir : undefined;
}

/** The runtime and the drawing library of a target. Those of this machine are there already. */
export async function nativesOf({ runtime, canvas }: Target) {
  const isThisMachine = installed(runtime) !== undefined;
  const executablePath = isThisMachine
    ? process.execPath
    : fileIn(await unpacked(runtime), /^bun(?:\.exe)?$/);
  const canvasDir = installed(canvas) ?? (await unpacked(canvas));
  return { executablePath, library: fileIn(canvasDir, /\.node$/) };
}
