import { expect, test } from "bun:test";
import type { Translate } from "../../i18n/language.tsx";
import { changeLine, valueWords } from "./change-words.ts";

const t = ((key: string, values?: object) =>
  values ? `<${key} ${JSON.stringify(values)}>` : `<${key}>`) as Translate;
const words = { t, locale: "en-US" };

test("a value is told as somebody would write it", () => {
  expect(valueWords(null, words)).toBe("–");
  expect(valueWords([], words)).toBe("–");
  expect(valueWords(0, words)).toBe("0");
  expect(valueWords(false, words)).toBe("<words.no>");
  expect(valueWords(["a", "b"], words)).toBe("a, b");
  expect(valueWords([{ amount: "5.0", some_thing: "x" }], words)).toBe(
    "<audit.member_amount> $5.00 · some thing x",
  );
});

test("a choice is told in the words that it was chosen by, and a budget by its period", () => {
  const role = { from: "member", to: "viewer" };
  expect(changeLine({ changes: { role }, detail: {} }, words)).toBe(
    "<audit.member_role>: <team.role_member> → <team.role_viewer>",
  );
  expect(valueWords("invite", words, "signup")).toBe("<system.signup_invite>");
  expect(valueWords("emperor", words, "role")).toBe("emperor");
  expect(valueWords([{ amount: "100.0", period: "month" }], words, "budgets")).toBe(
    "<keys.budget_month> $100.00",
  );
});

test("an amount has two decimals at least and all that it has, wherever it stands", () => {
  expect(valueWords("5.0", words, "overdraft")).toBe("$5.00");
  expect(valueWords("0.000000005", words, "threshold")).toBe("$0.000000005");
  expect(valueWords("1234.5", words, "signup_credit")).toBe("$1,234.50");
  expect(valueWords("auto", words, "amount")).toBe("auto");
  expect(valueWords("5.0", words, "weight")).toBe("5.0");
});

test("a line has two changes, and says how many more there are", () => {
  const changes = {
    name: { from: "first", to: "second" },
    odd_name: { from: null, to: "UTC" },
    rpm: { from: 1, to: 2 },
  };
  expect(changeLine({ changes, detail: {} }, words)).toBe(
    '<audit.member_name>: first → second; odd name: – → UTC; <audit.moreChanges {"count":1}>',
  );
});

test("money that moved is told by its amount and note, and nothing of what is silent", () => {
  const detail = { amount: "25.0", note: "Welcome" };
  expect(changeLine({ changes: null, detail }, words)).toBe("$25.00 · Welcome");
  expect(changeLine({ changes: null, detail: { count: 3 } }, words)).toBe("");
});
