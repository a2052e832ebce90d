import { readInSteps } from "../../lib/json/large-json.ts";
import { JsonText } from "./splice.ts";

/** What a text says, and the text itself. */
interface ReadText {
  readonly body: unknown;
  readonly json: JsonText;
}

/** Parses a text that is so long that others must have their turns meanwhile. Throws where `JSON.parse` would. */
export async function readLongText(text: string): Promise<ReadText> {
  const { value: body, members } = await readInSteps(text);
  return { body, json: new JsonText(text, 0, members) };
}
