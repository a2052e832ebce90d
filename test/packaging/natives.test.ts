// What executables for other machines are made of. They are built here and not run.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { nativesOf, TARGETS, unpacked } from "../../dev/ship/natives.ts";
import lock from "../../package-lock.json" with { type: "json" };
import { partsOfTest } from "../support/houses/house.ts";

const parts = partsOfTest();
const packages: Readonly<Record<string, { version?: string; integrity?: string }>> = lock.packages;

describe("an executable for another machine", () => {
  test.each(Object.entries(TARGETS))("has its runtime and its drawing library: %s", (_, target) => {
    for (const name of [target.runtime, target.canvas]) {
      const { version, integrity } = packages[`node_modules/${name}`] ?? {};
      expect(version).toMatch(/^[\d.]+$/);
      expect(integrity).toMatch(/^sha512-/);
    }
  });

  test("is not built without one of them", async () => {
    const missing = { compile: "bun-linux-x64", runtime: "@oven/bun-none", canvas: "none" };
    await expect(nativesOf(missing)).rejects.toThrow(/^package-lock.json has no @oven\/bun-none/);
  });

  test("is not built with a file that has another hash", async () => {
    const cache = parts.folder();
    const { version } = packages["node_modules/@napi-rs/canvas-darwin-x64"] ?? {};
    writeFileSync(join(cache, `@napi-rs-canvas-darwin-x64-${version}.tgz`), "something else");
    await expect(unpacked("@napi-rs/canvas-darwin-x64", cache)).rejects.toThrow(
      /has the hash sha512-.* and package-lock.json wants sha512-.*Delete the file/,
    );
  });
});
