import { spokenLanguage, WORDS } from "../words/language.ts";
import { fill, type Values } from "../words/messages.ts";

type Words = (typeof WORDS)["en"]["doctor"];
type Name = keyof Words;

export type State = "ok" | "warning" | "problem";
type CheckOf<Key> = Key extends `check_${infer Check}` ? Check : never;
export type Check = CheckOf<Name>;

/** What a finding can be: every word that is neither a label nor what to do about another. */
export type Code = Exclude<
  Name,
  `${string}_fix` | `state_${string}` | `check_${string}` | `sum_${string}`
>;
type Fix<C extends Code> = `${C}_fix` extends Name ? Words[`${C}_fix`] : "";
type CodeValues<C extends Code> = Values<`${Words[C]}${Fix<C>}`>;

/** One thing that was looked at: how it is, and what to do about it. */
export interface Finding {
  readonly check: Check;
  readonly state: State;
  readonly code: Code;
  readonly values: Readonly<Record<string, string | number>>;
}

export function found<C extends Code>(
  check: Check,
  state: State,
  code: C,
  ...[values]: CodeValues<C>
): Finding {
  return { check, state, code, values: values ?? {} };
}

function worded(words: Readonly<Record<string, string>>, key: string, { values }: Finding) {
  const text = words[key];
  return text === undefined ? undefined : fill(text, values);
}

/** Names are written in one word here, and as programs write them there. */
function nameOf(code: Code): string {
  return code.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** For programs, in English whatever is spoken. */
export function findingJson(finding: Finding) {
  const { check, state, code, values } = finding;
  const words = WORDS.en.doctor;
  const message = worded(words, code, finding);
  const fix = worded(words, `${code}_fix`, finding) ?? null;
  return { check, state, code: nameOf(code), message, fix, values };
}

/** For whoever sits at the terminal. */
export function findingWords(finding: Finding) {
  const words: Readonly<Record<string, string>> = WORDS[spokenLanguage()].doctor;
  const { check, state, code } = finding;
  return {
    check: words[`check_${check}`] ?? check,
    state: words[`state_${state}`] ?? state,
    message: worded(words, code, finding) ?? code,
    fix: state === "ok" ? undefined : worded(words, `${code}_fix`, finding),
  };
}
