import { expect, test } from "bun:test";
import { badPeople, wishedPeople } from "./people-form.ts";

test("lines that were left empty are nobody, and nobody is asked twice", () => {
  const people = [
    { email: " ann@example.com ", role: "owner" },
    { email: "", role: "member" },
    { email: "Ann@example.com", role: "viewer" },
    { email: "bob@example.com", role: "viewer" },
  ] as const;
  expect(wishedPeople(people)).toEqual([
    { email: "ann@example.com", role: "owner" },
    { email: "bob@example.com", role: "viewer" },
  ]);
});

test("what is no address is told by its place", () => {
  const people = ["ann@example.com", "", "bob", "a b@c.d", "x@y"].map((email) => ({
    email,
    role: "member" as const,
  }));
  expect(badPeople(people)).toEqual([2, 3, 4]);
});
