import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { handFile } from "../../config/file-text.ts";

const ENTRY = join(import.meta.dir, "..", "..", "cli", "main.ts");

/**
 * This program once more, by these words and with the settings of this process: those of its start, whatever stands in
 * the operator's file, or in a file of variables (`.env`), by now. It ends with this process: its fourth stream, which is
 * for whoever starts it to open, tells it so by ending.
 */
export function ownProgram(
  { fileText }: Pick<Config, "fileText">,
  words: readonly string[],
  told: Readonly<Record<string, string>> = {},
) {
  const { env, stdin } = handFile(fileText);
  return {
    command: [process.execPath, "--no-env-file", ENTRY, ...words],
    env: { ...process.env, ...env, ...told, FAREGATE_LAUNCHER_FD: "3" },
    stdin,
  };
}
