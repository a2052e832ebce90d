// What a route takes and what it answers, said once. From it come the checks of what is sent, the types that pages
// import, and the description of the API. Pages take nothing but types from there.
import * as z from "./schemas.ts";
import { readMoment } from "./text/moments.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** An answer that is not JSON: a table to save, a picture, a page. */
interface FileAnswer {
  readonly contentType: string;
}

export type AnswerSchema = z.ZodType | FileAnswer;

/** What a caller shows to be let in, as the description of the API names it. */
export type Credential =
  | "key"
  | "anthropicKey"
  | "googleKey"
  | "operatorToken"
  | "session"
  | "platformToken";

/** The least that a caller of the console's API is; `scope` is what a token needs. */
export interface Caller {
  readonly least: "anybody" | "signed in" | "viewer" | "member" | "owner" | "operator";
  readonly scope?: string;
}

export interface Operation<
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answer extends AnswerSchema = AnswerSchema,
> {
  readonly method: Method;
  /** As the table of routes has it: `/api/accounts/:account/keys/:id`. */
  readonly path: string;
  /** One line for whoever looks for it. */
  readonly summary: string;
  /** Absent where there is nothing to ask for. */
  readonly query?: Query;
  /** Headers that say something about this call, by their names in small letters. */
  readonly headers?: z.ZodObject;
  /** Absent where nothing is sent. */
  readonly body?: Body;
  /** Of the answer where all went well. */
  readonly status: number;
  readonly answer: Answer;
  /** What those get in its place, with a status of its own, who accept nothing else. */
  readonly file?: FileAnswer;
  /** A body as somebody might send it, or how to make one of the schemas, which nobody needs before it is shown. */
  readonly example?: z.input<Body> | (() => z.input<Body>);
  /** Of a body that is not JSON. */
  readonly bodyType?: string;
  /** What comes instead as server-sent events, where a stream is asked for. */
  readonly stream?: string;
  /** The body of an error, where it is not the common one. */
  readonly fault?: z.ZodType;
  /** Any of these opens it, and nothing is needed where the list is empty; by its path, where it is not said. */
  readonly credentials?: readonly Credential[];
  /** Set where the route is made. */
  readonly caller?: Caller;
}

type Said<Query extends z.ZodObject, Body extends z.ZodType, Answer extends AnswerSchema> = Omit<
  Operation<Query, Body, Answer>,
  "method" | "path" | "summary" | "status"
> & { readonly status?: number };

/** A body as somebody might send it. */
export function bodyExample({ example }: Pick<Operation, "example">): unknown {
  return typeof example === "function" ? (example as () => unknown)() : example;
}

/** Makes operations of a method; those of the common ones have names. */
export function operationBy(method: Method) {
  return <
    Answer extends AnswerSchema,
    Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
    Body extends z.ZodType = z.ZodUndefined,
  >(
    path: string,
    summary: string,
    said: Said<Query, Body, Answer>,
  ): Operation<Query, Body, Answer> => ({ ...{ method, path, summary, status: 200 }, ...said });
}

export const get = operationBy("GET");
export const post = operationBy("POST");
export const put = operationBy("PUT");
export const patch = operationBy("PATCH");
/** A DELETE. */
export const remove = operationBy("DELETE");

/** What a handler gives: the value of the answer, alone or with what else there is to say; or a file as it is. */
export type Answered<Answer extends AnswerSchema> = Answer extends z.ZodType
  ? z.input<Answer> | Reply<z.input<Answer>>
  : Response;

/** The value that an operation answers with. */
export type AnswerOf<Op> = Op extends { readonly answer: infer Answer extends z.ZodType }
  ? z.input<Answer>
  : never;

export class Reply<Value> {
  readonly value: Value;
  readonly init: {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    /** Each is a header of its own, as `Set-Cookie` has it. */
    readonly cookies?: readonly string[];
  };

  constructor(value: Value, init: Reply<Value>["init"]) {
    this.value = value;
    this.init = init;
  }
}

/** The file of an operation that has one beside its answer. */
export class FileReply extends Reply<never> {
  readonly file: Response;

  constructor(file: Response) {
    super(undefined as never, {});
    this.file = file;
  }
}

/** Of a file that comes in the place of another answer. */
export const FILE_STATUS = 200;

export const isFile = (answer: AnswerSchema): answer is FileAnswer =>
  Object.hasOwn(answer, "contentType");

const TEXT_CHARS_MAX = 300;
const CURSOR_CHARS_MAX = 200;
const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 200;
const LIMIT_WORDS = `The limit must be a whole number from 1 to ${LIMIT_MAX}.`;

const nameOf = ({ path }: { readonly path?: readonly PropertyKey[] | undefined }) =>
  String(path?.at(-1));

const tooLong = (issue: { readonly path?: readonly PropertyKey[] | undefined }) =>
  `'${nameOf(issue)}' is longer than ${TEXT_CHARS_MAX} characters.`;

/** A parameter of an address. No id, name or cursor of ours is longer. */
export const textParameter = z.string().max(TEXT_CHARS_MAX, { error: tooLong });

/** A day or a moment, in milliseconds. */
export const momentParameter = textParameter
  .refine((text) => readMoment(text) !== undefined, {
    error: (issue) =>
      `'${nameOf(issue)}' must be a day such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z.`,
  })
  .transform((text) => readMoment(text) ?? Number.NaN);

export function choiceParameter<const Choices extends readonly string[]>(choices: Choices) {
  return z.enum(choices, {
    error: (issue) =>
      String(issue.input).length > TEXT_CHARS_MAX
        ? tooLong(issue)
        : `'${nameOf(issue)}' must be one of ${choices.join(", ")}.`,
  });
}

/** `?after=…&limit=…` of a list. */
export const PAGE = {
  after: z.string().max(CURSOR_CHARS_MAX, "This is not the cursor of a page.").optional(),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, LIMIT_WORDS)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= LIMIT_MAX, LIMIT_WORDS)
    .default(LIMIT_DEFAULT),
} as const;

/** A part of a list, and the cursor of what follows. */
export function listOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({
    object: z.literal("list"),
    data: z.array(row).readonly(),
    next: z.string().nullable(),
  });
}

export type Page<Row> = z.output<ReturnType<typeof listOf<z.ZodType<Row>>>>;

/** The body of an error. */
export const FAULT_BODY = z
  .looseObject({
    error: z.looseObject({
      message: z
        .string()
        .describe("What is wrong, and what to do about it.")
        .meta({ examples: ["Give the key a name."] }),
      type: z.string().meta({ examples: ["invalid_request_error"] }),
      code: z
        .string()
        .describe("A stable code; docs/errors.md lists all.")
        .meta({ examples: ["invalid_value"] }),
      param: z
        .string()
        .nullable()
        .describe("The field or parameter at fault.")
        .meta({ examples: ["name"] }),
    }),
  })
  .meta({ id: "Error" });

/** An amount of dollars. */
export const decimal = z.string().meta({ id: "Decimal", examples: ["12.50"] });
/** A moment in UTC. */
export const instant = z.string().meta({ id: "Instant", examples: ["2027-01-31T12:00:00.000Z"] });

/** A schema with what it means and how a value of it may look. */
export function told<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: readonly z.input<Schema>[]
): Schema {
  return schema.meta({ description, ...(examples.length > 0 && { examples: [...examples] }) });
}
