/** To a process of a database, which comes and goes with connections. False where it has ended meanwhile. */
export function signal(pid: number, name: "SIGSTOP" | "SIGCONT" | "SIGKILL"): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
