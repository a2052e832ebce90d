import { formatUsd } from "../catalogue/money.ts";

type Snake<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Text;

type NameOf<Name extends string> = Name extends `${infer When}AtMs`
  ? `${Snake<When>}_at`
  : Snake<Name>;

type ValueOf<Name, Value> = Value extends bigint
  ? string
  : Name extends `${string}AtMs`
    ? string | Extract<Value, null>
    : Value;

type Shown<Whole, Name extends keyof Whole & string> = {
  [N in Name as NameOf<N>]: ValueOf<N, Whole[N]>;
};

function shownName(name: string): string {
  return name.replace(/AtMs$/, "At").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function shownValue(name: string, value: unknown): unknown {
  if (typeof value === "bigint") return formatUsd(value);
  const isMoment = typeof value === "number" && name.endsWith("AtMs");
  return isMoment ? new Date(value).toISOString() : value;
}

/**
 * These members of something and no others, as the API shows them: `createdAtMs` as the instant `created_at`, and
 * nano-dollars as a decimal of dollars.
 */
export function shown<Whole, Name extends keyof Whole & string>(
  whole: Whole,
  ...names: readonly Name[]
): Shown<Whole, Name> {
  const members = names.map((name) => [shownName(name), shownValue(name, whole[name])]);
  return Object.fromEntries(members);
}
