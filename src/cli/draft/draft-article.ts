import type { Config } from "../../config/config.ts";
import { type Options, text } from "../terminal/arguments.ts";
import { linesAboveText, readArticleFile, readPicture } from "./article-file.ts";
import type { Answer, DraftClient } from "./draft-client.ts";
import type { Environment } from "./draft-server.ts";
import type { SentFile } from "./draft-words.ts";

/** What a command of drafts works with. */
export interface Ground {
  readonly client: DraftClient;
  readonly config: Config;
  readonly env: Environment;
}

/** What an article may be given beside its text. */
export const PARTICULARS = ["title", "author", "digest", "theme", "cover", "source-url"];

export async function particulars(options: Options, { config }: Ground): Promise<Answer> {
  const given: Record<string, unknown> = {};
  for (const name of PARTICULARS) {
    const value = text(options, name);
    if (value !== undefined) given[name.replace("-", "_")] = value;
  }
  const cover = text(options, "cover");
  if (cover !== undefined) given.cover = await readPicture(cover, config.limits);
  return given;
}

/** An article of a file, as a request has it, and where it stands for whoever is told of a line. */
export async function articleOf(
  path: string,
  options: Options,
  ground: Ground,
): Promise<{ readonly form: Answer; readonly file: SentFile }> {
  const allowOutside = options["allow-outside"] === true;
  const { limits } = ground.config;
  const article = await readArticleFile(path, { limits, allowOutside });
  const form = { ...article, ...(await particulars(options, ground)) };
  return { form, file: { path, linesAbove: await linesAboveText(path) } };
}
