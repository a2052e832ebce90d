// A server whose main thread stands still while it stops, as in a write to a disk that does not answer.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { partsOfTest } from "../support/houses/house.ts";

const parts = partsOfTest();
const SRC = join(import.meta.dir, "..", "..", "src");

const SERVER = `
  const { untilStopped } = await import(${JSON.stringify(join(SRC, "cli", "serving", "stopping.ts"))});
  const { createLog } = await import(${JSON.stringify(join(SRC, "telemetry", "log.ts"))});
  const limits = { shutdown_delay_ms: 0, shutdown_drain_ms: 0, shutdown_end_ms: 0 };
  const store = { failed: new Promise(() => {}), unsettled: () => [] };
  const stop = async () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  const stopped = untilStopped({ app: { stop }, store, limits, log: createLog("error") });
  process.kill(process.pid, "SIGTERM");
  await stopped;`;

test("it is ended all the same", async () => {
  const child = Bun.spawn([process.execPath, "-e", SERVER], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  parts.defer(() => child.kill("SIGKILL"));
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
});
