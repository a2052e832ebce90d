import type { Fault } from "../lib/faults.ts";
import type { Answer } from "./draft-client.ts";
import { table } from "./print.ts";

const EXIT = { other: 1, input: 2, config: 3, limit: 4, unknown: 5 } as const;

const BY_CODE: Readonly<Record<string, number>> = {
  invalid_api_key: EXIT.config,
  ip_not_allowed: EXIT.config,
  permission_denied: EXIT.config,
  upstream_unavailable: EXIT.config,
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

function problemLines(problems: unknown, severities: readonly string[]): readonly string[] {
  return (Array.isArray(problems) ? (problems as Problem[]) : [])
    .filter(({ severity }) => severities.includes(String(severity)))
    .map(
      ({ severity, article, field, message }) =>
        `  ${severity}: articles[${article}].${field}: ${message}`,
    );
}

/** A refusal as somebody at a terminal reads it: every problem, and how to go on. */
export function faultWords({ fault, message, facts }: Fault): string {
  const lines = fault === "preflight_failed" ? problemLines(facts.problems, ["error"]) : [];
  const help = typeof facts.fix === "string" && !message.includes(facts.fix) ? [facts.fix] : [];
  const id = facts.draft_id;
  const next =
    id === undefined
      ? []
      : [
          `The draft is kept as ${id}; go on with "faregate draft retry ${id}" or "… update ${id}".`,
        ];
  const heading = lines.length > 0 ? "the articles cannot be sent:" : message;
  return [heading, ...lines, ...help, ...next].join("\n");
}

export function previewWords(preview: Answer): string {
  const articles = preview.articles as readonly {
    title: string;
    digest: string;
    counts: { text: { characters: number }; title: { characters: number }; content_bytes: number };
    uploads: readonly unknown[];
  }[];
  const rows = articles.map(({ title, counts, uploads }) => ({
    title,
    "title chars": counts.title.characters,
    "text chars": counts.text.characters,
    bytes: counts.content_bytes,
    uploads: uploads.length,
  }));
  const problems = problemLines(preview.problems, ["error", "warning"]);
  const verdict =
    preview.ok === true ? "Nothing was sent; it can be." : "Nothing was sent, and it cannot be:";
  return [table(rows), "", verdict, ...problems].join("\n");
}

export function draftWords(draft: Answer): string {
  const [first] = draft.articles as readonly { title: string }[];
  const receipt = draft.receipt as { url?: string | null; sandbox?: boolean } | null | undefined;
  const lines = [
    `Draft ${draft.id} is ${String(draft.status).replace("_", " ")}: ${first?.title ?? ""}`,
    "",
    `  media_id  ${draft.media_id ?? "none yet"}`,
    ...(receipt?.sandbox
      ? ["  platform  the built-in one; while it is served, /platform/material shows it"]
      : []),
    ...(receipt?.url && !receipt.sandbox ? [`  look      ${receipt.url}`] : []),
    ...(draft.writing as readonly Answer[]).map(
      ({ model, request_id, cost, purpose }) =>
        `  ${String(purpose).padEnd(8)}  ${model}, ${cost === null ? "" : `${cost} USD, `}${request_id}`,
    ),
  ];
  return lines.join("\n");
}

export function listWords(list: Answer): string {
  const drafts = list.data as readonly Answer[];
  const rows = drafts.map((draft) => ({
    id: String(draft.id),
    status: String(draft.status),
    updated: String(draft.updated_at).slice(0, 16).replace("T", " "),
    title: (draft.articles as readonly { title: string }[])[0]?.title ?? "",
  }));
  const more = list.next === null ? "" : `\n\nMore: faregate draft ls --after ${list.next}`;
  return table(rows) + more;
}

export function diagnosisWords(diagnosis: Answer): string {
  const findings = diagnosis.findings as readonly Answer[];
  const lines = findings.map(
    ({ check, state, message, fix }) =>
      `  ${String(state).padEnd(8)}${String(check).padEnd(15)}${message}${fix ? ` ${fix}` : ""}`,
  );
  const verdict = diagnosis.healthy === true ? "Drafts can be sent." : "Drafts cannot be sent.";
  return [verdict, "", ...lines].join("\n");
}

export function themeWords(themes: Answer): string {
  const rows = (themes.data as readonly Answer[]).map(({ id, name, about }) => {
    const words = { name: name as Record<string, string>, about: about as Record<string, string> };
    return { id: String(id), name: words.name.en ?? "", about: words.about.en ?? "" };
  });
  return table(rows);
}
