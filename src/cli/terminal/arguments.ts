import { parseArgs } from "node:util";
import { type NanoUsd, parseUsd } from "../../catalogue/money.ts";
import { isRange } from "../../lib/net/networks.ts";
import { sayMistake, type WORDS } from "../words/language.ts";
import type { Values } from "../words/messages.ts";

/**
 * Errors of commands on this side of the server, with their exit codes. `npm run docs` writes them into docs/errors.md.
 */
export const COMMAND_ERRORS = {
  invalid_usage: {
    exit: 2,
    about: "the command was typed wrongly; the message says how to write it",
  },
  file_not_found: { exit: 2, about: "the named file, or a picture of the article, is not there" },
  invalid_file: {
    exit: 2,
    about: "the file cannot be read, is too large or damaged, or has wrong settings",
  },
  missing_api_key: { exit: 2, about: "`FAREGATE_URL` is set and `FAREGATE_API_KEY` is not" },
  invalid_setting: {
    exit: 2,
    about: "a variable of the environment, or `faregate.yaml`, is wrong",
  },
  secret_refused: { exit: 2, about: "the secret is missing, is another one, or is being changed" },
  no_database: { exit: 2, about: "no server ever used this folder, or a file of it is gone" },
  database_unfit: {
    exit: 2,
    about: "a newer Faregate wrote the database or backup, or its tables were edited",
  },
  database_in_use: {
    exit: 2,
    about: "another process serves from the database or works in its folder",
  },
  storage_unavailable: { exit: 2, about: "the disk or PostgreSQL does not answer, or refuses" },
  upstream_unavailable: { exit: 3, about: "the server cannot be reached" },
  draft_exists: {
    exit: 6,
    about: "the file is a draft already; `draft_id`, `status`, `title`, `media_id`",
  },
  internal_error: { exit: 1, about: "a bug of ours; standard error has the trace" },
} as const;
type CommandError = keyof typeof COMMAND_ERRORS;

/** Errors that may be gone when the same command runs again. */
const PASSING: readonly CommandError[] = ["database_in_use", "storage_unavailable"];

interface UsageDetails {
  readonly code?: CommandError;
  /** The option at fault. */
  readonly param?: string | undefined;
  /** In the language of the terminal; the message is English. */
  readonly words?: string;
  /** Further members of the error that programs read. */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly exitCode?: number;
}

/** The command cannot be done as it was typed. The message says how to write it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code: CommandError;
  readonly words: string;
  readonly exitCode: number | undefined;
  readonly #param: string | null;
  readonly #facts: Readonly<Record<string, unknown>>;

  constructor(message: string, details: UsageDetails = {}) {
    super(message);
    this.code = details.code ?? "invalid_usage";
    this.words = details.words ?? message;
    this.exitCode = details.exitCode;
    this.#param = details.param ?? null;
    this.#facts = details.facts ?? {};
  }

  /** The error object, in the shape of the server's. */
  toJson(): Readonly<Record<string, unknown>> {
    const { message, code } = this;
    const type = PASSING.includes(code) ? "service_unavailable_error" : "invalid_request_error";
    return { message, type, code, param: this.#param, ...this.#facts };
  }
}

type MistakeKey = keyof typeof WORDS.en.mistakes;

/** A mistake that is told in the language of the terminal; an `option` among its values is the one at fault. */
export function mistake<Key extends MistakeKey>(
  key: Key,
  ...values: Values<(typeof WORDS.en.mistakes)[Key]>
): UsageError {
  return mistakeOf("invalid_usage", key, ...values);
}

/** The same, of a kind that programs tell apart. */
export function mistakeOf<Key extends MistakeKey>(
  code: CommandError,
  key: Key,
  ...values: Values<(typeof WORDS.en.mistakes)[Key]>
): UsageError {
  const { message, words } = sayMistake(key, ...values);
  const option = (values[0] as Readonly<Record<string, unknown>> | undefined)?.option;
  return new UsageError(message, {
    ...{ code, words },
    param: typeof option === "string" ? option : undefined,
  });
}

/** Behind the first word of several commands stands none of those that follow it. */
export function notAmong(family: string, commands: Readonly<Record<string, unknown>>): UsageError {
  return mistake("notAmong", { family, commands: Object.keys(commands).join(", ") });
}

export type Options = Readonly<Record<string, string | boolean | undefined>>;

interface Arguments {
  readonly words: readonly string[];
  readonly options: Options;
}

/** What the parser has to say, in our words; it names the option in quotes, with its short form or value. */
function parseMistake(thrown: unknown): UsageError {
  const { message, code } = thrown as Error & { code?: string };
  const option = /'(?:-\w, )?(--?[^\s'=]+)/.exec(message)?.[1] ?? "";
  if (option === "") return new UsageError(message);
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") return mistake("optionUnknown", { option });
  return / does not take /.test(message)
    ? mistake("optionTakesNoValue", { option })
    : mistake("optionNeedsValue", { option });
}

/** Options with a value and, behind a `?`, those without: `["account", "json?"]`. */
export function readArguments(argv: readonly string[], names: readonly string[]): Arguments {
  const options = Object.fromEntries(
    names.map((name) =>
      name.endsWith("?")
        ? [name.slice(0, -1), { type: "boolean" as const }]
        : [name, { type: "string" as const }],
    ),
  );
  try {
    const parsed = parseArgs({ args: [...argv], options, allowPositionals: true });
    return { words: parsed.positionals, options: parsed.values as Options };
  } catch (thrown) {
    throw parseMistake(thrown);
  }
}

/** What is typed behind all that a command takes would be left undone. */
export function noMoreWords([word]: readonly string[]): void {
  if (word !== undefined) throw mistake("wordUnexpected", { word });
}

/** The same for a command that takes options only. */
export function readOptions(argv: readonly string[], names: readonly string[]): Options {
  const { words, options } = readArguments(argv, names);
  noMoreWords(words);
  return options;
}

export function text(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

export function required(options: Options, name: string): string {
  const value = text(options, name);
  if (!value) throw mistake("optionMissing", { option: `--${name}` });
  return value;
}

const WHOLE = /^\d{1,9}$/;
const ABOVE_ZERO = /^[1-9]\d{0,8}$/;

function numberOf(
  options: Options,
  name: string,
  [pattern, wrong]: readonly [RegExp, "notWholeNumber" | "notLimit" | "notCount"],
): number | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  if (!pattern.test(value)) throw mistake(wrong, { option: `--${name}` });
  return Number(value);
}

export function wholeNumber(options: Options, name: string): number | undefined {
  return numberOf(options, name, [WHOLE, "notWholeNumber"]);
}

/** A limit, or 0 for none. */
export function limit(options: Options, name: string): number | undefined {
  return numberOf(options, name, [WHOLE, "notLimit"]);
}

/** How many, of which there is at least one. */
export function count(options: Options, name: string): number | undefined {
  return numberOf(options, name, [ABOVE_ZERO, "notCount"]);
}

/** An amount of an option or, without one, of the command itself. */
export function usd(value: string, option?: string): NanoUsd {
  const amount = parseUsd(value);
  if (amount !== undefined) return amount;
  throw option === undefined ? mistake("amountNotDollars") : mistake("notDollars", { option });
}

/** An amount, or "none" for no limit. */
export function optionalUsd(options: Options, name: string): NanoUsd | null | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  return value === "none" ? null : usd(value, `--${name}`);
}

/** A list separated by commas, or "all" for no restriction. */
export function list(options: Options, name: string): string[] | null | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  if (value === "all") return null;
  const entries = value.split(",").map((entry) => entry.trim());
  if (entries.some((entry) => entry === "")) throw mistake("notList", { option: `--${name}` });
  return entries;
}

export function networks(options: Options, name: string): string[] | null | undefined {
  const ranges = list(options, name);
  const wrong = ranges?.find((range) => !isRange(range));
  if (wrong !== undefined) throw mistake("notNetwork", { option: `--${name}`, found: wrong });
  return ranges;
}

export function yesNo(options: Options, name: string): boolean | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  if (value === "yes" || value === "no") return value === "yes";
  throw mistake("notYesNo", { option: `--${name}` });
}
