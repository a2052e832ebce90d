import { ConfigError } from "../../config/config.ts";
import { doctor as englishDoctor } from "./en/doctor.ts";
import { drafts as englishDrafts } from "./en/drafts.ts";
import { HELP as englishHelp } from "./en/help.ts";
import { mistakes as englishMistakes } from "./en/mistakes.ts";
import { said as englishSaid } from "./en/said.ts";
import { fill, type Language, type Values } from "./messages.ts";
import { doctor as chineseDoctor } from "./zh/doctor.ts";
import { drafts as chineseDrafts } from "./zh/drafts.ts";
import { HELP as chineseHelp } from "./zh/help.ts";
import { mistakes as chineseMistakes } from "./zh/mistakes.ts";
import { said as chineseSaid } from "./zh/said.ts";

export const WORDS = {
  en: {
    said: englishSaid,
    drafts: englishDrafts,
    doctor: englishDoctor,
    mistakes: englishMistakes,
    help: englishHelp,
  },
  zh: {
    said: chineseSaid,
    drafts: chineseDrafts,
    doctor: chineseDoctor,
    mistakes: chineseMistakes,
    help: chineseHelp,
  },
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** The language of a terminal: what is set for us, or else for every program, in the order of POSIX. */
export function readLanguage(env: Environment): Language {
  const own = env.FAREGATE_LANG;
  if (own && !/^(?:en|zh)(?:[_.@-]|$)/i.test(own)) {
    throw new ConfigError(`FAREGATE_LANG is "${own}"; it must be en or zh.`);
  }
  const locale = own || env.LC_ALL || env.LC_MESSAGES || env.LANG || "";
  return /^zh(?:[_.@-]|$)/i.test(locale) ? "zh" : "en";
}

let spoken: Language = "en";

/** From now on people are spoken to in this language. What programs read is English in every one. */
export function speak(language: Language): void {
  spoken = language;
}

export function spokenLanguage(): Language {
  return spoken;
}

type Said = typeof englishSaid;
type OfDrafts = typeof englishDrafts;
type Mistakes = typeof englishMistakes;

/** A message to whoever sits at the terminal. */
export function say<Key extends keyof Said>(key: Key, ...[values]: Values<Said[Key]>): string {
  return fill(WORDS[spoken].said[key], values);
}

/** The same of drafts. */
export function sayOfDrafts<Key extends keyof OfDrafts>(
  key: Key,
  ...[values]: Values<OfDrafts[Key]>
): string {
  return fill(WORDS[spoken].drafts[key], values);
}

/** What went wrong: for programs, and for whoever sits at the terminal. */
export function sayMistake<Key extends keyof Mistakes>(
  key: Key,
  ...[values]: Values<Mistakes[Key]>
): { readonly message: string; readonly words: string } {
  return {
    message: fill(englishMistakes[key], values),
    words: fill(WORDS[spoken].mistakes[key], values),
  };
}
