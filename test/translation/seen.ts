import type { JsonObject } from "../support/samples/wires.ts";

export interface SeenTool {
  readonly name: string;
  readonly namespace?: string;
  readonly description?: string;
  readonly custom?: boolean;
  readonly schema?: unknown;
}

export interface SeenCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  /** The object, or the free text of a custom tool. */
  readonly arguments: unknown;
}

export interface SeenResult {
  readonly id: string;
  readonly text: string;
  readonly images: readonly string[];
}

/**
 * What a request says to a vendor, read by that vendor's documented shape. Anything that the
 * documents do not know makes the reading throw, as it would make a strict vendor refuse.
 */
export interface Seen {
  readonly system: readonly string[];
  readonly asked: readonly string[];
  readonly said: readonly string[];
  readonly images: readonly string[];
  readonly files: readonly string[];
  readonly tools: readonly SeenTool[];
  readonly choice: string | undefined;
  readonly calls: readonly SeenCall[];
  readonly results: readonly SeenResult[];
  readonly states: readonly unknown[];
  readonly schema: unknown;
  readonly effort: string | undefined;
  readonly maxOutput: number | undefined;
  readonly stop: readonly string[];
  readonly searches: boolean;
}

export class Reading {
  readonly system: string[] = [];
  readonly asked: string[] = [];
  readonly said: string[] = [];
  readonly images: string[] = [];
  readonly files: string[] = [];
  readonly tools: SeenTool[] = [];
  readonly calls: SeenCall[] = [];
  readonly results: SeenResult[] = [];
  readonly states: unknown[] = [];
  choice: string | undefined;
  schema: unknown;
  effort: string | undefined;
  maxOutput: number | undefined;
  stop: readonly string[] = [];
  searches = false;
}

/** Every member must be one that the documents know. */
export function only(object: unknown, where: string, names: readonly string[]): JsonObject {
  if (typeof object !== "object" || object === null || Array.isArray(object)) {
    throw new Error(`${where} is no object: ${JSON.stringify(object)}`);
  }
  const strange = Object.keys(object).filter((name) => !names.includes(name));
  if (strange.length > 0) throw new Error(`${where} has members nobody knows: ${strange}`);
  return object as JsonObject;
}

export function list(value: unknown, where: string): readonly JsonObject[] {
  if (!Array.isArray(value)) throw new Error(`${where} is no list: ${JSON.stringify(value)}`);
  return value as JsonObject[];
}

export function string(value: unknown, where: string): string {
  if (typeof value !== "string" || value === "") {
    throw new Error(`${where} is no text: ${JSON.stringify(value)}`);
  }
  return value;
}

/** A tool without what nobody said of it. */
export function toolOf(tool: Readonly<Record<string, unknown>> & { name: string }): SeenTool {
  const said = Object.entries(tool).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(said) as unknown as SeenTool;
}

/** The ids of a list must be those of another, whatever their order. */
export function sameIds(calls: readonly string[], results: readonly string[], where: string): void {
  const left = [...calls].sort().join();
  const right = [...results].sort().join();
  if (left !== right) throw new Error(`${where}: calls ${left} have the results ${right}`);
}
