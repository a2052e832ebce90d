import { expect, test } from "bun:test";
import { cpuMs, memoryMb, openFilesLimit } from "./process-cost.ts";

const onLinux = test.skipIf(process.platform !== "linux");

onLinux("work of this process shows in its processor time", () => {
  const before = cpuMs(process.pid);
  // Counted in processor time of its own, so that a busy machine cannot make it fail.
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < 100_000) JSON.parse("[1,2,3]");
  expect(cpuMs(process.pid) - before).toBeGreaterThanOrEqual(80);
});

onLinux("memory and open files of this process are plausible numbers", () => {
  const { now, peak } = memoryMb(process.pid);
  expect(now).toBeGreaterThan(5);
  expect(peak).toBeGreaterThanOrEqual(now);
  const { soft, hard } = openFilesLimit("self");
  expect(soft).toBeGreaterThan(0);
  expect(hard).toBeGreaterThanOrEqual(soft);
});
