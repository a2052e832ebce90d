import type { Config } from "../../config/config.ts";
import { type Options, readArguments, text } from "../terminal/arguments.ts";
import { print } from "../terminal/print.ts";
import { linesAboveText, readArticleFile, readPicture } from "./article-file.ts";
import type { DraftClient, JsonBody } from "./draft-client.ts";
import type { Environment } from "./draft-server.ts";
import type { SentFile } from "./draft-words.ts";

/** What a command of drafts works with. */
export interface CommandDependencies {
  readonly client: DraftClient;
  readonly config: Config;
  readonly env: Environment;
}

/** Does what was typed and resolves with the exit code. */
export type Command = (deps: CommandDependencies, argv: readonly string[]) => Promise<number>;

/** A command that asks the server once and shows its answer. */
export function showing(
  names: readonly string[],
  ask: (client: DraftClient, typed: ReturnType<typeof readArguments>) => Promise<JsonBody>,
  words: (answer: JsonBody) => string,
): Command {
  return async ({ client }, argv) => {
    const typed = readArguments(argv, [...names, "json?"]);
    const answer = await ask(client, typed);
    print(typed.options, answer, () => words(answer));
    return 0;
  };
}

/** What an article may be given beside its text. */
export const PARTICULARS = ["title", "author", "digest", "theme", "cover", "source-url"];

/** Those of the options that were typed, as members of a request. */
export function membersOf(options: Options, names: readonly string[]): JsonBody {
  const typed = names.filter((name) => text(options, name) !== undefined);
  return Object.fromEntries(typed.map((name) => [name.replace("-", "_"), text(options, name)]));
}

export async function particulars(
  options: Options,
  { config }: CommandDependencies,
): Promise<JsonBody> {
  const given = membersOf(options, PARTICULARS);
  const cover = text(options, "cover");
  return cover === undefined ? given : { ...given, cover: await readPicture(cover, config.limits) };
}

/** An article of a file, as a request has it, and where it stands for whoever is told of a line. */
export async function articleOf(
  path: string,
  options: Options,
  deps: CommandDependencies,
): Promise<{ readonly form: JsonBody; readonly file: SentFile }> {
  const allowOutside = options["allow-outside"] === true;
  const { limits } = deps.config;
  const article = await readArticleFile(path, { limits, allowOutside });
  const form = { ...article, ...(await particulars(options, deps)) };
  return { form, file: { path, linesAbove: await linesAboveText(path) } };
}
