import { expect, test } from "bun:test";
import { readMachineTime } from "./machine-time.ts";

test("waiting is not use, and what the host took is told apart", () => {
  const stat = "cpu  1000 20 300 9000 400 5 75 60 700 0\ncpu0 500 10 150 4500 200 2 38 30 350 0\n";
  expect(readMachineTime(stat)).toEqual({ used: 14, taken: 0.6 });
});
