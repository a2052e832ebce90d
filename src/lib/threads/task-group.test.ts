import { describe, expect, test } from "bun:test";
import { TaskGroup } from "./task-group.ts";

describe("TaskGroup", () => {
  test("hands a failure over and stays usable", async () => {
    const failures: unknown[] = [];
    const group = new TaskGroup((thrown) => failures.push(thrown));
    const broken = new Error("broken");
    group.run(Promise.reject(broken));
    group.run(Promise.resolve(1));
    await group.settled();
    expect(failures).toEqual([broken]);
    expect(group.size).toBe(0);
  });

  test("settles only when the work has, including work that was added while waiting", async () => {
    const group = new TaskGroup(() => {});
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const order: string[] = [];
    group.run(
      gates[0]?.promise.then(() => {
        order.push("first");
        group.run(gates[1]?.promise.then(() => order.push("second")) ?? Promise.resolve());
      }) ?? Promise.resolve(),
    );
    const settled = group.settled().then(() => order.push("settled"));
    expect(group.size).toBe(1);
    gates[0]?.resolve();
    await Bun.sleep(0);
    expect(order).toEqual(["first"]);
    gates[1]?.resolve();
    await settled;
    expect(order).toEqual(["first", "second", "settled"]);
  });
});
