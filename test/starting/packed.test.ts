// The program that people start: its sources packed into few files, once for each version.
import { expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { environment } from "../cli/commands.ts";
import { partsOfTest } from "../support/houses/house.ts";

const PROJECT = join(import.meta.dir, "..", "..");
const parts = partsOfTest();

/** A checkout of its own, in which sources may change. */
function checkout(): string {
  const folder = parts.folder();
  for (const name of ["bin", "src", "package.json", "package-lock.json"]) {
    cpSync(join(PROJECT, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(PROJECT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** Starts a server whose settings are wrong, and tells what it says of that. */
async function started(folder: string): Promise<string> {
  const child = Bun.spawn(["node", join(folder, "bin", "faregate"), "serve"], {
    env: environment({ FAREGATE_DATA: join(folder, "data"), FAREGATE_PORT: "no number" }),
    stderr: "pipe",
  });
  const words = await new Response(child.stderr).text();
  expect(await child.exited).toBe(2);
  return words;
}

test("it is packed at the first start, and again when anything of it has changed", async () => {
  const folder = checkout();
  const dist = join(folder, "dist");
  expect(await started(folder)).toContain("FAREGATE_PORT");
  const [first = ""] = readdirSync(dist);
  // What a start has loaded is what was packed, not the sources.
  const main = join(dist, first, "main.js");
  writeFileSync(main, 'console.error("packed"); process.exit(2);');
  expect(await started(folder)).toBe("packed\n");

  // Of those before two stay, and one by which somebody still runs, however old.
  const used = join(dist, "used");
  mkdirSync(used);
  writeFileSync(join(used, `used-by-${process.pid}`), "");
  utimesSync(used, new Date(0), new Date(0));
  const older = ["a", "b", "c"].map((name) => join(dist, name));
  for (const [age, folder] of older.entries()) {
    mkdirSync(folder);
    utimesSync(folder, new Date(0), new Date(1_000_000 - age));
  }
  writeFileSync(join(folder, "src", "added.ts"), "export const added = true;\n");
  expect(await started(folder)).toContain("FAREGATE_PORT");
  expect(readdirSync(dist)).toHaveLength(4);
  const kept = [main, ...older, used].map((path) => existsSync(path));
  expect(kept).toEqual([true, true, false, false, true]);
});

test("it is another one where npm has installed other packages", async () => {
  const folder = checkout();
  rmSync(join(folder, "node_modules"));
  mkdirSync(join(folder, "node_modules"));
  const { packedEntry } = await import(join(folder, "bin", "packed.mjs"));
  const places = ["none", "older", "newer"].map((version) => {
    writeFileSync(join(folder, "node_modules", ".package-lock.json"), JSON.stringify({ version }));
    return packedEntry();
  });
  expect(new Set(places).size).toBe(3);
});

test("it runs from its sources where it cannot be packed", async () => {
  const folder = checkout();
  writeFileSync(join(folder, "dist"), "a file where the folder would be");
  expect(await started(folder)).toContain("FAREGATE_PORT");
  rmSync(join(folder, "dist"));
  writeFileSync(join(folder, "bin", "pack.ts"), "process.exit(1);");
  expect(await started(folder)).toContain("FAREGATE_PORT");
  expect(readdirSync(join(folder, "dist"))).toEqual([]);
});
