import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { GATE_RUNTIME, RUNTIME } from "../../bin/runtime.mjs";
import { partsOfTest, perFile } from "../support/houses/house.ts";

const LAUNCHER = join(import.meta.dir, "..", "..", "bin", "faregate");

const perTest = partsOfTest();

/** Says what it was started with, in the place of the program. */
const folder = await perFile((parts) => parts.folder());
const speaker = join(folder, "speaker.ts");
writeFileSync(speaker, "console.log(JSON.stringify(process.env)); process.exit(0);\n");

/** What the launcher starts a command with, of those things that the runtime reads first. */
async function startedWith(command: string, own: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH ?? "", BUN_OPTIONS: `--preload=${speaker}`, ...own };
  const child = Bun.spawn(["node", LAUNCHER, command], { env, stdout: "pipe", cwd: folder });
  const told = JSON.parse(await child.stdout.text()) as Record<string, string>;
  expect(await child.exited).toBe(0);
  const names = Object.keys(GATE_RUNTIME).filter((name) => name in told);
  return Object.fromEntries(names.map((name) => [name, told[name]]));
}

describe("the launcher", () => {
  test("starts a gate with what saves it time, and other commands without", async () => {
    expect(await startedWith("serve")).toEqual(GATE_RUNTIME);
    expect(await startedWith("verify")).toEqual(RUNTIME);
  });

  test("leaves what the user has set", async () => {
    const own = { MIMALLOC_PURGE_HOLES: "1" };
    expect(await startedWith("serve", own)).toEqual({ ...GATE_RUNTIME, ...own });
  });
});

describe("npm start", () => {
  const ROOT = join(import.meta.dir, "..", "..");

  test("ends its server when npm alone is told to stop", async () => {
    const data = await perTest.folder();
    const env = {
      ...process.env,
      FAREGATE_DATA: data,
      FAREGATE_PORT: "0",
      npm_config_loglevel: "silent",
    };
    const npm = Bun.spawn(["npm", "start"], { env, cwd: ROOT, stdout: "pipe", stderr: "ignore" });
    let said = "";
    let told = false;
    // The stream ends when nobody is left who could write to it: neither npm nor the server.
    for await (const bytes of npm.stdout) {
      said += Buffer.from(bytes).toString();
      if (told || !said.includes("/console/welcome#")) continue;
      told = true;
      npm.kill("SIGTERM");
    }
    await npm.exited;
    expect(said.trimStart()).toStartWith("Faregate is ready.");
  });
});
