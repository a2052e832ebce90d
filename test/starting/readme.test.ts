// Runs every block of code in the README, in both languages, as a newcomer would.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";

const projectDir = join(import.meta.dir, "..", "..");
const ADDRESS = "http://127.0.0.1:8080";
/** Other suites start packed servers, and the second one is this very run. */
const COMMANDS = ["npm install && npm start", "npm install && npm test"];

const { server } = await perFile(async (parts) => serve(parts));
const { key } = await server.account("5");
const { origin } = new URL(server.url);

interface Block {
  readonly language: string;
  readonly text: string;
}

async function blocksOf(name: string): Promise<Block[]> {
  const text = await Bun.file(join(projectDir, name)).text();
  const found = text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...found].map(([, language = "", block = ""]) => ({ language, text: block.trim() }));
}

/** Runs a program in the project's folder, with the server and the key of this test in place of the README's. */
async function run(command: string[]): Promise<string> {
  const child = Bun.spawn(command, {
    cwd: projectDir,
    env: { PATH: process.env.PATH ?? "", FAREGATE_KEY: key },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect({ code: await child.exited, errors: errors.replace(/^\s*%[\s\S]*$/m, "") }).toMatchObject({
    code: 0,
  });
  return out;
}

describe.each(["README.md", "README.zh.md"])("%s", async (name) => {
  const blocks = await blocksOf(name);

  test("has a block for each step, and no block that this test does not know", () => {
    const kinds = blocks.map(({ language, text }) => `${language} ${text.split("\n")[0]}`);
    expect(kinds).toEqual([
      "sh npm install && npm start",
      "sh npm install && npm test",
      expect.stringMatching(/^sh export FAREGATE_KEY=sk-fg-…/),
      "js // hello.mjs",
      "sh ANTHROPIC_API_KEY=sk-ant-… OPENAI_API_KEY=sk-…,sk-… npm start",
    ]);
    for (const command of COMMANDS) expect(blocks.some(({ text }) => text === command)).toBe(true);
  });

  test("makes the first call by curl", async () => {
    const [, , curl] = blocks;
    const script = (curl?.text ?? "").replace(/^export .*$/m, "").replaceAll(ADDRESS, origin);
    const answer = JSON.parse(await run(["sh", "-c", script]));
    expect(answer).toMatchObject({ object: "response", status: "completed", model: "sandbox-1.0" });
  });

  test("makes the same call by the SDK, and prints what it cost", async () => {
    const [, , , hello] = blocks;
    const script = (hello?.text ?? "").replaceAll(ADDRESS, origin);
    expect(await run([process.execPath, "-e", script])).toMatch(/^Hello\S* 0\.\d+\n$/i);
  });
});
