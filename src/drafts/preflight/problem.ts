import { Fault } from "../../lib/faults.ts";

/** What can be done about a problem with one click, or by a program. */
type FixKind =
  | "shorten"
  | "trim"
  | "decode_escapes"
  | "strip_tags"
  | "strip_scripts"
  | "footnote_links"
  | "upload_image"
  | "re_encode_image"
  | "compress_image"
  | "remove_heading"
  | "flatten_lists"
  | "centre_crop"
  | "title_card"
  | "close_comment_rule"
  | "apply_settings"
  | "clear";

export interface ProblemFix {
  readonly kind: FixKind;
  /** The field's text once it is fixed, where that can be said without a model. */
  readonly value?: string;
  /** Of settings that stand above the text: the members of the article that they set. */
  readonly members?: Readonly<Record<string, unknown>>;
}

export interface TakenOut {
  /** An element as `<iframe>`, or the name of an attribute, a style or a scheme. */
  readonly name: string;
  readonly lines: readonly number[];
}

/** Something that the platform would refuse or change, found before anything is sent. */
export interface Problem {
  readonly severity: "error" | "warning" | "info";
  readonly code: string;
  /** Index of the article. */
  readonly article: number;
  /** Within the article, such as `title` or `source.text`. */
  readonly field: string;
  readonly limit?: number | string;
  readonly found?: number | string;
  /** Of a picture: its address or file as the author wrote it. */
  readonly picture?: string;
  /** Of the text below its settings, where that is known. */
  readonly line?: number;
  readonly message: string;
  /** What rendering took out, and in which lines of the text it stands, the first line being 1. */
  readonly taken?: readonly TakenOut[];
  readonly fix?: ProblemFix;
}

/** The path of a problem's field, as errors name it. */
function problemPath({ article, field }: Problem): string {
  return field === "articles" ? "articles" : `articles[${article}].${field}`;
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === "error");
}

/** Refuses what cannot be sent; the whole list stands in the body, the first error in the message. */
export function preflightFault(problems: readonly Problem[]): Fault {
  const first = problems.find(({ severity }) => severity === "error");
  const message = first?.message ?? "The articles cannot be sent.";
  return new Fault("preflight_failed", message, {
    param: first && problemPath(first),
    facts: { problems },
  });
}
