import type { Limits } from "../../config/config.ts";
import { JsonText } from "../bytes/splice.ts";
import { spliced } from "../bytes/written-body.ts";
import {
  emptyArray,
  isObject,
  type JsonObject,
  missing,
  optionalInteger,
  optionalString,
  requiredModel,
  wrongType,
  wrongValue,
} from "../fields.ts";
import { refuseUnoffered } from "../unoffered-fields.ts";
import { dropMembers, newEdits } from "../unpriced.ts";
import type { ClientRequest, UpstreamBody, UpstreamOptions } from "../wire.ts";
import { EMBEDDINGS_PASSED } from "./members.ts";

const FORMATS = ["float", "base64"];
const DIMENSIONS_MAX = 65_536;

function isTokens(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(Number.isInteger);
}

/** A text, several texts, a text as tokens, or several of those. */
function checkInput(body: JsonObject, limits: Limits): void {
  const { input } = body;
  if (input === undefined || input === null) throw missing("input");
  if (typeof input === "string") {
    if (input === "") throw wrongValue("input", "the text must not be empty.");
    return;
  }
  if (!Array.isArray(input)) throw wrongType("input", "a string or an array", input);
  if (input.length === 0) throw emptyArray("input");
  if (isTokens(input)) return;
  if (input.length > limits.embedding_inputs_max) {
    throw wrongValue("input", `at most ${limits.embedding_inputs_max} texts in one request.`);
  }
  input.forEach((entry, i) => {
    if (isTokens(entry) || (typeof entry === "string" && entry !== "")) return;
    throw wrongType(`input[${i}]`, "a text that is not empty, or an array of tokens", entry);
  });
}

/** A model reads each of several texts by itself. */
function textsOf({ input }: JsonObject): number {
  return Array.isArray(input) && !isTokens(input) ? input.length : 1;
}

export function readEmbeddingsRequest(value: unknown, text: string, limits: Limits): ClientRequest {
  if (!isObject(value)) throw wrongType("body", "an object", value);
  const model = requiredModel(value);
  refuseUnoffered("embeddings", value);
  checkInput(value, limits);
  optionalInteger(value, "dimensions", 1, DIMENSIONS_MAX);
  optionalString(value, "user");
  const format = optionalString(value, "encoding_format");
  if (format !== undefined && !FORMATS.includes(format)) {
    throw wrongValue("encoding_format", `supported values are: ${FORMATS.join(", ")}.`);
  }
  return {
    model,
    stream: false,
    maxOutput: undefined,
    choices: 1,
    webSearch: false,
    rounds: textsOf(value),
    body: value,
    json: new JsonText(text),
  };
}

export function writeEmbeddingsRequest(
  request: ClientRequest,
  options: UpstreamOptions,
): UpstreamBody {
  const edits = newEdits();
  if (options.model !== request.model) edits.model = JSON.stringify(options.model);
  const dropped: string[] = [];
  dropMembers(request.body, EMBEDDINGS_PASSED, options, edits, dropped);
  return spliced(request, edits, dropped);
}
