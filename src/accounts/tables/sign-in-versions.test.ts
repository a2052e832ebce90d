import { expect, test } from "bun:test";
import { passkey } from "@better-auth/passkey";
import { getAuthTables } from "better-auth/db";
import { twoFactor } from "better-auth/plugins";
import { SIGN_IN_TABLES } from "./sign-in-versions.ts";

const NAMES: Readonly<Record<string, string>> = {
  user: "auth_user",
  session: "auth_session",
  account: "auth_account",
  verification: "auth_verification",
  twoFactor: "auth_two_factor",
  passkey: "auth_passkey",
};

test("the tables have every column that the sign-in library writes", () => {
  const wanted = getAuthTables({ plugins: [twoFactor(), passkey()] });
  expect(Object.keys(wanted).sort()).toEqual(Object.keys(NAMES).sort());
  const text = SIGN_IN_TABLES.versions.join("\n");
  for (const [model, { fields }] of Object.entries(wanted)) {
    const table = new RegExp(`create table ${NAMES[model]} \\((.*?)\\n\\s*\\);`, "s").exec(text);
    const columns = [...(table?.[1] ?? "").matchAll(/^\s*"?(\w+)"? (?:text|integer|bigint)/gm)];
    const names = columns.map(([, name]) => name);
    expect({ model, names: names.sort() }).toEqual({
      model,
      names: ["id", ...Object.keys(fields)].sort(),
    });
  }
});
