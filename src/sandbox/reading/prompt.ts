import type { JsonRecord } from "../json.ts";
import type { SandboxModel } from "../models.ts";

/** Something in a message that is not text. `bytes` is 0 when only an address was given. */
export interface Attachment {
  readonly kind: "image" | "file" | "audio";
  readonly mediaType: string;
  readonly filename: string;
  readonly bytes: number;
  readonly size: { readonly width: number; readonly height: number } | null;
}

interface MessageTurn {
  readonly kind: "message";
  readonly role: "system" | "user" | "assistant";
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

interface CallTurn {
  readonly kind: "call";
  readonly callId: string;
  readonly name: string;
  readonly text: string;
}

interface ResultTurn {
  readonly kind: "result";
  readonly callId: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export type Turn = MessageTurn | CallTurn | ResultTurn;

export interface Tool {
  readonly kind: "function" | "custom";
  readonly name: string;
  readonly namespace: string | null;
  readonly description: string;
  readonly parameters: unknown;
  readonly strict: boolean;
}

/** `names` restricts the choice; null means every tool may be called. */
export interface ToolChoice {
  readonly mode: "none" | "auto" | "required";
  readonly names: readonly string[] | null;
  readonly search: boolean;
}

export type AnswerFormat =
  | { readonly kind: "text" }
  | { readonly kind: "object" }
  | { readonly kind: "schema"; readonly schema: unknown; readonly strict: boolean };

/** One request, whichever wire it came by. */
export interface Prompt {
  readonly wire: "chat" | "responses";
  readonly body: JsonRecord;
  readonly model: SandboxModel;
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  readonly webSearch: boolean;
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean;
  readonly format: AnswerFormat;
  /** Null when the answer has no reasoning. */
  readonly effort: string | null;
  readonly outputTokensMax: number | null;
  readonly stops: readonly string[];
  readonly choiceCount: number;
  /** How many alternatives each token carries; null when no log probabilities were asked for. */
  readonly topLogprobs: number | null;
  readonly stream: boolean;
  readonly include: ReadonlySet<string>;
  readonly includeUsage: boolean;
  readonly inputTokens: number;
}

/** A request the vendor refuses, as the OpenAI wire words it. */
export class BadPrompt extends Error {
  readonly status: number;
  readonly param: string | null;
  readonly code: string | null;

  constructor(message: string, param: string | null, code: string | null = null, status = 400) {
    super(message);
    this.name = "BadPrompt";
    this.status = status;
    this.param = param;
    this.code = code;
  }
}

export function wrongType(param: string, expected: string): BadPrompt {
  return new BadPrompt(`Invalid type for '${param}': expected ${expected}.`, param, "invalid_type");
}

export function lastUserTurn(turns: readonly Turn[]): MessageTurn | null {
  const index = lastUserIndex(turns);
  const turn = turns[index];
  return turn?.kind === "message" ? turn : null;
}

/** What the tools said since the user last spoke. */
export function resultsSinceUser(turns: readonly Turn[]): ResultTurn[] {
  return turns
    .slice(lastUserIndex(turns) + 1)
    .filter((turn): turn is ResultTurn => turn.kind === "result");
}

/** The names of the tools that were called since the user last spoke. */
export function callsSinceUser(turns: readonly Turn[]): ReadonlySet<string> {
  const later = turns.slice(lastUserIndex(turns) + 1);
  return new Set(later.flatMap((turn) => (turn.kind === "call" ? [turn.name] : [])));
}

function lastUserIndex(turns: readonly Turn[]): number {
  return turns.findLastIndex((turn) => turn.kind === "message" && turn.role === "user");
}
