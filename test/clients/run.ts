// Has the clients of the documents finish a small task each on a fresh server, from the registries as
// anybody gets them. A client that fails keeps none of the others from being tried.
//
//   npm run test:clients                  all of them
//   npm run test:clients -- codex gemini  those whose names have one of the words
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { TestServer } from "../server.ts";
import { temporaryFolder } from "../support/houses/temporary-folder.ts";
import { CLIENTS, type Client, missingFor } from "./clients.ts";
import type { Site } from "./site.ts";

/** What a fresh installation serves. */
const MODEL = "sandbox-1.0";
const SAID_CHARS = 60;

type Outcome = "done" | "skipped" | "FAILED";

function print({ name, version }: Client, outcome: Outcome, words: string): void {
  console.log(`${name.padEnd(18)} ${version.padEnd(9)} ${outcome.padEnd(7)} ${words}`);
}

async function attempt(client: Client, site: Site): Promise<Outcome> {
  const missing = missingFor(client.language);
  if (missing !== undefined) {
    print(client, "skipped", `${missing} is not on this machine`);
    return "skipped";
  }
  try {
    await client.install(site);
    const said = (await client.run(site)).trim().replaceAll(/\s+/g, " ");
    if (said === "") throw new Error("it said nothing");
    print(client, "done", said.slice(0, SAID_CHARS));
    return "done";
  } catch (thrown) {
    print(client, "FAILED", thrown instanceof Error ? thrown.message : String(thrown));
    return "FAILED";
  }
}

function chosen(words: readonly string[]): readonly Client[] {
  if (words.length === 0) return CLIENTS;
  const has = (name: string) => words.some((word) => name.includes(word.toLowerCase()));
  return CLIENTS.filter(({ name }) => has(name.toLowerCase()));
}

const clients = chosen(process.argv.slice(2));
if (clients.length === 0) throw new Error("no client has that name");
const workplace = temporaryFolder();
const server = await TestServer.start({ FAREGATE_DATA: join(workplace.path, "data") });
const outcomes: Outcome[] = [];
try {
  for (const [i, client] of clients.entries()) {
    const folder = join(workplace.path, `client-${i}`);
    mkdirSync(folder);
    const url = server.url.replace(/\/v1$/, "");
    outcomes.push(await attempt(client, { folder, url, key: server.firstKey, model: MODEL }));
  }
} finally {
  await server.stop();
  workplace.remove();
}
process.exitCode = outcomes.includes("FAILED") ? 1 : 0;
