// The package for npm, installed into an empty folder beside the runtime and the drawing library of this clone.
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sizeOf } from "../../dev/ship/stage.ts";
import project from "../../package.json" with { type: "json" };
import { partsOfTest, perFile } from "../support/houses/house.ts";
import { buildPackage, run, testShipped } from "./shipped.ts";

const PROJECT = join(import.meta.dir, "..", "..");
const OWN_BYTES_MAX = 40_000_000;
const INSTALLED_BYTES_MAX = 220_000_000;
const parts = partsOfTest();

const built = await perFile((open) => buildPackage(open.folder()));

/** Unpacks the tarball below node_modules, as npm does, and puts the packages that it depends on beside it. */
function install(folder: string, { scripts }: { readonly scripts: boolean }): string {
  const modules = join(folder, "node_modules");
  const own = join(modules, "faregate");
  mkdirSync(own, { recursive: true });
  const tar = ["tar", "xzf", built.tarball, "--strip-components=1", "-C", own];
  expect(Bun.spawnSync(tar).exitCode).toBe(0);
  symlinkSync(join(PROJECT, "node_modules", "@napi-rs"), join(modules, "@napi-rs"));
  const linked = join(modules, "bun", "bin", "bun.exe");
  mkdirSync(join(modules, "bun", "bin"), { recursive: true });
  if (scripts) symlinkSync(process.execPath, linked);
  else {
    writeFileSync(linked, 'echo "Bun\'s postinstall script was not run" >&2; exit 1\n');
    chmodSync(linked, 0o755);
    const platform = join(modules, "@oven", "bun-of-this-platform", "bin");
    mkdirSync(platform, { recursive: true });
    symlinkSync(process.execPath, join(platform, "bun"));
  }
  return join(own, "bin", "faregate");
}

const installed = await perFile((open) => {
  const cwd = open.folder();
  return { cwd, command: ["node", install(cwd, { scripts: true })] };
});

describe("the package", () => {
  test("has these files and no others, within its size", () => {
    const own = join(built.folder, "npm");
    expect(readdirSync(own).sort()).toEqual([
      ...["CHANGELOG.md", "LICENSE", "README.md", "README.zh.md", "THIRD-PARTY-NOTICES.txt"],
      ...["bin", "docs", "fonts", "package.json", "program", "web"],
    ]);
    expect(readdirSync(join(own, "bin")).sort()).toEqual(["bun.mjs", "faregate", "runtime.mjs"]);
    expect(readdirSync(join(own, "web"))).toEqual(["dist"]);
    const packed = Bun.spawnSync(["tar", "tzf", built.tarball]).stdout.toString();
    expect(packed.match(/\.(?:ts|tsx|map)$/gm)).toBeNull();
    for (const folder of [
      "program/main.js",
      "fonts/",
      "web/dist/manifest.json",
      "docs/README.md",
    ]) {
      expect(packed).toContain(`package/${folder}`);
    }
    expect(sizeOf(own)).toBeLessThan(OWN_BYTES_MAX);
  });

  test("depends on what cannot be bundled, in exact versions, and on nothing else", () => {
    const manifest = JSON.parse(readFileSync(join(built.folder, "npm", "package.json"), "utf8"));
    expect(manifest.dependencies).toEqual(project.dependencies);
    expect(Object.keys(project.dependencies)).toEqual(["@napi-rs/canvas", "bun"]);
    for (const version of Object.values(project.dependencies)) expect(version).toMatch(/^[\d.]+$/);
    for (const member of ["scripts", "devDependencies", "overrides", "private"]) {
      expect(manifest).not.toHaveProperty(member);
    }
  });

  test("is within its size with all that npm installs", () => {
    const modules = join(PROJECT, "node_modules");
    const natives = readdirSync(join(modules, "@napi-rs"));
    const beside = ["bun", "@oven", ...natives.map((name) => `@napi-rs/${name}`)];
    const bytes = beside.reduce((sum, name) => sum + sizeOf(join(modules, name)), 0);
    expect(bytes + sizeOf(join(built.folder, "npm"))).toBeLessThan(INSTALLED_BYTES_MAX);
  });

  test("has a font with the characters of GB 18030 levels 1 and 2", () => {
    for (const name of readdirSync(join(built.folder, "npm", "fonts"))) {
      const characters = charactersOf(readFileSync(join(built.folder, "npm", "fonts", name)));
      const missing = [...hanziOfLevel1()].filter((code) => !characters.has(code));
      expect(missing.map((code) => code.toString(16))).toEqual([]);
      // Level 2 adds the characters of the national table that lie outside of the first plane.
      expect([...characters].filter((code) => code > 0xffff).length).toBeGreaterThan(196);
    }
  });
});

/** The code points that a font has a shape for, by its table `cmap` of format 12. */
function charactersOf(font: Buffer): Set<number> {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, at) => 12 + 16 * at);
  const entry = tables.find((at) => font.toString("latin1", at, at + 4) === "cmap") ?? 0;
  const cmap = font.readUInt32BE(entry + 8);
  const found = new Set<number>();
  for (let at = 0; at < font.readUInt16BE(cmap + 2); at++) {
    const table = cmap + font.readUInt32BE(cmap + 8 + 8 * at);
    if (font.readUInt16BE(table) !== 12) continue;
    for (let group = 0; group < font.readUInt32BE(table + 12); group++) {
      const range = table + 16 + 12 * group;
      const last = font.readUInt32BE(range + 4);
      for (let code = font.readUInt32BE(range); code <= last; code++) found.add(code);
    }
  }
  return found;
}

/** The unified ideographs that every system must have: the first block of two bytes, and extension A. */
function* hanziOfLevel1(): Iterable<number> {
  for (let code = 0x4e00; code <= 0x9fa5; code++) yield code;
  for (let code = 0x3400; code <= 0x4db5; code++) yield code;
}

describe("a drawing library that does not load", () => {
  /** Pushes a draft, whose cover is drawn, with a package in the place of the library. */
  const push = async (library: string) => {
    const cwd = parts.folder();
    const launcher = install(cwd, { scripts: true });
    const modules = join(cwd, "node_modules", "@napi-rs");
    rmSync(modules);
    mkdirSync(join(modules, "canvas"), { recursive: true });
    writeFileSync(join(modules, "canvas", "index.js"), library);
    writeFileSync(join(cwd, "article.md"), "---\nauthor: Ada\n---\n# Cranes\n\nThey stay.\n");
    const settings = { FAREGATE_DATA: join(cwd, "data"), FAREGATE_STATE: join(cwd, "state") };
    return run({ cwd, command: ["node", launcher] }, ["draft", "push", "article.md"], settings);
  };

  test("names the library of the system that is missing", async () => {
    const { code, stderr } = await push(`throw new Error("Cannot find native binding.\\nnpm …", {
      cause: new Error("libgcc_s.so.1: cannot open shared object file: No such file or directory"),
    });`);
    expect(code).not.toBe(0);
    expect(stderr).toContain("does not load. Install libgcc_s.so.1 on the server. ");
  });

  test("asks for npm install otherwise", async () => {
    const { code, stderr } = await push('throw new Error("Cannot find native binding.");');
    expect(code).not.toBe(0);
    expect(stderr).toContain('does not load. Run "npm install" on the server. ');
  });
});

describe("the launcher", () => {
  const version = async (launcher: string) => {
    const child = Bun.spawn(["node", launcher, "version"], { stdout: "pipe", stderr: "pipe" });
    const words = [new Response(child.stdout).text(), new Response(child.stderr).text()];
    const [stdout, stderr] = await Promise.all(words);
    return { code: await child.exited, stdout, stderr };
  };

  test("finds the runtime where npm ran no install scripts", async () => {
    const launcher = install(parts.folder(), { scripts: false });
    expect(await version(launcher)).toEqual({
      code: 0,
      stdout: `${project.version}\n`,
      stderr: "",
    });
  });

  test("says in one sentence that a clone has only some of its packages", async () => {
    const folder = parts.folder();
    cpSync(join(PROJECT, "bin"), join(folder, "bin"), { recursive: true });
    expect(await version(join(folder, "bin", "faregate"))).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^faregate: [^\n]*npm install --include=dev[^\n]*\n$/),
    });
  });

  test("says in one sentence that the runtime is missing, or cannot be executed here", async () => {
    const none = parts.folder();
    mkdirSync(join(none, "program"));
    writeFileSync(join(none, "program", "main.js"), "");
    cpSync(join(built.folder, "npm", "bin"), join(none, "bin"), { recursive: true });
    const missing = /^faregate: Its runtime is not installed\. [^\n]*npm install[^\n]*\n$/;
    expect(await version(join(none, "bin", "faregate"))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(missing),
    });
    const linked = join(none, "node_modules", "bun", "bin", "bun.exe");
    mkdirSync(join(none, "node_modules", "bun", "bin"), { recursive: true });
    writeFileSync(linked, "#!/lib/no-such-library.so\n", { mode: 0o755 });
    expect(await version(join(none, "bin", "faregate"))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^faregate: [^\n]*C library[^\n]*npm install[^\n]*\n$/),
    });
  });
});

testShipped("the installed package", installed, { typed: "npx faregate", whole: true });
