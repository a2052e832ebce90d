import type { Config } from "../config.ts";
import { Fault } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import {
  type Options,
  readArguments,
  required,
  text,
  UsageError,
  wholeNumber,
} from "./arguments.ts";
import { readArticleFile, readPicture } from "./article-file.ts";
import { type Answer, DraftClient } from "./draft-client.ts";
import { type DraftServer, findServer } from "./draft-server.ts";
import {
  diagnosisWords,
  draftWords,
  exitCodeOf,
  faultWords,
  listWords,
  previewWords,
  themeWords,
} from "./draft-words.ts";
import { print } from "./print.ts";

/** What an article may be given beside its text. */
const PARTICULARS = ["title", "author", "digest", "theme", "cover", "source-url"];
const LIST_DEFAULT = 20;
const INPUT_EXIT = 2;
const CONFIG_EXIT = 3;

interface Ground {
  readonly client: DraftClient;
  readonly config: Config;
}

type Command = (ground: Ground, argv: readonly string[]) => Promise<number>;

async function particulars(options: Options, { config }: Ground): Promise<Answer> {
  const given: Record<string, unknown> = {};
  for (const name of PARTICULARS) {
    const value = text(options, name);
    if (value !== undefined) given[name.replace("-", "_")] = value;
  }
  const cover = text(options, "cover");
  if (cover !== undefined) given.cover = await readPicture(cover, config.limits);
  return given;
}

function one(words: readonly string[], what: string): string {
  const [first, second] = words;
  if (!first || second !== undefined) throw new UsageError(`name one ${what}`);
  return first;
}

/** A preview that has errors ends as the push would. */
async function showPreview({ client }: Ground, form: Answer, options: Options): Promise<number> {
  const preview = await client.preview(form);
  print(options, preview, () => previewWords(preview));
  return preview.ok === false ? INPUT_EXIT : 0;
}

async function add(ground: Ground, form: Answer, options: Options): Promise<number> {
  if (options["dry-run"] === true) return showPreview(ground, form, options);
  const publish = options.publish === true ? { publish: true } : {};
  const key = text(options, "key") ?? newId("cli_");
  const draft = await ground.client.add({ ...form, ...publish }, key);
  print(options, draft, () => draftWords(draft));
  return 0;
}

const ADDING = ["account", "key", "publish?", "dry-run?", "json?", ...PARTICULARS];

const COMMANDS: Readonly<Record<string, Command>> = {
  async new(ground, argv) {
    const names = ["brief", "model", "language", "length", "tone", ...ADDING];
    const { words, options } = readArguments(argv, names);
    if (words.length > 0) throw new UsageError(`"${words[0]}" is not expected; quote the brief`);
    const length = text(options, "length");
    const wish = {
      brief: required(options, "brief"),
      model: required(options, "model"),
      language: text(options, "language"),
      length: length && /^\d+$/.test(length) ? Number(length) : length,
      tone: text(options, "tone"),
      account: text(options, "account"),
    };
    return add(ground, { ...wish, ...(await particulars(options, ground)) }, options);
  },

  async push(ground, argv) {
    const { words, options } = readArguments(argv, [...ADDING, "allow-outside?"]);
    const path = one(words, "file, as in: faregate draft push article.md");
    const allowOutside = options["allow-outside"] === true;
    const file = await readArticleFile(path, { limits: ground.config.limits, allowOutside });
    const account = text(options, "account");
    return add(ground, { ...file, ...(await particulars(options, ground)), account }, options);
  },

  async ls({ client }, argv) {
    const { options } = readArguments(argv, ["after", "limit", "json?"]);
    const limit = wholeNumber(options, "limit") || LIST_DEFAULT;
    const list = await client.list({ after: text(options, "after"), limit });
    print(options, list, () => listWords(list));
    return 0;
  },

  async get({ client }, argv) {
    const { words, options } = readArguments(argv, ["json?"]);
    const draft = await client.get(one(words, "draft by its id"));
    print(options, draft, () => draftWords(draft));
    return 0;
  },

  async update(ground, argv) {
    const names = ["article", "base", "allow-outside?", "dry-run?", "json?", ...PARTICULARS];
    const { words, options } = readArguments(argv, names);
    const [id = "", path, more] = words;
    if (id === "" || more !== undefined)
      throw new UsageError("name one draft by its id, and a file");
    const allowOutside = options["allow-outside"] === true;
    const { limits } = ground.config;
    const file = path === undefined ? {} : await readArticleFile(path, { limits, allowOutside });
    const form = {
      ...file,
      ...(await particulars(options, ground)),
      article: wholeNumber(options, "article"),
      base: wholeNumber(options, "base"),
      ...(options["dry-run"] === true && { dry_run: true }),
    };
    const answer = await ground.client.update(id, form);
    const isPreview = answer.object === "draft_preview";
    print(options, answer, () => (isPreview ? previewWords(answer) : draftWords(answer)));
    return answer.ok === false ? INPUT_EXIT : 0;
  },

  async rm({ client }, argv) {
    const { words, options } = readArguments(argv, ["json?"]);
    const answer = await client.remove(one(words, "draft by its id"));
    print(options, answer, () => `Draft ${answer.id} is deleted, in the box too.`);
    return 0;
  },

  async retry({ client }, argv) {
    const { words, options } = readArguments(argv, ["as-new?", "json?"]);
    const asNew = options["as-new"] === true;
    const draft = await client.retry(one(words, "draft by its id"), asNew);
    print(options, draft, () => draftWords(draft));
    return 0;
  },

  async doctor({ client }, argv) {
    const { options } = readArguments(argv, ["account", "json?"]);
    const diagnosis = await client.doctor(text(options, "account"));
    print(options, diagnosis, () => diagnosisWords(diagnosis));
    return diagnosis.healthy === true ? 0 : CONFIG_EXIT;
  },

  async themes({ client }, argv) {
    const { options } = readArguments(argv, ["json?"]);
    const themes = await client.themes();
    print(options, themes, () => themeWords(themes));
    return 0;
  },
};

/** Runs one command of drafts and resolves with its exit code. */
export async function draft(config: Config, argv: readonly string[]): Promise<number> {
  const [name = "", ...rest] = argv;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    throw new UsageError(`draft takes one of ${Object.keys(COMMANDS).join(", ")}`);
  }
  let found: Promise<DraftServer> | undefined;
  // A command that is written wrongly starts nothing.
  const client = new DraftClient(() => {
    found ??= findServer(config, process.env);
    return found;
  });
  try {
    return await command({ client, config }, rest);
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    if (rest.includes("--json"))
      process.stdout.write(`${JSON.stringify({ error: thrown.toWire() })}\n`);
    process.stderr.write(`faregate: ${faultWords(thrown)}\n`);
    return exitCodeOf(thrown);
  } finally {
    await (await found?.catch(() => undefined))?.close();
  }
}
