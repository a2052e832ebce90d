import type { ArticleTheme } from "../../drafts/contract/draft.ts";
import type { Preview, TakenOut } from "../../drafts/contract/preview.ts";
import type { Difference, Receipt } from "../../drafts/contract/push.ts";
import { Fault } from "../../lib/faults.ts";
import { findingWords, fixWords, problemWords } from "../server-words.ts";
import { padded, table } from "../terminal/print.ts";
import { say, sayOfDrafts, spokenLanguage } from "../words/language.ts";
import { destinationWords } from "./draft-account-words.ts";
import type { JsonBody } from "./draft-client.ts";

const EXIT = { other: 1, input: 2, config: 3, limit: 4, unknown: 5 } as const;

/** As wide as the longest of `media_id` and its companions. */
const LABEL_COLUMNS = 8;

const BY_CODE: Readonly<Record<string, number>> = {
  invalid_api_key: EXIT.config,
  ip_not_allowed: EXIT.config,
  permission_denied: EXIT.config,
  upstream_unavailable: EXIT.config,
  proxy_failed: EXIT.config,
  token_unavailable: EXIT.config,
  storage_unavailable: EXIT.config,
  rate_limit_exceeded: EXIT.limit,
  budget_busy: EXIT.limit,
  budget_exceeded: EXIT.limit,
  overloaded: EXIT.limit,
  platform_unknown: EXIT.unknown,
  push_busy: EXIT.unknown,
  writing_failed: EXIT.other,
  internal_error: EXIT.other,
};
const BY_CLASS: Readonly<Record<string, number>> = {
  input: EXIT.input,
  limit: EXIT.limit,
  removed: EXIT.input,
};

/** 2 input, 3 settings, rights and addresses, 4 limits, 5 nobody knows what the platform did. */
export function exitCodeOf({ fault, facts }: Fault): number {
  if (fault === "platform_refused") return BY_CLASS[String(facts.class)] ?? EXIT.config;
  return BY_CODE[fault] ?? EXIT.input;
}

type Problem = Readonly<Record<string, unknown>>;

/** The file that was sent, and how many of its lines stand above the text that the server knows. */
export interface SentFile {
  readonly path: string;
  readonly linesAbove: number;
}

/** A refusal of what stands in a file of this machine. */
export class FileFault extends Fault {
  readonly file: SentFile;

  constructor({ fault, message, param, headers, facts }: Fault, file: SentFile) {
    super(fault, message, { ...(param !== null && { param }), headers, facts });
    this.file = file;
  }
}

/** The same problem by the line of the file: the server counts from below the settings, in its words too. */
function inFile(problem: Problem, file: SentFile | undefined): Problem {
  const { line, message } = problem;
  if (file === undefined || typeof line !== "number") return problem;
  const there = line + file.linesAbove;
  const said = new RegExp(`(\\(|in )line ${line}\\b`);
  return { ...problem, line: there, message: String(message).replace(said, `$1line ${there}`) };
}

const INDENT = "  ";
const STATE_COLUMNS = 8;
const CHECK_COLUMNS = 18;

function takenLine({ name, lines }: TakenOut, file: SentFile | undefined): string {
  if (lines.length === 0) return name;
  if (file === undefined) return sayOfDrafts("takenInText", { name, lines: lines.join(", ") });
  const inFile = lines.map((line) => line + file.linesAbove).join(", ");
  return sayOfDrafts("takenInFile", { name, file: file.path, lines: inFile });
}

function severityWord(severity: unknown): string {
  return sayOfDrafts(severity === "error" ? "severity_error" : "severity_warning");
}

function placeOf({ article, field }: Problem): string {
  return `articles[${article}].${field}`;
}

/** Problems of these severities, each with what was taken out and where it stands. */
function problemLines(
  problems: unknown,
  severities: readonly string[],
  file?: SentFile,
): readonly string[] {
  const several = severities.length > 1;
  return (Array.isArray(problems) ? (problems as Problem[]) : [])
    .filter(({ severity }) => severities.includes(String(severity)))
    .flatMap((problem) => [
      `${INDENT}${several ? severityWord(problem.severity) : ""}${placeOf(problem)}: ${problemWords(inFile(problem, file))}`,
      ...((problem.taken ?? []) as readonly TakenOut[]).map(
        (each) => `${INDENT.repeat(2)}${takenLine(each, file)}`,
      ),
    ]);
}

/** A refusal as somebody at a terminal reads it: every problem, and how to go on. */
export function faultWords(refusal: Fault): string {
  const { fault, message, facts } = refusal;
  const file = refusal instanceof FileFault ? refusal.file : undefined;
  const lines = fault === "preflight_failed" ? problemLines(facts.problems, ["error"], file) : [];
  const fix = facts.fix === undefined ? undefined : fixWords(facts);
  const help = fix !== undefined && !message.includes(fix) ? [fix] : [];
  const id = facts.draft_id;
  const next = id === undefined ? [] : [sayOfDrafts("kept", { id: String(id) })];
  const heading = lines.length > 0 ? sayOfDrafts("refused") : message;
  return [heading, ...lines, ...help, ...next].join("\n");
}

export function previewWords(preview: JsonBody, file?: SentFile): string {
  const articles = preview.articles as Preview["articles"];
  const rows = articles.map(({ title, counts, uploads }) => ({
    [say("column_title")]: title,
    [say("column_titleChars")]: counts.title.characters,
    [say("column_textChars")]: counts.text.characters,
    [say("column_bytes")]: counts.content_bytes,
    [say("column_uploads")]: uploads.length,
  }));
  const problems = problemLines(preview.problems, ["error", "warning"], file);
  const verdict = sayOfDrafts(preview.ok === true ? "nothingSent" : "cannotBeSent");
  const where = destinationWords(preview.destination);
  const place = where === undefined ? [] : [sayOfDrafts("wouldGoTo", { where })];
  return [table(rows), "", verdict, ...place, ...problems].join("\n");
}

const STATUSES = [
  ...(["local", "pushing", "in_box", "changed", "refused"] as const),
  ...(["unknown", "removed", "publishing", "published"] as const),
];

export function statusWords(status: unknown): string {
  const known = STATUSES.find((name) => name === status);
  return known ? sayOfDrafts(`status_${known}`) : String(status);
}

function labelled(label: string, words: string): string {
  return `${INDENT}${padded(label, LABEL_COLUMNS)}  ${words}`;
}

function writingLine({ model, request_id, cost, purpose }: JsonBody): string {
  const known = purpose === "write" || purpose === "shorten";
  const label = known ? sayOfDrafts(`label_${purpose}`) : String(purpose);
  const price = cost === null ? [] : [sayOfDrafts("cost", { cost: String(cost) })];
  return labelled(label, [model, ...price, request_id].join(", "));
}

function differenceLine({ article, field, submitted, stored }: Difference): string {
  const quoted = (text: string) => (text === "" ? sayOfDrafts("nothing") : JSON.stringify(text));
  return `${INDENT}${sayOfDrafts("difference", {
    place: placeOf({ article, field }),
    submitted: quoted(submitted),
    stored: quoted(stored),
  })}`;
}

/** What somebody should know of a push that went well. */
function receiptLines(
  { warnings = [], differences = [] }: Partial<Receipt>,
  file?: SentFile,
): string[] {
  const warned = problemLines(warnings, ["warning"], file);
  return [
    ...(warned.length > 0 ? ["", sayOfDrafts("warnings"), ...warned] : []),
    ...(differences.length > 0
      ? ["", sayOfDrafts("differs"), ...differences.map(differenceLine)]
      : []),
  ];
}

export function draftWords(draft: JsonBody, file?: SentFile): string {
  const [first] = draft.articles as readonly { title: string }[];
  const receipt = (draft.receipt ?? {}) as Partial<Receipt>;
  const heading = {
    id: String(draft.id),
    status: statusWords(draft.status),
    title: first?.title ?? "",
  };
  const where = destinationWords(receipt.destination);
  return [
    sayOfDrafts("is", heading),
    "",
    labelled(sayOfDrafts("label_media"), String(draft.media_id ?? sayOfDrafts("noMediaId"))),
    ...(where === undefined ? [] : [labelled(sayOfDrafts("label_goesTo"), where)]),
    ...(receipt.sandbox
      ? [labelled(sayOfDrafts("label_platform"), sayOfDrafts("sandboxPlace"))]
      : []),
    ...(receipt.url && !receipt.sandbox ? [labelled(sayOfDrafts("label_look"), receipt.url)] : []),
    ...(draft.writing as readonly JsonBody[]).map(writingLine),
    ...receiptLines(receipt, file),
  ].join("\n");
}

export function listWords(list: JsonBody): string {
  const drafts = list.data as readonly JsonBody[];
  const rows = drafts.map((draft) => ({
    [say("column_id")]: String(draft.id),
    [say("column_status")]: statusWords(draft.status),
    [say("column_updated")]: String(draft.updated_at).slice(0, 16).replace("T", " "),
    [say("column_title")]: (draft.articles as readonly { title: string }[])[0]?.title ?? "",
  }));
  if (list.next === null) return table(rows);
  const command = `faregate draft ls --after ${list.next}`;
  return `${table(rows)}\n\n${sayOfDrafts("more", { command })}`;
}

export function diagnosisWords(diagnosis: JsonBody): string {
  const findings = diagnosis.findings as readonly JsonBody[];
  const lines = findings.map(findingWords).map(({ check, state, words }) => {
    const name = padded(check, CHECK_COLUMNS);
    return `${INDENT}${padded(state, STATE_COLUMNS)} ${name} ${words}`;
  });
  const verdict = sayOfDrafts(diagnosis.healthy === true ? "healthy" : "unhealthy");
  const where = destinationWords(diagnosis.destination);
  const place = where === undefined ? [] : [sayOfDrafts("theyGoTo", { where })];
  return [verdict, ...place, "", ...lines].join("\n");
}

export function themeWords(themes: JsonBody): string {
  const language = spokenLanguage();
  const rows = (themes.data as readonly ArticleTheme[]).map(({ id, name, about }) => ({
    [say("column_id")]: id,
    [say("column_name")]: name[language],
    [say("column_about")]: about[language],
  }));
  return table(rows);
}
