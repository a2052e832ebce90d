import { describe, expect, test } from "bun:test";
import { GroupCommit } from "./group-commit.ts";

/** A writer whose batches end when the test says so. */
function manual() {
  const batches: { ops: readonly number[]; end: (results: (string | Error)[]) => void }[] = [];
  const queue = new GroupCommit<number, string>(
    (ops) => new Promise((resolve) => batches.push({ ops, end: resolve })),
    3,
  );
  const names = (ops: readonly number[]) => ops.map((op) => `done ${op}`);
  return { batches, queue, names };
}

const turn = () => Bun.sleep(0);

describe("group commit", () => {
  test("writes together what arrives together, and gathers while a batch is on its way", async () => {
    const { batches, queue, names } = manual();
    const first = [queue.submit(1), queue.submit(2)];
    await turn();
    const second = [queue.submit(3), queue.submit(4)];
    await turn();
    expect(batches.map(({ ops }) => ops)).toEqual([[1, 2]]);
    batches[0]?.end(names([1, 2]));
    expect(await Promise.all(first)).toEqual(["done 1", "done 2"]);
    await turn();
    expect(batches.map(({ ops }) => ops)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    batches[1]?.end(names([3, 4]));
    expect(await Promise.all(second)).toEqual(["done 3", "done 4"]);
  });

  test("hands over what has gathered before anybody hears of the batch before it", async () => {
    const order: string[] = [];
    const queue = new GroupCommit<string, "done">(async (ops) => {
      order.push(`writes ${ops}`);
      return ops.map(() => "done" as const);
    });
    const submit = (op: string) => {
      queue.submit(op).hear({ came: () => order.push(`told ${op}`), failed: () => {} });
    };
    submit("a");
    queueMicrotask(() => submit("b"));
    await queue.idle();
    expect(order).toEqual(["writes a", "writes b", "told a", "told b"]);
  });

  test("cuts at the largest batch and keeps the order", async () => {
    const written: number[][] = [];
    const queue = new GroupCommit<number, number>(async (ops) => {
      written.push([...ops]);
      return ops;
    }, 3);
    const results = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((op) => queue.submit(op)));
    expect(results).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(written).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  });

  test("gives each operation its own failure", async () => {
    const queue = new GroupCommit<number, string>(async () => ["fine", new Error("not this one")]);
    const [first, second] = await Promise.allSettled([queue.submit(1), queue.submit(2)]);
    expect(first).toMatchObject({ status: "fulfilled", value: "fine" });
    expect(second).toMatchObject({ status: "rejected", reason: new Error("not this one") });
  });

  test("goes on after a batch that failed as a whole", async () => {
    let fails = true;
    const queue = new GroupCommit<number, number>(async (ops) => {
      if (fails) throw new Error("away");
      return ops;
    });
    const lost = await Promise.allSettled([queue.submit(1), queue.submit(2)]);
    expect(lost.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    fails = false;
    expect(await queue.submit(3)).toBe(3);
  });

  test("is idle when nothing waits and nothing is being written", async () => {
    const { batches, queue, names } = manual();
    await queue.idle();
    const submitted = queue.submit(1);
    let idle = false;
    const waiting = queue.idle().then(() => {
      idle = true;
    });
    await turn();
    expect(idle).toBe(false);
    batches[0]?.end(names([1]));
    await waiting;
    expect(await submitted).toBe("done 1");
  });

  test("takes out what nobody waits for any more, unless it is being written", async () => {
    const { batches, queue, names } = manual();
    const written = queue.submit(1);
    await turn();
    const waiting = Promise.allSettled([queue.submit(2), queue.submit(3)]);
    queue.withdraw((op) => op < 3, new Error("withdrawn"));
    batches[0]?.end(names([1]));
    expect(await written).toBe("done 1");
    await turn();
    expect(batches[1]?.ops).toEqual([3]);
    batches[1]?.end(names([3]));
    const [withdrawn, kept] = await waiting;
    expect(withdrawn).toMatchObject({ status: "rejected", reason: new Error("withdrawn") });
    expect(kept).toMatchObject({ status: "fulfilled", value: "done 3" });
  });

  test("refuses what waits and what comes once it is closed, and ends what is on its way", async () => {
    const { batches, queue, names } = manual();
    const written = queue.submit(1);
    await turn();
    const waiting = queue.submit(2);
    queue.close(new Error("closed"));
    const later = queue.submit(3);
    const refused = await Promise.allSettled([waiting, later]);
    expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    batches[0]?.end(names([1]));
    expect(await written).toBe("done 1");
  });
});
