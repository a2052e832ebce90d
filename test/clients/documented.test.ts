import { describe, expect, test } from "bun:test";
import project from "../../package.json";
import { CLIENTS } from "./clients.ts";

const page = await Bun.file(`${import.meta.dir}/../../docs/clients.md`).text();

describe("the page of clients", () => {
  test.each(CLIENTS.map(({ name, version }) => [name, version]))(
    "says which version was tried: %s %s",
    (name, version) => {
      const rows = page.split("\n").filter((line) => line.startsWith("|"));
      expect(rows.some((row) => row.includes(`${name} ${version}`))).toBe(true);
    },
  );

  test.each(["openai", "@anthropic-ai/sdk", "@google/genai", "@openai/agents", "ai"] as const)(
    "says which version the suites have: %s",
    (name) => {
      const words = page.replaceAll(/\s+/g, " ");
      expect(words).toContain(` ${name} ${project.devDependencies[name]}`);
    },
  );
});
