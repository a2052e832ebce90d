import { expect, test } from "bun:test";
import { intentFor, newIntent } from "./intent.ts";

const DRAFT = { id: "drf_01m7gx4ncvb0hjec46bajh13c5", version: 3 };
const ACTION = { brief: "Cranes in winter", model: "m" };

test("the same wish for the same version is one intent, and any other is another", () => {
  const intent = intentFor(DRAFT, ACTION);
  expect(intentFor({ ...DRAFT }, { ...ACTION })).toBe(intent);
  const others = [
    intentFor({ ...DRAFT, id: "drf_2" }, ACTION),
    intentFor({ ...DRAFT, version: 4 }, ACTION),
    intentFor(DRAFT, { ...ACTION, brief: "Cranes in Winter" }),
    intentFor(DRAFT, ACTION, 1),
  ];
  expect(new Set([intent, ...others]).size).toBe(5);
});

test("an intent is what a header takes, and new ones differ", () => {
  const long = intentFor(DRAFT, { brief: "字".repeat(100_000) });
  for (const intent of [long, newIntent()]) expect(intent).toMatch(/^[\w-]{1,255}$/);
  expect(newIntent()).not.toBe(newIntent());
});
