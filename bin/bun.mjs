// Finds the Bun that npm installed and runs a script with it.
//
// npm may or may not have run Bun's install script. The binary lies in a different place in each case, so nothing in
// this project calls a bare `bun`.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { RUNTIME } from "./runtime.mjs";

const require = createRequire(import.meta.url);
const projectDir = fileURLToPath(new URL("..", import.meta.url));

/** Whether this Linux has musl and no glibc, as Alpine does. */
function isMusl() {
  return process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
}

/** The folders that may hold Bun's packages: npm puts them side by side, pnpm puts them beside Bun's own folder. */
function moduleFolders() {
  const folders = require.resolve.paths("bun") ?? [];
  const own = folders.map((folder) => join(folder, "bun")).filter((folder) => existsSync(folder));
  return [...folders, ...own.map((folder) => dirname(realpathSync(folder)))];
}

/** The binaries in Bun's packages for one platform each, with those for the C library of this machine first. */
function platformBinaries(modules) {
  const vendorDir = join(modules, "@oven");
  const names = existsSync(vendorDir) ? readdirSync(vendorDir) : [];
  if (names.length > 1 && isMusl()) names.sort((a, b) => b.includes("musl") - a.includes("musl"));
  return names.flatMap((name) => [
    join(vendorDir, name, "bin", "bun"),
    join(vendorDir, name, "bin", "bun.exe"),
  ]);
}

export function findBun() {
  for (const modules of moduleFolders()) {
    // Where the install script did not run, bun/bin/bun.exe is a text that says so. So it comes last.
    const paths = [...platformBinaries(modules), join(modules, "bun", "bin", "bun.exe")];
    const found = paths.find((path) => existsSync(path));
    if (found) return found;
  }
  throw new Error(
    `Its runtime is not installed. Run "npm install --include=optional" in ${projectDir} and start again.`,
  );
}

/** Why the runtime cannot be started, and what to do. */
function refusal(bun, { code, message }) {
  if (code === "ENOENT") {
    const library = `${process.platform} ${process.arch}`;
    return `${bun} needs a C library that this ${library} does not have. Install glibc, or run npm install again on this machine.`;
  }
  if (code === "EACCES") {
    return `${bun} may not be executed. Allow it with "chmod +x", and check that its disk is not mounted with noexec.`;
  }
  return `${bun} does not start: ${message}. Run npm install again on this machine.`;
}

const PARENT_LOOK_MS = 500;

/** npx passes a signal to its shell only, which ends and leaves its children alone. */
function whenParentEnds(end) {
  const parent = process.ppid;
  const look = () => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  };
  const timer = setInterval(look, PARENT_LOOK_MS).unref();
}

/** Runs `script` (relative to the project) under Bun with this process's standard streams and ends as it ends. */
export function runUnderBun(script, args, runtime = RUNTIME) {
  const env = { ...runtime, ...process.env };
  const bun = findBun();
  const path = resolve(projectDir, script);
  const isUnderNpx = process.env.npm_lifecycle_event === "npx";
  // Where Node can become another program, it does: one process, one pid, no signal to pass on.
  if (process.execve && !isUnderNpx) process.execve(bun, [bun, path, ...args], env);

  // The fourth stream tells the child, by ending, that this launcher was killed.
  env.FAREGATE_LAUNCHER_FD = "3";
  const child = spawn(bun, [path, ...args], {
    env,
    stdio: ["inherit", "inherit", "inherit", "pipe"],
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  if (isUnderNpx) whenParentEnds(() => child.kill("SIGTERM"));
  child.on("error", (thrown) => {
    process.stderr.write(`faregate: ${refusal(bun, thrown)}\n`);
    process.exit(2);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}
