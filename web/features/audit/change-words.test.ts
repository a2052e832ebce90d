import { expect, test } from "bun:test";
import type { Translate } from "../../i18n/language.tsx";
import { changeLine, valueWords } from "./change-words.ts";

const t = ((key: string, values?: object) =>
  values ? `<${key} ${JSON.stringify(values)}>` : `<${key}>`) as Translate;

test("a value is told as somebody would write it", () => {
  expect(valueWords(null, t)).toBe("–");
  expect(valueWords([], t)).toBe("–");
  expect(valueWords(0, t)).toBe("0");
  expect(valueWords(false, t)).toBe("<words.no>");
  expect(valueWords(["a", "b"], t)).toBe("a, b");
  expect(valueWords([{ amount: "5.0", some_thing: "x" }], t)).toBe(
    "<audit.member_amount> 5.0 · some thing x",
  );
});

test("a choice is told in the words that it was chosen by, and a budget by its period", () => {
  const role = { from: "member", to: "viewer" };
  expect(changeLine({ changes: { role }, detail: {} }, t)).toBe(
    "<audit.member_role>: <team.role_member> → <team.role_viewer>",
  );
  expect(valueWords("invite", t, "signup")).toBe("<system.signup_invite>");
  expect(valueWords("emperor", t, "role")).toBe("emperor");
  expect(valueWords([{ amount: "100.0", period: "month" }], t, "budgets")).toBe(
    "<keys.budget_month> $100.0",
  );
});

test("a line has two changes, and says how many more there are", () => {
  const changes = {
    name: { from: "first", to: "second" },
    odd_name: { from: null, to: "UTC" },
    rpm: { from: 1, to: 2 },
  };
  expect(changeLine({ changes, detail: {} }, t)).toBe(
    '<audit.member_name>: first → second; odd name: – → UTC; <audit.moreChanges {"count":1}>',
  );
});

test("money that moved is told by its amount and note, and nothing of what is silent", () => {
  const detail = { amount: "25.0", note: "Welcome" };
  expect(changeLine({ changes: null, detail }, t)).toBe("$25.0 · Welcome");
  expect(changeLine({ changes: null, detail: { count: 3 } }, t)).toBe("");
});
