import { expect, test } from "bun:test";
import { askAbout } from "./draft-push.ts";

const draft = {
  id: "drf_1",
  status: "in_box",
  updated_at: "2026-11-15T01:02:03Z",
  articles: [{ title: "Cranes" }],
};

/** Somebody who gives these answers, and then ends the input. */
function person(...answers: string[]) {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answers.shift();
  };
  return { asked, ask };
}

test.each([
  [["u"], "update"],
  [["N"], "new"],
  [["l"], "leave"],
  [[""], "leave"],
  [[], "leave"],
  [["yes", "what", "u"], "update"],
] as const)("the answers %p mean %s", async (answers, choice) => {
  const { asked, ask } = person(...answers);
  expect(await askAbout(draft, "a.md", { ask })).toBe(choice);
  expect(asked[0]).toContain('a.md is already draft drf_1 ("Cranes", in box, 2026-11-15 01:02).');
  expect(asked).toHaveLength(Math.max(1, answers.length));
  for (const question of asked) expect(question).toEndWith("[l]eave it? ");
});
