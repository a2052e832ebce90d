import { startApp } from "../compose/app.ts";
import type { Config } from "../config/config.ts";
import type { ConsoleSource } from "../http/console-files.ts";
import { systemClock } from "../lib/clock.ts";
import { openStore } from "../store/open.ts";
import { accountsOf } from "./context.ts";
import { type FirstRun, firstRun } from "./first-run.ts";
import { firstOperatorLink } from "./operator.ts";
import { endWithLauncher, listening, untilStopped, urlOf } from "./serving.ts";
import { say } from "./words/language.ts";

function welcome(url: string, first: FirstRun, model: string): string {
  return `
${say("ready")}

  ${say("readyUrl", { url })}
  ${say("readyKey", { key: first.key })}
  ${say("readyCredit", { credit: first.credit })}

${say("tryIt")}

  curl ${url}/responses \\
    -H "Authorization: Bearer ${first.key}" \\
    -H "Content-Type: application/json" \\
    -d '{"model": "${model}", "input": "Say hello."}'

${say("everyClient")}
`;
}

/** Serves until it is told to stop; resolves with the exit code. `pages`: in place of the built ones. */
export async function serve(config: Config, pages?: ConsoleSource): Promise<number> {
  endWithLauncher();
  const store = await openStore(config, { create: true, serve: true });
  const app = await listening(config, store, (log) => startApp(config, store, log, { pages }));
  const stopped = untilStopped(app, store);
  const first = await firstRun(store, accountsOf(store, config), systemClock);
  const url = `${urlOf(config, app.port)}/v1`;
  const model = app.services.routes.models().find((entry) => entry.endpoints.includes("responses"));
  const words = first ? welcome(url, first, model?.id ?? "sandbox-1.0") : say("serves", { url });
  const link = await firstOperatorLink(store, config, app.port);
  const console = link ? `\n${say("consoleLink")}\n\n  ${link}\n` : "";
  process.stdout.write(`${words}\n${console}`);
  return stopped;
}
