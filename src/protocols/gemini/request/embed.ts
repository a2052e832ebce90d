import type { Limits } from "../../../config/config.ts";
import { jsonPieces } from "../../../lib/json/json-pieces.ts";
import { isLargeValue } from "../../../lib/yield-to-loop.ts";
import { withCost } from "../../answer-usage.ts";
import { JsonText, Unwritten } from "../../bytes/splice.ts";
import {
  isObject,
  type JsonObject,
  missing,
  optionalInteger,
  pathOf,
  requiredList,
  requiredObject,
  unsupported,
  wrongType,
  wrongValue,
} from "../../fields.ts";
import { inputTokens } from "../../usage.ts";
import type { AnswerEnd, PassWire, RequestPath, VendorResult } from "../../wire.ts";
import type { EmbedMethod } from "../path.ts";
import { camelCased } from "../spelling.ts";
import { EMBED_MEMBERS } from "./members.ts";

/** What is asked for, in the words of the wire that has embeddings. */
interface Asked {
  readonly input: readonly string[];
  readonly dimensions: number | undefined;
  /** Members that only guide the vendor's own models. */
  readonly lost: readonly string[];
}

const DIMENSIONS_MAX = 65_536;
const GUIDES = ["taskType", "title", "autoTruncate"];

function textOf(part: unknown, path: string): string {
  if (!isObject(part)) throw wrongType(path, "an object", part);
  if (part.text === undefined) {
    throw unsupported(path, `Only text can be embedded; '${path}' must have a 'text'.`);
  }
  if (typeof part.text !== "string") throw wrongType(`${path}.text`, "a string", part.text);
  return part.text;
}

/** A content is one text, whatever it is made of. */
function readContent(asked: JsonObject, holder: string | undefined): string {
  const content = requiredObject(asked, "content", holder);
  const parts = `${pathOf("content", holder)}.parts`;
  if (!Array.isArray(content.parts)) throw wrongType(parts, "an array", content.parts);
  const texts = content.parts.map((part, i) => textOf(part, `${parts}[${i}]`));
  const text = texts.join("\n");
  if (text === "") throw wrongValue(parts, "the text must not be empty.");
  return text;
}

/** The model stands in the path, and may stand in the body too. */
function checkModel({ model }: JsonObject, path: RequestPath, holder?: string): void {
  if (model === undefined || model === null || model === "") return;
  if (model === path.model || model === `models/${path.model}`) return;
  throw wrongValue(pathOf("model", holder), "it must be the model of the path.");
}

function readOne(asked: JsonObject, path: RequestPath, holder?: string): Asked {
  checkModel(asked, path, holder);
  const name = "outputDimensionality";
  const lost = GUIDES.filter((guide) => asked[guide] !== undefined && asked[guide] !== null);
  return {
    input: [readContent(asked, holder)],
    dimensions: optionalInteger(asked, name, 1, DIMENSIONS_MAX, holder),
    lost,
  };
}

function readAll(given: JsonObject, path: RequestPath, limits: Limits): Asked {
  const requests = requiredList(given, "requests");
  const most = limits.embedding_inputs_max;
  if (requests.length > most) throw wrongValue("requests", `at most ${most} in one call.`);
  const all = requests.map((request: unknown, i) => {
    if (!isObject(request)) throw wrongType(`requests[${i}]`, "an object", request);
    return readOne(request, path, `requests[${i}]`);
  });
  const dimensions = all[0]?.dimensions;
  const other = all.findIndex((one) => one.dimensions !== dimensions);
  if (other >= 0) {
    const param = `requests[${other}].outputDimensionality`;
    throw wrongValue(param, "it must be the same in all requests of a call.");
  }
  const lost = [...new Set(all.flatMap((one) => one.lost))];
  return { input: all.flatMap(({ input }) => input), dimensions, lost };
}

function vectorsOf({ body }: VendorResult): { readonly values: readonly unknown[] }[] {
  const data = (Array.isArray(body.data) ? body.data : []).filter(isObject);
  const inOrder = data.toSorted((a, b) => Number(a.index) - Number(b.index));
  return inOrder.map(({ embedding }) => {
    if (!Array.isArray(embedding)) throw new Error("the vendor's embedding is not an array");
    return { values: embedding };
  });
}

function writeUsage(end: AnswerEnd): JsonObject {
  const tokens = inputTokens(end.usage);
  return withCost({ promptTokenCount: tokens, totalTokenCount: tokens }, end);
}

function asGemini(result: VendorResult, method: EmbedMethod, texts: number): VendorResult {
  if (result.failure) return result;
  const embeddings = vectorsOf(result);
  if (embeddings.length !== texts) throw new Error("the vendor's answer lacks embeddings");
  const vectors = method === "embedContent" ? { embedding: embeddings[0] } : { embeddings };
  return {
    ...result,
    write(_options, end) {
      const answer = { ...vectors, usageMetadata: writeUsage(end) };
      return isLargeValue(answer) ? jsonPieces(answer) : JSON.stringify(answer);
    },
  };
}

/** The wire of embeddings for one request of Google's clients, which word it in a way of their own. */
export function embedWire(wire: PassWire, method: EmbedMethod, limits: Limits): PassWire {
  let lost: readonly string[] = [];
  let texts = 0;
  return {
    ...wire,
    members: EMBED_MEMBERS,
    readRequest(value, text, path) {
      if (!isObject(value)) throw wrongType("body", "an object", value);
      if (!path) throw missing("model");
      const given = camelCased(value);
      const asked = method === "embedContent" ? readOne(given, path) : readAll(given, path, limits);
      lost = asked.lost;
      const { input, dimensions } = asked;
      texts = input.length;
      const { model } = path;
      const { models } = given;
      const body = {
        ...{ model, input },
        ...(dimensions === undefined ? {} : { dimensions }),
        // Who else may make them.
        ...(models === undefined ? {} : { models }),
      };
      const json = new JsonText(new Unwritten(body));
      return { ...wire.readRequest(body, text), json };
    },
    writeRequest(request, options) {
      const sent = wire.writeRequest(request, options);
      return sent.withDropped([...sent.dropped, ...lost]);
    },
    readResult: (body, json) => asGemini(wire.readResult(body, json), method, texts),
  };
}
