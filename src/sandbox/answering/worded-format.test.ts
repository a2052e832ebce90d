import { describe, expect, test } from "bun:test";
import { readChatPrompt } from "../reading/read-chat.ts";
import { planAnswer } from "./answer.ts";

type Message = readonly [role: "system" | "user", content: string];

function answerTo(messages: readonly Message[], more: object = {}): string {
  const list = messages.map(([role, content]) => ({ role, content }));
  const { parts } = planAnswer(readChatPrompt({ model: "sandbox-1.0", messages: list, ...more }));
  return parts.map((part) => (part.kind === "text" ? part.tokens.join("") : "")).join("");
}

const SCHEMA = {
  properties: { name: { type: "string" }, age: { type: "integer" }, say: { const: "} \\" } },
  required: ["name", "age", "say"],
  type: "object",
};
const ORDER = `Give objects that match this json_schema:\n\n${JSON.stringify(SCHEMA, null, 2)}\n\nNo schema.`;
const ASKED = "Extract: Jason is 25 years old.";

describe("a JSON schema that instructions have in words", () => {
  test.each([{}, { response_format: { type: "json_object" } }])("is followed: %j", (more) => {
    const answer = JSON.parse(
      answerTo(
        [
          ["system", ORDER],
          ["user", ASKED],
        ],
        more,
      ),
    );
    expect(answer).toEqual({ name: expect.any(String), age: 25, say: "} \\" });
  });

  test("is not where tools are, where it is cut off, or where a user only speaks of one", () => {
    const tools = [{ type: "function", function: { name: "f", parameters: {} } }];
    expect(
      answerTo(
        [
          ["system", ORDER],
          ["user", "Hm."],
        ],
        { tools },
      ),
    ).not.toStartWith("{");
    expect(
      answerTo([
        ["system", ORDER.slice(0, 90)],
        ["user", ASKED],
      ]),
    ).not.toStartWith("{");
    expect(answerTo([["user", `What is a JSON schema: {"type": "object"}?`]])).not.toBe("{}");
  });
});

describe("marked fields, as DSPy asks for them", () => {
  const demand = (question: string, fields: string) =>
    `[[ ## question ## ]]\n${question}\n\nRespond with the corresponding output fields, starting with ` +
    `the field ${fields}, and then ending with the marker for \`[[ ## completed ## ]]\`.`;

  test("are answered each by its type", () => {
    const fields =
      "`[[ ## text ## ]]`, then `[[ ## mood ## ]]` (must be formatted as a valid Python " +
      "Literal['good', 'bad']), then `[[ ## count ## ]]` (must be formatted as a valid Python int), " +
      "then `[[ ## words ## ]]` (must be formatted as a valid Python list[str])";
    const answer = answerTo([["user", demand("What is 2+3? Is that bad?", fields)]]);
    const [, text, mood, count, words, end] = answer.split(/\[\[ ## \w+ ## \]\]/);
    expect(text).toBe("\n2+3 = 5\n\n");
    expect(mood?.trim()).toBe("bad");
    expect(Number.isInteger(JSON.parse(count ?? ""))).toBe(true);
    expect(JSON.parse(words ?? "")).toEqual([expect.any(String)]);
    expect(end).toBe("");
    expect(answer).toEndWith("[[ ## completed ## ]]");
  });

  test("are bounded, however many there are and however deep a type is", () => {
    const type = `${"list[".repeat(2_000)}str${"]".repeat(2_000)}`;
    const deep = `\`[[ ## a ## ]]\` (must be formatted as a valid Python ${type})`;
    expect(answerTo([["user", demand("Hm.", deep)]]).length).toBeLessThan(2_000);
    const many = Array.from({ length: 500 }, (_, i) => `\`[[ ## f${i} ## ]]\``).join(", then ");
    const answer = answerTo([["user", demand("Hm.", many)]]);
    expect(answer.match(/## f\d+ ##/g)).toHaveLength(64);
  });
});
