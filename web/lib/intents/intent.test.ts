import { expect, test } from "bun:test";
import { intentFor, newIntent } from "./intent.ts";

const DRAFT = { id: "drf_01m7gx4ncvb0hjec46bajh13c5", version: 3 };
const WISH = { brief: "Cranes in winter", model: "m" };

test("the same wish for the same version is one intent, and any other is another", () => {
  const intent = intentFor(DRAFT, WISH);
  expect(intentFor({ ...DRAFT }, { ...WISH })).toBe(intent);
  const others = [
    intentFor({ ...DRAFT, id: "drf_2" }, WISH),
    intentFor({ ...DRAFT, version: 4 }, WISH),
    intentFor(DRAFT, { ...WISH, brief: "Cranes in Winter" }),
    intentFor(DRAFT, WISH, 1),
  ];
  expect(new Set([intent, ...others]).size).toBe(5);
});

test("an intent is what a header takes, and new ones differ", () => {
  const long = intentFor(DRAFT, { brief: "字".repeat(100_000) });
  for (const intent of [long, newIntent()]) expect(intent).toMatch(/^[\w-]{1,255}$/);
  expect(newIntent()).not.toBe(newIntent());
});
