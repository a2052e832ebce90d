import {
  mistake,
  noMoreWords,
  notAmong,
  type Options,
  readArguments,
  required,
} from "../terminal/arguments.ts";
import { print } from "../terminal/print.ts";
import { askSecret, readInput } from "../terminal/secret-input.ts";
import { sayOfDrafts } from "../words/language.ts";
import { accountListWords, accountWords } from "./draft-account-words.ts";
import { type Command, type CommandDependencies, membersOf, showing } from "./draft-article.ts";
import type { JsonBody } from "./draft-client.ts";
import type { Environment } from "./draft-server.ts";

const PATH = "/wechat/accounts";
/** Given as a JSON object on the standard input; a line that is none is the AppSecret. */
const SECRETS = [
  "secret",
  "token_url",
  "token_bearer",
  "component_appsecret",
  "component_verify_ticket",
  "authorizer_refresh_token",
  "proxy_url",
];
const PLAIN = ["appid", "platform-url", "proxy-url", "token-url", "component-appid", "author"];

/** `{"secret": "…"}`, or only the secret itself. */
function readSecrets(input: string): Readonly<Record<string, string>> {
  if (!input.startsWith("{")) return input === "" ? {} : { secret: input };
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    throw mistake("notSecrets");
  }
  const entries = Object.entries(value as Record<string, unknown>);
  for (const [name, secret] of entries) {
    if (!SECRETS.includes(name))
      throw mistake("secretUnknown", { name, known: SECRETS.join(", ") });
    if (typeof secret !== "string") throw mistake("secretNotText", { name });
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Never from the arguments, which every program on the machine can read. */
async function secretsFor(options: Options, form: JsonBody, env: Environment): Promise<JsonBody> {
  if (options.stdin === true) return readSecrets(await readInput(process.stdin));
  const needsNone = options.supplied === true || form.token_url !== undefined;
  if (needsNone) return {};
  const fromEnvironment = env.FAREGATE_APPSECRET;
  if (fromEnvironment) return { secret: fromEnvironment };
  if (form.component_appid === undefined && process.stdin.isTTY) {
    return { secret: await askSecret(sayOfDrafts("askAppSecret")) };
  }
  throw mistake(form.component_appid === undefined ? "noAppSecret" : "noComponentSecret");
}

function plainForm(options: Options): JsonBody {
  return {
    ...membersOf(options, PLAIN),
    ...(options.supplied === true && { credential: "supplied" }),
    ...(options["no-default"] === true && { is_default: false }),
    ...(options["allow-publish"] === true && { publish_allowed: true }),
  };
}

const COMMANDS: Readonly<Record<string, Command>> = {
  async add({ client, env }, argv) {
    const flags = ["supplied?", "no-default?", "allow-publish?", "stdin?", "json?"];
    const { words, options } = readArguments(argv, [...PLAIN, ...flags]);
    const [name, more] = words;
    if (!name || more !== undefined) throw mistake("accountUnnamed");
    required(options, "appid");
    const plain = plainForm(options);
    const form = { name, ...plain, ...(await secretsFor(options, plain, env)) };
    const account = await client.call("POST", PATH, form);
    print(options, account, () => accountWords(account));
    return 0;
  },

  ls: showing(
    [],
    async (client, { words }) => {
      noMoreWords(words);
      return client.call("GET", PATH);
    },
    accountListWords,
  ),

  default: showing(
    [],
    async (client, { words: [name, more] }) => {
      if (!name || more !== undefined) throw mistake("defaultUnnamed");
      return client.call("PATCH", `${PATH}/${encodeURIComponent(name)}`, { is_default: true });
    },
    accountWords,
  ),
};

/** The public accounts that drafts go to. */
export async function draftAccount(
  deps: CommandDependencies,
  argv: readonly string[],
): Promise<number> {
  const [name = "", ...rest] = argv;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw notAmong("draft account", COMMANDS);
  return command(deps, rest);
}
