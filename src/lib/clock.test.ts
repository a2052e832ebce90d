import { afterEach, expect, test } from "bun:test";
import { atMost } from "./clock.ts";

const warnings: Error[] = [];
const hear = (warning: Error) => void warnings.push(warning);
afterEach(() => void process.off("warning", hear));

test("what has no time left is not waited for, and nobody is warned of that", async () => {
  process.on("warning", hear);
  await atMost(new Promise(() => {}), -5);
  await Bun.sleep(0);
  expect(warnings).toEqual([]);
});
