import { describe, expect, test } from "bun:test";
import { asCode } from "./as-code.ts";
import type { Question } from "./call.ts";

const QUESTION: Question = {
  endpoint: "responses",
  model: "m-1",
  instructions: "Don't guess.",
  temperature: 0.5,
  maxOutput: undefined,
  before: [{ prompt: "Hi", answer: "Hello" }],
  prompt: 'Say "it\'s" 你好\nagain',
};

const textOf = (id: string, question = QUESTION) =>
  asCode(question, "https://gate.example.com").find((each) => each.id === id)?.text ?? "";

describe("a question as code", () => {
  test("is taken by a shell as it was asked", async () => {
    // Without the address and the key, what is left is what curl would send.
    const body = textOf("curl").split(" -d ")[1] ?? "";
    const said = await Bun.$`sh -c ${`printf %s ${body}`}`.text();
    expect(JSON.parse(said)).toEqual({
      model: "m-1",
      input: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello" },
        { role: "user", content: QUESTION.prompt },
      ],
      instructions: "Don't guess.",
      temperature: 0.5,
    });
    expect(textOf("curl")).toStartWith("curl https://gate.example.com/v1/responses");
  });

  test("is what JavaScript would ask", async () => {
    const asked: unknown[] = [];
    class OpenAI {
      readonly chat = { completions: { create: (body: unknown) => this.#say(body) } };
      #say(body: unknown) {
        asked.push(body);
        return { choices: [{ message: { content: "said" } }] };
      }
    }
    const [, ...lines] = textOf("node", { ...QUESTION, endpoint: "chat" }).split("\n");
    const run = new Function("OpenAI", "console", `return (async () => {${lines.join("\n")}})()`);
    const shown: unknown[] = [];
    await run(OpenAI, { log: (words: unknown) => shown.push(words) });
    expect(asked).toMatchObject([{ model: "m-1", temperature: 0.5, messages: [{}, {}, {}, {}] }]);
    expect(shown).toEqual(["said"]);
  });

  test("holds no key and no wish that was not made", () => {
    for (const { text } of asCode({ ...QUESTION, temperature: undefined }, "https://g")) {
      expect(text).toContain("sk-fg-…");
      expect(text).not.toContain("temperature");
      expect(text).not.toContain("stream");
    }
  });
});
