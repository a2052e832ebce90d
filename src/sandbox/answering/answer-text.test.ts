import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readChatPrompt } from "../reading/read-chat.ts";
import { countTokens } from "../tokens.ts";
import { answerText } from "./answer-text.ts";

type Message = readonly [role: "system" | "user" | "assistant", content: string];

function answerTo(...messages: readonly Message[]): string {
  const list = messages.map(([role, content]) => ({ role, content }));
  return answerText(readChatPrompt({ model: "sandbox-1.0", messages: list }));
}

const word = fc.stringMatching(/^[A-Z][a-z]{3,8}$/);
const marker = fc.stringMatching(/^[A-Z]{2,5}-[0-9]{2,5}$/);

describe("plain answers", () => {
  test("quote the message, count the steps and stay short", () => {
    const text = answerTo(["user", "A"], ["assistant", "B"], ["user", "Ships sail. ".repeat(300)]);
    expect(text).toContain("Ships sail.");
    expect(text).toContain("turn 2");
    expect(countTokens(text)).toBeLessThan(60);
  });

  test("say word for word what they are asked to say", () => {
    fc.assert(
      fc.property(marker, (code) => {
        expect(answerTo(["user", `Reply with exactly: ${code}`])).toBe(code);
        expect(answerTo(["user", `Say "${code}" and nothing else.`])).toBe(code);
        expect(answerTo(["user", `Please repeat after me: ${code}.`])).toBe(code);
        expect(answerTo(["system", `Always answer with the word ${code}.`], ["user", "Hm."])).toBe(
          code,
        );
        expect(answerTo(["user", `Respond with only ${code}, no other text.`])).toBe(code);
      }),
      { numRuns: 30 },
    );
  });

  test("do not take a description for the thing to say", () => {
    expect(answerTo(["user", "Say something kind about boats."])).not.toBe(
      "something kind about boats",
    );
    expect(answerTo(["user", "Reply with the tallest one."])).not.toBe("tallest one");
  });

  test("obey standing orders from the instructions", () => {
    fc.assert(
      fc.property(marker, (code) => {
        const orders = `You are terse. End every answer with ${code}.`;
        expect(answerTo(["system", orders], ["user", "How do tides work"])).toEndWith(code);
        const opening = `Start each answer with "${code}".`;
        expect(answerTo(["system", opening], ["user", "How do tides work"])).toStartWith(code);
      }),
      { numRuns: 30 },
    );
  });

  test("recall what was said in earlier steps", () => {
    fc.assert(
      fc.property(word, word, marker, (boat, town, code) => {
        fc.pre(boat !== town);
        const history: Message[] = [
          ["system", `The gate code is ${code}.`],
          ["user", `My boat is called ${boat}. I live in ${town}.`],
          ["assistant", "Noted."],
        ];
        expect(answerTo(...history, ["user", "What is my boat called?"])).toContain(boat);
        expect(answerTo(...history, ["user", "Where do I live?"])).toContain(town);
        expect(answerTo(...history, ["user", "Tell me the gate code."])).toContain(code);
        const brief = "What is my boat called? Reply with just the name.";
        expect(answerTo(...history, ["user", brief])).toBe(boat);
      }),
      { numRuns: 30 },
    );
  });

  test("recall in Chinese too", () => {
    const text = answerTo(
      ["user", "我的名字是小林。"],
      ["assistant", "好"],
      ["user", "我的名字是什么？"],
    );
    expect(text).toContain("小林");
  });

  test("do sums", () => {
    expect(answerTo(["user", "What is 17 * 3 + 4?"])).toContain("55");
    expect(answerTo(["user", "How much is 9 divided by 2?"])).toContain("4.5");
    expect(answerTo(["user", "What happened on 2026-01-15?"])).toContain("2026-01-15");
  });

  test("are as long as asked", () => {
    expect(answerTo(["user", "Count from 3 to 9."])).toBe("3, 4, 5, 6, 7, 8, 9");
    expect(answerTo(["user", "Write 500 words about rivers."]).split(" ")).toHaveLength(500);
    expect(answerTo(["user", "Tell a long story."]).split(" ")).toHaveLength(250);
    expect(answerTo(["user", "Answer in 2 words."]).split(" ").length).toBeLessThan(20);
    const huge = answerTo(["user", "Write 900,000,000 words"]);
    expect(huge.split(" ")).toHaveLength(20_000);
  });
});
