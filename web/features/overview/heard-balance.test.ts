import { expect, test } from "bun:test";
import type { OwnMe } from "../../../src/accounts/contract/me.ts";
import { withBalance } from "./heard-balance.ts";

const account = (id: string, balance: string) => ({
  id,
  balance,
  name: id,
  role: "owner" as const,
});
const me = { accounts: [account("a", "5.0"), account("b", "7.0")] } as unknown as OwnMe;

test("a balance that a page was told is that of its account everywhere", () => {
  const { accounts } = withBalance(me, "a", "4.997946");
  expect(accounts.map(({ balance }) => balance)).toEqual(["4.997946", "7.0"]);
});

test("what is known already, or is of no account of the visitor's, changes nothing", () => {
  expect(withBalance(me, "a", "5.0")).toBe(me);
  expect(withBalance(me, "c", "1.0")).toBe(me);
});
