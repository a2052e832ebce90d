import type { Model } from "../../../src/console/contract/models.ts";

/** How a client reaches this server. The address has no path and no slash at its end. */
export interface Connection {
  readonly address: string;
  /** The secret of a key, or a word that stands for it. */
  readonly secret: string;
  readonly model: string;
}

export const CLIENTS = ["curl", "python", "node", "codex", "claude", "cherry"] as const;
export type Client = (typeof CLIENTS)[number];

/** One text to copy: a command, or a file whose name stands above it. */
interface Snippet {
  readonly file?: string;
  readonly text: string;
}

export const SECRET_PLACE = "sk-fg-YOUR-KEY";
const HELLO = "Say hello.";

/** As one word for a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A string of JSON is one of JavaScript, Python and TOML too. */
const quoted = (text: string) => JSON.stringify(text);

function curl({ address, secret, model }: Connection): readonly Snippet[] {
  const body = JSON.stringify({ model, input: HELLO });
  const lines = [
    `curl ${shellWord(`${address}/v1/responses`)}`,
    `-H ${shellWord(`Authorization: Bearer ${secret}`)}`,
    "-H 'Content-Type: application/json'",
    `-d ${shellWord(body)}`,
  ];
  return [{ text: lines.join(" \\\n  ") }];
}

function python({ address, secret, model }: Connection): readonly Snippet[] {
  const text = `from openai import OpenAI

client = OpenAI(
    base_url=${quoted(`${address}/v1`)},
    api_key=${quoted(secret)},
)
response = client.responses.create(
    model=${quoted(model)},
    input=${quoted(HELLO)},
)
print(response.output_text)`;
  return [{ text: "pip install openai" }, { file: "hello.py", text }];
}

function node({ address, secret, model }: Connection): readonly Snippet[] {
  const text = `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: ${quoted(`${address}/v1`)},
  apiKey: ${quoted(secret)},
});
const response = await client.responses.create({
  model: ${quoted(model)},
  input: ${quoted(HELLO)},
});
console.log(response.output_text);`;
  return [{ text: "npm install openai" }, { file: "hello.mjs", text }];
}

function codex({ address, secret, model }: Connection): readonly Snippet[] {
  const config = `model = ${quoted(model)}
model_provider = "faregate"

[model_providers.faregate]
name = "Faregate"
base_url = ${quoted(`${address}/v1`)}
env_key = "FAREGATE_KEY"
wire_api = "responses"`;
  return [
    { file: "~/.codex/config.toml", text: config },
    { text: `export FAREGATE_KEY=${shellWord(secret)}\ncodex` },
  ];
}

/** It adds the path by itself, so its address has none. */
function claude({ address, secret, model }: Connection): readonly Snippet[] {
  const lines = [
    `export ANTHROPIC_BASE_URL=${shellWord(address)}`,
    `export ANTHROPIC_AUTH_TOKEN=${shellWord(secret)}`,
    `export ANTHROPIC_MODEL=${shellWord(model)}`,
    "claude",
  ];
  return [{ text: lines.join("\n") }];
}

const WRITERS: Readonly<
  Record<Exclude<Client, "cherry">, (connection: Connection) => readonly Snippet[]>
> = { curl, python, node, codex, claude };

export function snippetsOf(client: Exclude<Client, "cherry">, connection: Connection) {
  return WRITERS[client](connection);
}

/** Opens Cherry Studio with the provider filled in. Its alphabet of base64 is its own. */
export function cherryLink({ address, secret }: Connection): string {
  const config = {
    id: "faregate",
    name: "Faregate",
    type: "openai",
    baseUrl: address,
    apiKey: secret,
  };
  const bytes = new TextEncoder().encode(JSON.stringify(config));
  const base64 = btoa(String.fromCharCode(...bytes));
  const data = base64.replaceAll("+", "_").replaceAll("/", "-").replace(/=+$/, "");
  return `cherrystudio://providers/api-keys?v=1&data=${data}`;
}

/** The models that talk; those that only embed or draw are no use for a first hello. */
export function talkingModels(
  models: readonly Pick<Model, "id" | "endpoints">[],
): readonly string[] {
  return models
    .filter(({ endpoints }) => endpoints.includes("responses") || endpoints.includes("chat"))
    .map(({ id }) => id);
}

/** What each client is at home with, where it is offered. */
const HOMES: Partial<Record<Client, RegExp>> = { claude: /^claude-/, codex: /^gpt-/ };

export function modelFor(
  client: Client,
  models: readonly string[],
  chosen: string | undefined,
): string | undefined {
  const home = HOMES[client];
  return chosen ?? (home && models.find((model) => home.test(model))) ?? models[0];
}
