import { expect, test } from "bun:test";
import { inLanes } from "./lanes.ts";
import type { Step } from "./step.ts";

function step(title: string, seconds: number): Step {
  return { title, command: [], seconds };
}

/** Runs the steps on a clock that moves only when every lane has something to do. */
async function played(steps: readonly Step[], lanes: number) {
  const begun: string[] = [];
  const together: string[][] = [];
  const open = new Map<string, { readonly endsAt: number; end(): void }>();
  let now = 0;
  const done = inLanes(steps, lanes, async ({ title, seconds }) => {
    begun.push(title);
    const { promise, resolve } = Promise.withResolvers<void>();
    open.set(title, { endsAt: now + seconds, end: resolve });
    together.push([...open.keys()]);
    await promise;
  });
  while (open.size > 0) {
    const [title, { endsAt, end }] = [...open].sort(([, a], [, b]) => a.endsAt - b.endsAt)[0] as [
      string,
      { endsAt: number; end(): void },
    ];
    now = endsAt;
    open.delete(title);
    end();
    await Bun.sleep(0);
  }
  await done;
  return { begun, together, seconds: now };
}

test("the longest begin first, in as many lanes as there are", async () => {
  const { begun, together, seconds } = await played(
    [step("a", 1), step("b", 5), step("c", 3), step("d", 2)],
    2,
  );
  expect(begun).toEqual(["b", "c", "d", "a"]);
  expect(together.every(({ length }) => length <= 2)).toBe(true);
  expect(seconds).toBe(6);
});

test("what is behind another waits for it, while others go on", async () => {
  const first = { ...step("first", 2) };
  const { begun, seconds } = await played(
    [{ ...step("late", 9), behind: first }, first, step("other", 1)],
    2,
  );
  expect(begun).toEqual(["first", "other", "late"]);
  expect(seconds).toBe(11);
});

test("a step that throws ends the run with what it threw", async () => {
  const failing = inLanes([step("a", 1)], 1, async () => {
    throw new Error("no such command");
  });
  const thrown = await failing.then(
    () => undefined,
    (error: Error) => error.message,
  );
  expect(thrown).toBe("no such command");
});
