// The command line has the console's Chinese words for what the server says in English.
import { expect, test } from "bun:test";
import { findings, problems } from "../../src/cli/words/zh/server.ts";
import { draftProblems } from "../../web/i18n/zh/drafts/draft-problems.ts";
import { drafts } from "../../web/i18n/zh/drafts/drafts.ts";

test("problems are named as in the console", () => {
  expect(problems).toEqual(draftProblems);
});

test("findings of the doctor are named as in the console", () => {
  const known = Object.entries(drafts).filter(([name]) => /^(?:check|found|reason)_/.test(name));
  const { heading, author, digest } = drafts;
  expect(findings).toEqual({
    ...Object.fromEntries(known),
    heading,
    author,
    digest,
  } as typeof findings);
});
