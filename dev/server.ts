// `faregate serve` with the console as it is being written. dev/run.ts starts it, again and again.

import { explain } from "../src/cli/terminal/mistakes.ts";
import { readConfig } from "../src/config/config.ts";
import { LiveConsole } from "./live-console.ts";
import { isNoTest, onSave } from "./on-save.ts";
import { serveWhole } from "./serve-whole.ts";

async function run(): Promise<void> {
  const pages = new LiveConsole();
  process.once("SIGTERM", () => pages.close());
  onSave(["web"], isNoTest, async () => {
    try {
      if (await pages.rebuild()) console.log("dev: the console is built again");
    } catch (thrown) {
      console.error(`dev: ${(thrown as Error).message.trim()}\ndev: waiting for the next save`);
    }
  });
  process.exit(await serveWhole(readConfig(process.env, process.cwd()), pages));
}

await run().catch((thrown) => {
  // The watch would keep a server alive that serves nothing.
  process.exit(explain(thrown, []));
});
