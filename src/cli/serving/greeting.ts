import type { Config } from "../../config/config.ts";
import type { Services } from "../../gateway/services.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";
import { accountsOf } from "../accounts-of.ts";
import { firstOperatorLink } from "../first-operator.ts";
import { type FirstRun, firstRun } from "../first-run.ts";
import { say } from "../words/language.ts";
import { urlOf } from "./serving.ts";

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

interface Served {
  readonly port: number;
  readonly services: Pick<Services, "routes">;
}

/** What a server says once it serves: where, and on its first start with which key. */
export async function greet(config: Config, store: Store, app: Served): Promise<string> {
  const first = await firstRun(store, accountsOf(store, config), systemClock);
  const url = `${urlOf(config, app.port)}/v1`;
  const model = app.services.routes.models().find((entry) => entry.endpoints.includes("responses"));
  const words = first ? welcome(url, first, model?.id ?? "sandbox-1.0") : say("serves", { url });
  const link = await firstOperatorLink(store, config, app.port);
  const console = link ? `\n${say("consoleLink")}\n\n  ${link}\n` : "";
  return `${words}\n${console}`;
}
