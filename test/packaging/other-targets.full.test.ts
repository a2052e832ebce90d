// Builds the executables for machines that this one cannot run. It downloads their runtimes.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nativesOf, TARGETS } from "../../dev/ship/natives.ts";
import project from "../../package.json" with { type: "json" };
import { partsOfTest } from "../support/houses/house.ts";
import { script } from "./shipped.ts";

const parts = partsOfTest();
/** How the files of each system begin. */
const MAGIC: Readonly<Record<string, string>> = {
  linux: "7f454c46",
  darwin: "cffaedfe",
  windows: "4d5a",
};

test.each(Object.entries(TARGETS))("%s", async (name, target) => {
  const folder = parts.folder();
  await script("dev/ship/binary.ts", "--target", name, "--into", folder);
  const [system = ""] = name.split("-");
  const ending = system === "windows" ? ".exe" : "";
  const file = readFileSync(join(folder, `faregate-${project.version}-${name}${ending}`));
  expect(file.toString("hex", 0, 4)).toStartWith(MAGIC[system] ?? "none");
  // The library of the target is inside, whole, and not that of this machine.
  const { library } = await nativesOf(target);
  expect(file.includes(readFileSync(library))).toBe(true);
});
