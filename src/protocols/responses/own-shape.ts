import { systemClock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { isObject, type JsonObject } from "../fields.ts";

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

/** A vendor's response with what every response has. `knownId` is what it was called before. */
export function ownShape(response: JsonObject, knownId?: string): OwnShape {
  const { id, object, created_at: created } = response;
  const isNamed = typeof id === "string" && id.startsWith(ID_PREFIX);
  if (isNamed && object === "response" && Number.isInteger(created)) return { response, edits: {} };
  const seconds = typeof created === "number" ? created : systemClock() / 1_000;
  const shape = {
    id: isNamed ? id : (knownId ?? ownId(id)),
    object: "response",
    created_at: Math.floor(seconds),
  };
  const edits = Object.entries(shape).map(([name, value]) => [name, JSON.stringify(value)]);
  return { response: { ...response, ...shape }, edits: Object.fromEntries(edits) };
}

/** Whether a vendor counts in all the words that clients read. */
export function countsInFull({ usage }: JsonObject): boolean {
  if (!isObject(usage)) return false;
  const { input_tokens, output_tokens, total_tokens } = usage;
  return [input_tokens, output_tokens, total_tokens].every(Number.isInteger);
}
