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

export interface SaidStep {
  readonly kind: "message";
  readonly role: "system" | "user" | "assistant";
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

interface CallStep {
  readonly kind: "call";
  readonly name: string;
  readonly text: string;
}

interface ResultStep {
  readonly kind: "result";
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export type PromptStep = SaidStep | CallStep | ResultStep;

export interface Tool {
  readonly kind: "function" | "custom";
  readonly name: string;
  readonly namespace: string | null;
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
  readonly steps: readonly PromptStep[];
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

export function missing(param: string): BadPrompt {
  const message = `Missing required parameter: '${param}'.`;
  return new BadPrompt(message, param, "missing_required_parameter");
}

export function wrongType(param: string, expected: string): BadPrompt {
  return new BadPrompt(`Invalid type for '${param}': expected ${expected}.`, param, "invalid_type");
}

export function isFromUser(step: PromptStep): step is SaidStep & { readonly role: "user" } {
  return step.kind === "message" && step.role === "user";
}

export function lastUserStep(steps: readonly PromptStep[]): SaidStep | undefined {
  return steps.findLast(isFromUser);
}

function sinceUser(steps: readonly PromptStep[]): readonly PromptStep[] {
  return steps.slice(steps.findLastIndex(isFromUser) + 1);
}

/** What the tools said since the user last spoke. */
export function resultsSinceUser(steps: readonly PromptStep[]): ResultStep[] {
  return sinceUser(steps).filter((step) => step.kind === "result");
}

/** The names of the tools that were called since the user last spoke. */
export function callsSinceUser(steps: readonly PromptStep[]): ReadonlySet<string> {
  return new Set(sinceUser(steps).flatMap((step) => (step.kind === "call" ? [step.name] : [])));
}
