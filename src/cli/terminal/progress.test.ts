import { expect, test } from "bun:test";
import { join } from "node:path";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { screenFor, withProgress, withWait } from "./progress.ts";

const parts = partsOfTest();

function screen(isTTY: boolean) {
  let shown = "";
  const write = (text: string) => {
    shown += text;
  };
  return { screen: { isTTY, write }, shown: () => shown };
}

test("a terminal has a bar, which is gone in the end", async () => {
  const { screen: tty, shown } = screen(true);
  const done = await withProgress(async (progress) => {
    while (!shown().includes("50 %")) await progress("copying", 5, 10);
    return "done";
  }, tty);
  expect(done).toBe("done");
  expect(shown()).toContain(`${"█".repeat(15)}${"░".repeat(15)} copying 50 %`);
  expect(shown()).toEndWith("\r\u001b[K");
});

test("elsewhere nothing is said of what is done at once", async () => {
  const { screen: log, shown } = screen(false);
  await withProgress((progress) => progress("packing", 1, 2), log);
  expect(shown()).toBe("");
});

test("whoever interrupts it ends it at the next step, and only for as long as it runs", async () => {
  const before = process.listenerCount("SIGINT");
  const work = withProgress(async (progress) => {
    process.kill(process.pid, "SIGINT");
    for (;;) await progress("moving", 0, 1);
  }, screen(false).screen);
  await expect(work).rejects.toThrow("given up");
  expect(process.listenerCount("SIGINT")).toBe(before);
});

test("whoever interrupts again ends it at once, also in a step that never ends", async () => {
  const work = `
    const { withProgress } = await import(${JSON.stringify(join(import.meta.dir, "progress.ts"))});
    setInterval(() => {}, 1_000);
    await withProgress(() => {
      console.log("waiting");
      return new Promise(() => {});
    });`;
  const child = Bun.spawn([process.execPath, "-e", work], { stdio: ["ignore", "pipe", "ignore"] });
  parts.defer(() => child.kill("SIGKILL"));
  await child.stdout.getReader().read();
  child.kill("SIGINT");
  const again = setInterval(() => child.kill("SIGINT"), 100);
  parts.defer(() => clearInterval(again));
  expect(await child.exited).toBe(130);
});

test("a step without a known end has its seconds at a terminal, and leaves nothing behind", async () => {
  const { screen: tty, shown } = screen(true);
  const done = Promise.withResolvers<string>();
  const work = withWait("proving", done.promise, tty);
  while (!/proving \d+ s/.test(shown())) await Bun.sleep(50);
  done.resolve("done");
  expect(await work).toBe("done");
  expect(shown()).toEndWith("\r\u001b[K");
});

test("programs that read --json get no progress", () => {
  expect(screenFor({})).toBe(process.stderr);
  expect(screenFor({ json: true }).write("copying 50 %")).toBeUndefined();
});
