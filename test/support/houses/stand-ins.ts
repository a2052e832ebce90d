// What a gateway in the process of a suite has in place of its own.
import { join } from "node:path";
import type { StandIns } from "../../../src/compose/console.ts";
import { ConsoleFiles } from "../../../src/http/files/console-files.ts";
import { QUICK_PASSWORDS } from "../quick-passwords.ts";

/** The pages are read by the first of a process, for all of them: nobody builds others while a suite runs. */
export const STAND_INS: StandIns = {
  pages: new ConsoleFiles(join(import.meta.dir, "..", "..", "..", "web")),
  passwords: QUICK_PASSWORDS,
};
