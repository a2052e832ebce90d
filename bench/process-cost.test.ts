import { expect, test } from "bun:test";
import {
  cpuMs,
  memoryMb,
  openFilesLimit,
  treeCpuMs,
  treeMemoryMb,
  treeOf,
} from "./process-cost.ts";

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

onLinux(
  "a tree is the process and what it started, with the work of those that have ended",
  async () => {
    // The first child works and ends, the second stays; the shell says that it has come so far.
    const burn = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
    const shell = Bun.spawn(["sh", "-c", `(${burn}); sleep 600 & echo ready; wait`], {
      stdout: "pipe",
    });
    try {
      await shell.stdout.getReader().read();
      const tree = treeOf(shell.pid);
      expect(tree[0]).toBe(shell.pid);
      expect(tree.length).toBe(2);
      expect(tree).not.toContain(process.pid);
      expect(treeOf(process.pid)).toEqual(expect.arrayContaining(tree));
      expect(treeCpuMs(shell.pid)).toBeGreaterThan(cpuMs(shell.pid));
      expect(treeMemoryMb(shell.pid)).toBeGreaterThan(memoryMb(shell.pid).now);
    } finally {
      for (const pid of treeOf(shell.pid).reverse()) process.kill(pid, "SIGKILL");
      await shell.exited;
    }
    expect(treeOf(shell.pid)).toEqual([]);
  },
);
