// Finds the Bun that `npm install` brought and runs a script with it.
//
// npm may or may not have run Bun's install script, and the binary lies in a different place in each
// case, so nothing in this project calls a bare `bun`.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { RUNTIME } from "./runtime.mjs";

const require = createRequire(import.meta.url);
const projectDir = fileURLToPath(new URL("..", import.meta.url));

export function findBun() {
  for (const modules of require.resolve.paths("bun") ?? []) {
    const linked = join(modules, "bun", "bin", "bun.exe");
    const vendorDir = join(modules, "@oven");
    const platforms = existsSync(vendorDir) ? readdirSync(vendorDir) : [];
    const unlinked = platforms.flatMap((name) => [
      join(vendorDir, name, "bin", "bun"),
      join(vendorDir, name, "bin", "bun.exe"),
    ]);
    // Where the install script did not run, `linked` is a text that says so; the real one is larger.
    const found = [...unlinked, linked].find((path) => existsSync(path));
    if (found) return found;
  }
  throw new Error(`Bun was not found. Run "npm install" in ${projectDir} first.`);
}

/** Runs `script` (relative to the project) under Bun with this process's standard streams and ends as it ends. */
export function runUnderBun(script, args, runtime = RUNTIME) {
  const env = { ...runtime, ...process.env };
  const bun = findBun();
  const path = resolve(projectDir, script);
  // Where Node can become another program, it does: one process, one pid, no signal to pass on.
  if (process.execve) process.execve(bun, [bun, path, ...args], env);

  // The fourth stream tells the child, by ending, that this launcher was killed.
  env.FAREGATE_LAUNCHER_FD = "3";
  const child = spawn(bun, [path, ...args], {
    env,
    stdio: ["inherit", "inherit", "inherit", "pipe"],
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}
