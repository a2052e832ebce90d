// A server whose log nobody reads any more: what it has to say waits for a reader, but the process does not for ever.
import { expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { partsOfTest } from "../support/houses/house.ts";

const parts = partsOfTest();
const CLI = join(import.meta.dir, "..", "..", "src", "cli");
/** More than a pipe holds. */
const UNREAD_CHARS = 1 << 20;

/** One end of a pipe from which nobody takes anything. */
function unread(): number {
  const path = join(parts.folder(), "pipe");
  Bun.spawnSync(["mkfifo", path]);
  return parts.adopt(openSync(path, "r+"), closeSync);
}

function serverThat(stops: string, unsettled: readonly string[]): string {
  return `
    const { untilStopped } = await import(${JSON.stringify(join(CLI, "serving", "stopping.ts"))});
    const { end } = await import(${JSON.stringify(join(CLI, "terminal", "ending.ts"))});
    const { createLog } = await import(${JSON.stringify(join(CLI, "..", "telemetry", "log.ts"))});
    const limits = { shutdown_delay_ms: 0, shutdown_drain_ms: 100, shutdown_end_ms: 100 };
    const store = { failed: new Promise(() => {}), unsettled: () => ${JSON.stringify(unsettled)} };
    const app = { stop: ${stops} };
    process.stderr.write("x".repeat(${UNREAD_CHARS}));
    const stopped = untilStopped({ app, store, limits, log: createLog("info") });
    process.kill(process.pid, "SIGTERM");
    await end(await stopped);`;
}

test.each([
  ["in order", "async () => {}", [], 0],
  ["with something left", "async () => {}", ["req_1"], 1],
  ["never, by itself", "() => new Promise(() => {})", [], 1],
  ["with a failure", "async () => { throw new Error('x'); }", [], 1],
])("what stops %s ends", async (_, stops, unsettled, code) => {
  const child = Bun.spawn([process.execPath, "-e", serverThat(stops, unsettled)], {
    stdio: ["ignore", "ignore", unread()],
  });
  parts.defer(() => child.kill("SIGKILL"));
  expect(await child.exited).toBe(code);
});
