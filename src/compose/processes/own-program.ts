import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { handFile } from "../../config/file-text.ts";

const ENTRY = join(import.meta.dir, "..", "..", "cli", "main.ts");

/** An executable starts itself, and no variable may turn the child into a Bun that runs something else. */
const OWN = Bun.isStandaloneExecutable
  ? { program: [process.execPath], cleared: { BUN_BE_BUN: undefined, BUN_OPTIONS: undefined } }
  : { program: [process.execPath, "--no-env-file", ENTRY], cleared: {} };

/**
 * How this program starts itself with other words. The child has the settings of this process as they were at its start,
 * whatever stands in the operator's file by now. It ends with this process: its fourth stream, which the caller opens,
 * tells it so by ending.
 */
export function ownProgram(
  { fileText }: Pick<Config, "fileText">,
  words: readonly string[],
  told: Readonly<Record<string, string>> = {},
) {
  const { env, stdin } = handFile(fileText);
  return {
    command: [...OWN.program, ...words],
    env: { ...process.env, ...OWN.cleared, ...env, ...told, FAREGATE_LAUNCHER_FD: "3" },
    stdin,
  };
}
