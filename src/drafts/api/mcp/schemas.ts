/**
 * JSON schemas of the tools, made of those of the routes. Those of arguments are loose, for the agent to
 * read: what is wrong is found inside, so that the agent gets the same structured errors as everybody.
 * Those of results have the error in them, since clients refuse an answer that does not fit.
 */
import * as z from "../../../lib/schemas.ts";
import { draft, draftLine, theme } from "../../contract/draft.ts";
import { draftForm, previewForm, updateForm } from "../../contract/draft-form.ts";
import { preview } from "../../contract/preview.ts";
import { diagnosis } from "../../contract/public-account.ts";

export interface ObjectSchema {
  readonly type: "object";
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: string[];
  readonly [word: string]: unknown;
}

function described(schema: z.ZodObject, io: "input" | "output"): ObjectSchema {
  const { $schema, ...json } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      delete jsonSchema.additionalProperties;
      // Lists that our own code does not change are for others to send.
      delete jsonSchema.readOnly;
    },
  });
  return json as ObjectSchema;
}

const ID = z.object({ id: z.string().optional().describe("The draft's id, drf_….") });

const FILE = {
  file: z
    .string()
    .optional()
    .describe("Path of a .md or .html file on this machine, in place of the text."),
};

/** `files`: whether the tools run where the agent's files are. */
export function inputSchemas(files: boolean) {
  const taking = (form: z.ZodObject) => described(files ? form.extend(FILE) : form, "input");
  return {
    add: taking(
      previewForm.extend({
        idempotency_key: z.string().optional().describe("Calls with one key lead to one draft."),
      }),
    ),
    preview: taking(
      previewForm.extend({ include_html: z.boolean().optional().describe("With the HTML.") }),
    ),
    list: described(
      z.object({
        after: z.string().optional().describe("Last id of the page before."),
        limit: z.int().optional().describe("How many; 20 where absent, at most 100."),
      }),
      "input",
    ),
    get: described(ID, "input"),
    update: taking(updateForm.omit({ dry_run: true }).extend(ID.shape)),
    remove: described(ID, "input"),
    doctor: described(draftForm.pick({ account: true }), "input"),
    themes: described(z.object({}), "input"),
  };
}

const error = z
  .object({
    code: z.string().describe("Such as preflight_failed, platform_refused or platform_unknown."),
    message: z.string(),
    param: z.string().nullable().optional(),
    errcode: z.int().nullable().optional().describe("The platform's own code."),
    errmsg: z.string().optional(),
    rid: z.string().nullable().optional(),
    class: z
      .string()
      .optional()
      .describe("token, config, ip, human, input, limit, removed or other."),
    field: z.string().nullable().optional(),
    fix: z.string().optional().describe("What to do about it."),
    ip: z.string().nullable().optional(),
    replaced: z
      .int()
      .optional()
      .describe("How many articles, from the first on, were replaced although one was refused."),
    problems: z.array(z.object({})).optional(),
    draft_id: z
      .string()
      .optional()
      .describe("The draft that was kept; retry by draft_update, never by adding again."),
    written: z
      .object({})
      .optional()
      .describe("What a model wrote and was paid for, where no draft could be made of it."),
  })
  .optional()
  .describe("What went wrong; absent where nothing did.");

/** A result: `ok`, what it brings, and the error where there is one. */
function result(brought: z.ZodRawShape): ObjectSchema {
  const { shape } = z.object(brought).partial();
  return described(z.object({ ok: z.boolean(), ...shape, error }), "output");
}

const KNOWN = { id: true, status: true, media_id: true } as const;

const describeResults = () => ({
  draft: result({ draft: draft.pick(KNOWN) }),
  deleted: result({ deleted: z.boolean(), id: z.string() }),
  preview: result({ preview: preview.pick({ ok: true }) }),
  list: result({ data: z.array(draftLine.pick(KNOWN)), next: z.string().nullable() }),
  diagnosis: result({ diagnosis: diagnosis.pick({ healthy: true }) }),
  themes: result({ data: z.array(theme.pick({ id: true, name: true })) }),
});

let results: ReturnType<typeof describeResults> | undefined;

/** Described once, when an agent first asks: few servers have one. */
export function resultSchemas() {
  results ??= describeResults();
  return results;
}
