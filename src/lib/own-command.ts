import { existsSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");
const IN_PACKAGE = existsSync(join(ROOT, "program")) ? "npx faregate" : "./bin/faregate";

/** How a person types this program: as an executable, as a package of npm, or in a clone. */
export const OWN_COMMAND = Bun.isStandaloneExecutable ? "faregate" : IN_PACKAGE;
