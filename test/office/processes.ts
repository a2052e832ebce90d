// Processes as the system sees them.

/** Those that a process has started and that are there now. */
export function childrenOf(pid: number): readonly number[] {
  const { stdout } = Bun.spawnSync(["pgrep", "-P", String(pid)]);
  return stdout.toString().split("\n").filter(Boolean).map(Number);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
