import { ownOrigin } from "../compose/own-origin.ts";
import type { Config } from "../config/config.ts";
import { DIRECT } from "../lib/net/direct.ts";
import { mistake, readOptions } from "./terminal/arguments.ts";
import { print } from "./terminal/print.ts";
import { say } from "./words/language.ts";

/** Less than the 5 s that container runtimes give a check by default. */
const ANSWER_MS = 4_000;

/** Returns why the server is not well; undefined if it is. */
async function faultAt(url: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await fetch(url, { ...DIRECT, signal, redirect: "manual" });
    await response.text();
    return response.ok ? undefined : `HTTP ${response.status}`;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

/** Asks the server of these settings whether it is alive, or ready. A container has no other program that could ask. */
export async function health(config: Config, argv: readonly string[]): Promise<number> {
  const options = readOptions(argv, ["json?", "ready?"]);
  if (config.port === 0) throw mistake("noPortYet");
  const url = `${ownOrigin(config, config.port)}/${options.ready ? "readyz" : "healthz"}`;
  const fault = await faultAt(url);
  print(options, { ok: fault === undefined, url, reason: fault ?? null }, () =>
    fault === undefined ? say("isWell", { url }) : say("isUnwell", { url, reason: fault }),
  );
  return fault === undefined ? 0 : 1;
}
