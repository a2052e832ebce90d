import { expect, test } from "bun:test";
import { INVITE } from "../../../src/accounts/contract/invitations.ts";
import { badPeople, enteredPeople } from "./people-form.ts";

test("lines that were left empty are nobody, and nobody is asked twice", () => {
  const people = [
    { email: " ann@example.com ", role: "owner" },
    { email: "", role: "member" },
    { email: "Ann@example.com", role: "viewer" },
    { email: "bob@example.com", role: "viewer" },
  ] as const;
  expect(enteredPeople(people)).toEqual([
    { email: "ann@example.com", role: "owner" },
    { email: "bob@example.com", role: "viewer" },
  ]);
});

test("what the server takes for no address is told before an account is made for it", () => {
  const typed = ["a@example.com,", "a@example.com.", "a@exa_mple.com", "ä@example.com", "a@b.c"];
  const taken = ["o'neil+x@mail.example.co.uk", "a-b_c@x1.example"];
  const isTaken = (email: string) =>
    INVITE.body?.safeParse({ email, role: "owner" }).success === true;
  for (const email of [...typed, ...taken]) {
    expect([email, badPeople([{ email, role: "owner" }])]).toEqual([
      email,
      isTaken(email) ? [] : [0],
    ]);
  }
});

test("what is no address is told by its place", () => {
  const people = ["ann@example.com", "", "bob", "a b@c.d", "x@y"].map((email) => ({
    email,
    role: "member" as const,
  }));
  expect(badPeople(people)).toEqual([2, 3, 4]);
});
