// What the server says of drafts in English, in the language of the terminal. What has no words there is said in
// the server's.
import type { JsonBody } from "./draft/draft-client.ts";
import { spokenLanguage } from "./words/language.ts";
import { fill } from "./words/messages.ts";
import { findings, problems } from "./words/zh/server.ts";

type Area = Readonly<Record<string, string | undefined>>;

const LINE_CODE = /^(title|author|digest)_(too_long|wide|long|control|escaped)$/;
/** As the console calls the fields that have a line of their own. */
const LINE_NAMES: Area = {
  title: findings.heading,
  author: findings.author,
  digest: findings.digest,
};
/** Kinds of refusal that say more than the code that came with them. */
const OWN_WORDS: readonly unknown[] = ["token_source", "proxy"];

function wordsOf(area: Area, key: string): string | undefined {
  return spokenLanguage() === "zh" && Object.hasOwn(area, key) ? area[key] : undefined;
}

function pictureOf({ picture = problems.picture_unnamed, line }: JsonBody): string {
  const named = { picture: String(picture), line: String(line) };
  return line === undefined ? named.picture : fill(problems.picture_line ?? "{picture}", named);
}

/** One problem of an article. */
export function problemWords(problem: JsonBody): string {
  const { code, message, found = "", limit = "", line = "" } = problem;
  const isPlaceless = code === "diagram_not_drawn" && problem.line === undefined;
  const known = isPlaceless ? "diagrams_not_drawn" : String(code);
  const words = wordsOf(problems, known.replace(LINE_CODE, "line_$2"));
  if (words === undefined) return String(message);
  const field = String(LINE_NAMES[LINE_CODE.exec(known)?.[1] ?? ""] ?? "");
  const numbers = { found: String(found), limit: String(limit), line: String(line) };
  return fill(words, { ...numbers, field, picture: pictureOf(problem) });
}

/** What to do about a refusal of the platform. */
export function fixWords({ errcode, class: kind, fix }: JsonBody): string | undefined {
  for (const name of OWN_WORDS.includes(kind) ? [kind] : [errcode, kind]) {
    const words = wordsOf(problems, `refusal_${name}`);
    if (words !== undefined) return words;
  }
  return typeof fix === "string" ? fix : undefined;
}

/** What the doctor looked at, how it stands, and what there is to say of it. */
export function findingWords(finding: JsonBody): {
  readonly check: string;
  readonly state: string;
  readonly words: string;
} {
  const { check, state, message, reason } = finding;
  const fix = finding.fix ? fixWords(finding) : undefined;
  const said = wordsOf(findings, `reason_${reason}`) ?? message;
  return {
    check: wordsOf(findings, `check_${check}`) ?? String(check),
    state: wordsOf(findings, `found_${state}`) ?? String(state),
    words: fix ? `${said} ${fix}` : String(said),
  };
}
