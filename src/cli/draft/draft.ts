import type { Config } from "../../config/config.ts";
import {
  mistake,
  noMoreWords,
  notAmong,
  readArguments,
  readOptions,
  required,
  text,
  wholeNumber,
} from "../terminal/arguments.ts";
import { printHelp } from "../terminal/help.ts";
import { print } from "../terminal/print.ts";
import { sayOfDrafts } from "../words/language.ts";
import { draftAccount } from "./draft-account.ts";
import { articleOf, type Command, PARTICULARS, particulars, showing } from "./draft-article.ts";
import { draftClient } from "./draft-client.ts";
import { ADDING, add, push, update } from "./draft-push.ts";
import { type DraftServer, type Environment, findServer } from "./draft-server.ts";
import { diagnosisWords, draftWords, listWords, themeWords } from "./draft-words.ts";

const LIST_DEFAULT = 20;
const CONFIG_EXIT = 3;

function oneDraft(words: readonly string[]): string {
  const [first, second] = words;
  if (!first || second !== undefined) throw mistake("draftUnnamed");
  return first;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  async new(deps, argv) {
    const names = ["brief", "model", "language", "length", "tone", ...ADDING];
    const { words, options } = readArguments(argv, names);
    if (words[0] !== undefined) throw mistake("briefUnquoted", { word: words[0] });
    const length = text(options, "length");
    const body = {
      brief: required(options, "brief"),
      model: required(options, "model"),
      language: text(options, "language"),
      length: length && /^\d+$/.test(length) ? Number(length) : length,
      tone: text(options, "tone"),
      account: text(options, "account"),
    };
    const form = { ...body, ...(await particulars(options, deps)) };
    return (await add(deps, form, options)).exitCode;
  },

  push,

  ls: showing(
    ["after", "limit"],
    async (client, { words, options }) => {
      noMoreWords(words);
      const limit = wholeNumber(options, "limit") || LIST_DEFAULT;
      return client.list({ after: text(options, "after"), limit });
    },
    listWords,
  ),

  get: showing([], async (client, { words }) => client.get(oneDraft(words)), draftWords),

  async update(deps, argv) {
    const names = ["article", "base", "allow-outside?", "dry-run?", "json?", ...PARTICULARS];
    const { words, options } = readArguments(argv, names);
    const [id = "", path, more] = words;
    if (id === "" || more !== undefined) throw mistake("draftAndFile");
    const article = wholeNumber(options, "article");
    const base = wholeNumber(options, "base");
    if (path === undefined) {
      const form = { ...(await particulars(options, deps)), article, base };
      return update(deps, id, form, options);
    }
    const { form, file } = await articleOf(path, options, deps);
    return update(deps, id, { ...form, article, base }, options, file);
  },

  rm: showing(
    [],
    async (client, { words }) => client.remove(oneDraft(words)),
    ({ id }) => sayOfDrafts("deleted", { id: String(id) }),
  ),

  retry: showing(
    ["as-new?"],
    async (client, { words, options }) => client.retry(oneDraft(words), options["as-new"] === true),
    draftWords,
  ),

  async doctor({ client }, argv) {
    const options = readOptions(argv, ["account", "json?"]);
    const diagnosis = await client.doctor(text(options, "account"));
    print(options, diagnosis, () => diagnosisWords(diagnosis));
    return diagnosis.healthy === true ? 0 : CONFIG_EXIT;
  },

  account: draftAccount,

  themes: showing(
    [],
    async (client, { words }) => {
      noMoreWords(words);
      return client.themes();
    },
    themeWords,
  ),
};

/** Runs one command of drafts and resolves with its exit code. */
export async function draft(
  config: Config,
  argv: readonly string[],
  env: Environment,
): Promise<number> {
  if (argv.length === 0) return printHelp(["draft"]);
  const [name = "", ...rest] = argv;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw notAmong("draft", COMMANDS);
  let found: Promise<DraftServer> | undefined;
  // A command that is written wrongly starts nothing.
  const client = draftClient(() => {
    found ??= findServer(config, env);
    return found;
  });
  try {
    return await command({ client, config, env }, rest);
  } finally {
    await (await found?.catch(() => undefined))?.close();
  }
}
