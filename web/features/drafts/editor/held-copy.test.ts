import { expect, test } from "bun:test";
import { HeldCopy } from "./held-copy.ts";

/** A server that is away or has lost what is saved to it, until told otherwise. */
function open(name: string) {
  const server = { answers: "away" };
  const held = HeldCopy.of<string>(name, "stored", 1, {
    send: async (_copy, base) => {
      if (server.answers !== "saved") throw new Error(server.answers);
      return base + 1;
    },
    isUnfit: () => false,
    isConflict: () => false,
    isGone: (error) => error instanceof Error && error.message === "gone",
    later: () => () => undefined,
  });
  const write = (copy: string) => {
    held.show(copy);
    held.saver.change(copy);
    return held.saver.flush();
  };
  return { server, held, write };
}

test("what is not saved is found again by its name, until it is saved", async () => {
  const { server, held, write } = open("draft");
  await write("typed");
  expect(open("draft").held).toBe(held);
  expect(open("other").held.shown).toEqual({ copy: "stored", state: "saved" });
  server.answers = "saved";
  await held.saver.flush();
  expect(held.shown).toEqual({ copy: "typed", state: "saved" });
  expect(open("draft").held).not.toBe(held);
});

test("what has nowhere to be saved to is not kept", async () => {
  const { server, held, write } = open("draft");
  server.answers = "gone";
  await write("typed");
  expect(open("draft").held).not.toBe(held);
});
