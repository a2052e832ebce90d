// The settings that stand above a markdown article, between two lines of three dashes.

/** How each of the settings is read; one that cannot be is as if it were not there. */
const READERS = {
  title: textOf,
  author: textOf,
  digest: textOf,
  /** An address or a path of a picture, as written. */
  cover: textOf,
  source_url: textOf,
  theme: textOf,
  type: typeOf,
  image_list: textsOf,
  need_open_comment: flagOf,
  only_fans_can_comment: flagOf,
};

type FrontMatter = {
  readonly [Name in keyof typeof READERS]?: NonNullable<ReturnType<(typeof READERS)[Name]>>;
};

interface ReadArticle {
  readonly fields: FrontMatter;
  readonly body: string;
  /** Why the settings could not be read; the article itself still can. */
  readonly problem?: string;
}

const BLOCK = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;
/** Settings are a few lines; a longer block is an article that begins and ends with a rule. */
const LENGTH_MAX = 20_000;
/** Values that stand for others. A few that each stand for several make millions. */
const ALIAS = /(?:^|[\s,[{])\*[^\s*,\]}]/g;
const ALIASES_MAX = 10;

/** Other tools call these fields by these names. */
const ALIASES: Readonly<Record<string, keyof FrontMatter>> = {
  description: "digest",
  summary: "digest",
  open_comment: "need_open_comment",
  fans_only_comment: "only_fans_can_comment",
  images: "image_list",
};

export function readFrontMatter(text: string): ReadArticle {
  const found = BLOCK.exec(text);
  const block = found?.[1] ?? "";
  if (!found || block.length > LENGTH_MAX) {
    return { fields: {}, body: text.replace(/^\uFEFF/, "") };
  }
  const body = text.slice(found[0].length);
  if ((block.match(ALIAS)?.length ?? 0) > ALIASES_MAX) {
    return { fields: {}, body, problem: `they have over ${ALIASES_MAX} aliases; write them out.` };
  }
  try {
    const parsed: unknown = Bun.YAML.parse(block);
    if (parsed === null || parsed === undefined) return { fields: {}, body };
    // A rule above a paragraph and a rule below it are no settings, but two rules.
    if (typeof parsed !== "object" || Array.isArray(parsed)) return { fields: {}, body: text };
    return { fields: fieldsOf(parsed), body };
  } catch (error) {
    return { fields: {}, body, problem: error instanceof Error ? error.message : String(error) };
  }
}

function fieldsOf(parsed: object): FrontMatter {
  const given: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(parsed)) {
    const name = ALIASES[key.toLowerCase()] ?? key.toLowerCase();
    if (given[name] === undefined || name === key) given[name] = value;
  }
  const read = Object.entries(READERS).map(([name, read]) => [name, read(given[name])] as const);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** A title such as 2026 or `true` is read by YAML as something else. */
function textOf(value: unknown): string | undefined {
  const isText = ["string", "number", "boolean"].includes(typeof value);
  return isText ? String(value).trim() : undefined;
}

function textsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map(textOf).filter((text) => text !== undefined);
}

function flagOf(value: unknown): boolean | undefined {
  if (value === true || value === 1 || value === "1") return true;
  return value === false || value === 0 || value === "0" ? false : undefined;
}

function typeOf(value: unknown): "news" | "newspic" | undefined {
  if (value === "image" || value === "newspic") return "newspic";
  return value === "news" ? "news" : undefined;
}
