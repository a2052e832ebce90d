import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { faultOf } from "../../../test/support/errors.ts";
import { perFile } from "../../../test/support/houses/house.ts";
import { readConfig } from "../../config/config.ts";
import { type DraftClient, draftClient, type JsonBody } from "./draft-client.ts";
import { askAbout, push } from "./draft-push.ts";
import { PushedFiles } from "./pushed-files.ts";

const folder = await perFile((parts) => parts.folder());
const article = join(folder, "a.md");
writeFileSync(article, "# Cranes\n\nThey stay.\n");

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

describe("a file whose draft is being published", () => {
  /** What is asked of a server that knows the file as a draft in this state. */
  function pushing(known: JsonBody, ...options: string[]) {
    const env = { FAREGATE_STATE: join(folder, "state") };
    new PushedFiles(env).remember(article, draft.id);
    const asked: string[] = [];
    const answering = (name: string, answer: JsonBody) => async () => {
      asked.push(name);
      return answer;
    };
    const client: DraftClient = {
      ...draftClient(() => Promise.reject(new Error("nobody else is asked"))),
      publicAccount: async () => ({ id: "pub" }),
      get: answering("get", { ...draft, public_account_id: "pub", ...known }),
      add: answering("add", { ...draft, id: "drf_2", media_id: "m", writing: [] }),
    };
    const deps = { client, config: readConfig({}), env };
    return { pushed: push(deps, [article, ...options]), asked };
  }

  const IN_DOUBT = { status: "publishing", publish_id: null };

  test.each([[[]], [["--update"]]])(
    "with %p adds no other where the answer to that was lost",
    async (options) => {
      const { pushed, asked } = pushing(IN_DOUBT, ...options);
      const { fault, facts } = await faultOf(pushed);
      expect([fault, facts.draft_id]).toEqual(["platform_unknown", draft.id]);
      expect(asked).toEqual(["get"]);
    },
  );

  test.each([
    ["where the platform says that it is", { status: "publishing", publish_id: "1" }, []],
    ["where one was asked for", IN_DOUBT, ["--new"]],
  ])("is a new one %s", async (_where, known, options) => {
    const { pushed, asked } = pushing(known, ...options);
    expect(await pushed).toBe(0);
    expect(asked).toContain("add");
  });
});
