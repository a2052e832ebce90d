/**
 * JSON schemas of the tools. Those of arguments are loose, for the agent to read: what is wrong is
 * found inside, so that the agent gets the same structured errors as everybody. Those of results have
 * the error in them, since clients refuse an answer that does not fit.
 */
type JsonSchema = Readonly<Record<string, unknown>>;

export interface ObjectSchema extends JsonSchema {
  readonly type: "object";
}

function text(description: string): JsonSchema {
  return { type: "string", description };
}

const flag = (description: string): JsonSchema => ({ type: "boolean", description });

const picture =
  'an address, a data: URL, or one of {"url"}, {"data"}, {"media_id"}, {"card": true} (a drawn title card)';

const ARTICLE = {
  title: text("At most 32 characters. From the text's own heading where absent."),
  author: text("At most 16 characters."),
  digest: text("At most 120 characters; the platform takes the first 54 of the text where absent."),
  theme: text("One of list_themes."),
  cover: { description: `The cover: ${picture}. A title card is drawn where absent.` },
  source_url: text("Where 'read the original' leads."),
  type: { enum: ["news", "newspic"], description: "newspic is an image message." },
  images: { type: "array", description: `Of an image message, 1 to 20, each ${picture}.` },
  open_comment: flag("Whether readers may comment."),
  fans_only_comment: flag("Whether only followers may."),
};

const TEXTS = {
  markdown: text("The article as markdown; settings may stand above it between lines of ---."),
  html: text("The article as HTML."),
};

const ACCOUNT = {
  account: text("Public account by name or id; the default one where absent."),
};

const SOURCE = {
  brief: text("What a model of the gateway shall write about; needs 'model' and is charged."),
  model: text("The model that writes, such as those of GET /v1/models."),
  language: text("That of the brief where absent."),
  length: { description: "short, medium, long, or a number of words." },
  tone: text("How it should sound."),
  ...TEXTS,
  articles: {
    type: "array",
    description: "Several articles in one draft, each with its own text.",
  },
};

const ID = { id: text("The draft's id, drf_….") };

function input(properties: Readonly<Record<string, JsonSchema>>, file: boolean): ObjectSchema {
  const own = file
    ? { file: text("Path of a .md or .html file on this machine, in place of the text.") }
    : {};
  return { type: "object", properties: { ...properties, ...own } };
}

/** `files`: whether the tools run where the agent's files are. */
export function inputSchemas(files: boolean) {
  return {
    add: input(
      {
        ...SOURCE,
        ...ARTICLE,
        ...ACCOUNT,
        idempotency_key: text("Calls with one key lead to one draft."),
      },
      files,
    ),
    preview: input(
      { ...SOURCE, ...ARTICLE, ...ACCOUNT, include_html: flag("With the HTML.") },
      files,
    ),
    list: input({ after: text("Last id of the page before."), limit: { type: "integer" } }, false),
    get: input(ID, false),
    update: input(
      {
        ...ID,
        ...TEXTS,
        ...ARTICLE,
        article: {
          type: "integer",
          description: "Index of the article to change; 0 where absent.",
        },
        articles: SOURCE.articles,
        base: { type: "integer", description: "The version that was edited." },
      },
      files,
    ),
    remove: input(ID, false),
    doctor: input(ACCOUNT, false),
    themes: input({}, false),
  };
}

const nullable = (type: string) => ({ type: [type, "null"] });

const ERROR: JsonSchema = {
  type: "object",
  description: "What went wrong; absent where nothing did.",
  properties: {
    code: text("Such as preflight_failed, platform_refused or platform_unknown."),
    message: { type: "string" },
    param: nullable("string"),
    errcode: { ...nullable("integer"), description: "The platform's own code." },
    errmsg: { type: "string" },
    rid: nullable("string"),
    class: text("token, config, ip, human, input, limit, removed or other."),
    field: nullable("string"),
    fix: text("What to do about it."),
    ip: nullable("string"),
    problems: { type: "array", items: { type: "object" } },
    draft_id: text("The draft that was kept; retry by draft_update, never by adding again."),
  },
  required: ["code", "message"],
};

/** A result: `ok`, what it brings, and the error where there is one. */
export function outputSchema(properties: Readonly<Record<string, JsonSchema>>): ObjectSchema {
  return {
    type: "object",
    properties: { ok: { type: "boolean" }, ...properties, error: ERROR },
    required: ["ok"],
  };
}

export const DRAFT_RESULT = outputSchema({
  draft: {
    type: "object",
    properties: {
      id: { type: "string" },
      status: { type: "string" },
      media_id: nullable("string"),
    },
    required: ["id", "status", "media_id"],
  },
});
