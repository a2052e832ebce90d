import { describe, expect, test } from "bun:test";
import {
  CLIENTS,
  cherryLink,
  modelFor,
  SECRET_PLACE,
  shellWord,
  snippetsOf,
  talkingModels,
} from "./snippets.ts";

const connection = {
  address: "https://gate.example.com",
  secret: "sk-fg-abc123",
  model: "gpt-5.2",
};
const textOf = (client: Exclude<(typeof CLIENTS)[number], "cherry">, change = {}) =>
  snippetsOf(client, { ...connection, ...change })
    .map(({ text }) => text)
    .join("\n");

describe("the first snippets", () => {
  test("are filled in with the address, the key and the model", () => {
    for (const client of CLIENTS) {
      if (client === "cherry") continue;
      const text = textOf(client);
      expect(text).toContain("https://gate.example.com");
      expect(text).toContain("sk-fg-abc123");
      expect(text).toContain("gpt-5.2");
    }
  });

  test("give Claude Code the address without a path, and the others with one", () => {
    expect(textOf("claude")).toContain("ANTHROPIC_BASE_URL=https://gate.example.com\n");
    expect(textOf("codex")).toContain('base_url = "https://gate.example.com/v1"');
    expect(textOf("python")).toContain('base_url="https://gate.example.com/v1"');
    expect(textOf("node")).toContain('baseURL: "https://gate.example.com/v1"');
  });

  test("run in a shell: curl sends the JSON that it shows", async () => {
    const command = textOf("curl", { model: "it's/odd" });
    const shell = Bun.spawn(["sh", "-c", `curl() { printf '%s\\n' "$@"; }\n${command}`]);
    const words = (await new Response(shell.stdout).text()).trimEnd().split("\n");
    expect(words.slice(0, -1)).toEqual([
      "https://gate.example.com/v1/responses",
      "-H",
      "Authorization: Bearer sk-fg-abc123",
      "-H",
      "Content-Type: application/json",
      "-d",
    ]);
    expect(JSON.parse(words.at(-1) ?? "")).toEqual({ model: "it's/odd", input: "Say hello." });
  });

  test("cannot be broken out of by what is pasted as a key", () => {
    expect(shellWord("a'; rm -rf /; '")).toBe(`'a'\\''; rm -rf /; '\\'''`);
    expect(textOf("node", { secret: 'x"; evil("' })).toContain('"x\\"; evil(\\""');
  });

  test("a place for the key needs no quotes in a shell", () => {
    expect(shellWord(SECRET_PLACE)).toBe(SECRET_PLACE);
  });

  test("Cherry Studio is given the address and the key in its link", () => {
    const data = new URL(cherryLink(connection)).searchParams.get("data") ?? "";
    const json = atob(data.replaceAll("_", "+").replaceAll("-", "/"));
    expect(JSON.parse(json)).toEqual({
      id: "faregate",
      name: "Faregate",
      type: "openai",
      baseUrl: "https://gate.example.com",
      apiKey: "sk-fg-abc123",
    });
  });
});

describe("the model of a snippet", () => {
  const models = ["sandbox-1.0", "gpt-5.2", "claude-sonnet-5.5"];

  test("is one that talks", () => {
    const offered = [
      { id: "text-embedding", endpoints: ["embeddings"] },
      { id: "gpt-5.2", endpoints: ["responses", "chat"] },
      { id: "other", endpoints: ["chat"] },
    ] as const;
    expect(talkingModels(offered)).toEqual(["gpt-5.2", "other"]);
  });

  test("is one that the client is at home with, unless another is chosen", () => {
    expect(modelFor("claude", models, undefined)).toBe("claude-sonnet-5.5");
    expect(modelFor("codex", models, undefined)).toBe("gpt-5.2");
    expect(modelFor("curl", models, undefined)).toBe("sandbox-1.0");
    expect(modelFor("claude", models, "gpt-5.2")).toBe("gpt-5.2");
    expect(modelFor("claude", ["sandbox-1.0"], undefined)).toBe("sandbox-1.0");
    expect(modelFor("curl", [], undefined)).toBeUndefined();
  });
});
