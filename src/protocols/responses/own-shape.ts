import { systemClock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { isObject, type JsonObject } from "../fields.ts";
import { searchAsAsked } from "./request/search-preview.ts";

const ID_PREFIX = "resp_";

/** The id of a response as this wire has them; a vendor's own is kept within it. */
function ownId(id: unknown): string {
  if (typeof id !== "string" || id === "") return newId(ID_PREFIX);
  return id.startsWith(ID_PREFIX) ? id : ID_PREFIX + id.replace(/[^\w.-]/g, "_");
}

interface OwnShape {
  readonly response: JsonObject;
  /** The same as changes of the vendor's text; none where it has what it should have. */
  readonly edits: Readonly<Record<string, string>>;
}

/** What every response has, where this one lacks some of it. */
function missingShape({ id, object, created_at }: JsonObject, knownId: string | undefined) {
  const isNamed =
    knownId === undefined ? typeof id === "string" && id.startsWith(ID_PREFIX) : id === knownId;
  if (isNamed && object === "response" && Number.isInteger(created_at)) return {};
  const seconds = typeof created_at === "number" ? created_at : systemClock() / 1_000;
  return {
    id: isNamed ? id : (knownId ?? ownId(id)),
    object: "response",
    created_at: Math.floor(seconds),
  };
}

/** What is known of a response before it is read. */
export interface Expected {
  /** What it is called, whatever its vendor calls it. */
  readonly id?: string | undefined;
  /** By which name the client asked for the vendor's search, where that has another one. */
  readonly search?: string | undefined;
}

/** A vendor's response with what every response has, and in the client's words. */
export function ownShape(response: JsonObject, { id, search }: Expected = {}): OwnShape {
  const shape = { ...missingShape(response, id), ...searchAsAsked(response, search) };
  const members = Object.entries(shape);
  if (members.length === 0) return { response, edits: {} };
  const edits = members.map(([name, value]) => [name, JSON.stringify(value)]);
  return { response: { ...response, ...shape }, edits: Object.fromEntries(edits) };
}

/** Whether a vendor counts in all the words that clients read. */
export function countsInFull({ usage }: JsonObject): boolean {
  if (!isObject(usage)) return false;
  const { input_tokens, output_tokens, total_tokens } = usage;
  return [input_tokens, output_tokens, total_tokens].every(Number.isInteger);
}
