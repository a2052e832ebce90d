import type { Config } from "../../config/config.ts";
import { mistake, readArguments, required, text, wholeNumber } from "../terminal/arguments.ts";
import { print } from "../terminal/print.ts";
import { sayOfDrafts } from "../words/language.ts";
import { draftAccount } from "./draft-account.ts";
import { articleOf, type Ground, PARTICULARS, particulars } from "./draft-article.ts";
import { DraftClient } from "./draft-client.ts";
import { ADDING, add, push, update } from "./draft-push.ts";
import { type DraftServer, type Environment, findServer } from "./draft-server.ts";
import { diagnosisWords, draftWords, listWords, themeWords } from "./draft-words.ts";

const LIST_DEFAULT = 20;
const CONFIG_EXIT = 3;

type Command = (ground: Ground, argv: readonly string[]) => Promise<number>;

function oneDraft(words: readonly string[]): string {
  const [first, second] = words;
  if (!first || second !== undefined) throw mistake("draftUnnamed");
  return first;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  async new(ground, argv) {
    const names = ["brief", "model", "language", "length", "tone", ...ADDING];
    const { words, options } = readArguments(argv, names);
    if (words[0] !== undefined) throw mistake("briefUnquoted", { word: words[0] });
    const length = text(options, "length");
    const wish = {
      brief: required(options, "brief"),
      model: required(options, "model"),
      language: text(options, "language"),
      length: length && /^\d+$/.test(length) ? Number(length) : length,
      tone: text(options, "tone"),
      account: text(options, "account"),
    };
    const form = { ...wish, ...(await particulars(options, ground)) };
    return (await add(ground, form, options)).exitCode;
  },

  push,

  async ls({ client }, argv) {
    const { options } = readArguments(argv, ["after", "limit", "json?"]);
    const limit = wholeNumber(options, "limit") || LIST_DEFAULT;
    const list = await client.list({ after: text(options, "after"), limit });
    print(options, list, () => listWords(list));
    return 0;
  },

  async get({ client }, argv) {
    const { words, options } = readArguments(argv, ["json?"]);
    const draft = await client.get(oneDraft(words));
    print(options, draft, () => draftWords(draft));
    return 0;
  },

  async update(ground, argv) {
    const names = ["article", "base", "allow-outside?", "dry-run?", "json?", ...PARTICULARS];
    const { words, options } = readArguments(argv, names);
    const [id = "", path, more] = words;
    if (id === "" || more !== undefined) throw mistake("draftAndFile");
    const article = wholeNumber(options, "article");
    const base = wholeNumber(options, "base");
    if (path === undefined) {
      const form = { ...(await particulars(options, ground)), article, base };
      return update(ground, id, form, options);
    }
    const { form, file } = await articleOf(path, options, ground);
    return update(ground, id, { ...form, article, base }, options, file);
  },

  async rm({ client }, argv) {
    const { words, options } = readArguments(argv, ["json?"]);
    const answer = await client.remove(oneDraft(words));
    print(options, answer, () => sayOfDrafts("deleted", { id: String(answer.id) }));
    return 0;
  },

  async retry({ client }, argv) {
    const { words, options } = readArguments(argv, ["as-new?", "json?"]);
    const asNew = options["as-new"] === true;
    const draft = await client.retry(oneDraft(words), asNew);
    print(options, draft, () => draftWords(draft));
    return 0;
  },

  async doctor({ client }, argv) {
    const { options } = readArguments(argv, ["account", "json?"]);
    const diagnosis = await client.doctor(text(options, "account"));
    print(options, diagnosis, () => diagnosisWords(diagnosis));
    return diagnosis.healthy === true ? 0 : CONFIG_EXIT;
  },

  account: draftAccount,

  async themes({ client }, argv) {
    const { options } = readArguments(argv, ["json?"]);
    const themes = await client.themes();
    print(options, themes, () => themeWords(themes));
    return 0;
  },
};

/** Runs one command of drafts and resolves with its exit code. */
export async function draft(
  config: Config,
  argv: readonly string[],
  env: Environment,
): Promise<number> {
  const [name = "", ...rest] = argv;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw mistake("draftCommand", { commands: Object.keys(COMMANDS).join(", ") });
  let found: Promise<DraftServer> | undefined;
  // A command that is written wrongly starts nothing.
  const client = new DraftClient(() => {
    found ??= findServer(config, env);
    return found;
  });
  try {
    return await command({ client, config, env }, rest);
  } finally {
    await (await found?.catch(() => undefined))?.close();
  }
}
