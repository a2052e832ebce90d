import { expect, test } from "bun:test";
import type { Translate } from "../../i18n/language.tsx";
import { badAccount, overdraftOf } from "./account-form.ts";

const t = ((key: string) => key) as Translate;
const bad = (overdraft: string, name = "Acme") => Object.keys(badAccount({ name, overdraft }, t));

test("an overdraft is an amount from 0 to 100,000,000, and empty is none", () => {
  for (const good of ["", " ", "0", "0.0", "5", "$5.00", ".5", "100,000,000", "100000000.0"]) {
    expect(bad(good)).toEqual([]);
  }
  for (const wrong of ["-1", "x", "5,0", "100000000.01", "1e3"]) {
    expect(bad(wrong)).toEqual(["overdraft"]);
  }
  expect(bad("x", " ")).toEqual(["name", "overdraft"]);
});

test("an overdraft is sent as the API writes it", () => {
  const sent = ["", "0", "5", "5.00", "$2.50", "1,000"].map((overdraft) =>
    overdraftOf({ overdraft }),
  );
  expect(sent).toEqual(["0.0", "0.0", "5.0", "5.0", "2.5", "1000.0"]);
});
