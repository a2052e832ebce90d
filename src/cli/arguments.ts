import { parseArgs } from "node:util";
import { type NanoUsd, parseUsd } from "../catalogue/money.ts";
import { isRange } from "../lib/networks.ts";

/** The command was written wrongly. The message says how to write it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export type Options = Readonly<Record<string, string | boolean | undefined>>;

interface Arguments {
  readonly words: readonly string[];
  readonly options: Options;
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
    throw new UsageError((thrown as Error).message);
  }
}

export function text(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

export function required(options: Options, name: string): string {
  const value = text(options, name);
  if (!value) throw new UsageError(`--${name} is missing`);
  return value;
}

export function wholeNumber(options: Options, name: string): number | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value))
    throw new UsageError(`--${name} must be a whole number, 0 for no limit`);
  return Number(value);
}

export function usd(value: string, name: string): NanoUsd {
  const amount = parseUsd(value);
  if (amount === undefined) {
    throw new UsageError(`${name} must be a plain decimal of dollars, such as 10.00`);
  }
  return amount;
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
  if (entries.some((entry) => entry === "")) {
    throw new UsageError(`--${name} must be names separated by commas, or "all"`);
  }
  return entries;
}

export function networks(options: Options, name: string): string[] | null | undefined {
  const ranges = list(options, name);
  const wrong = ranges?.find((range) => !isRange(range));
  if (wrong !== undefined)
    throw new UsageError(`--${name}: "${wrong}" is not an address or CIDR range`);
  return ranges;
}

export function moment(options: Options, name: string): number | null | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  if (value === "never") return null;
  const ms = Date.parse(value);
  if (Number.isNaN(ms))
    throw new UsageError(`--${name} must be a date such as 2027-01-31, or "never"`);
  return ms;
}

export function yesNo(options: Options, name: string): boolean | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  if (value === "yes" || value === "no") return value === "yes";
  throw new UsageError(`--${name} must be yes or no`);
}
