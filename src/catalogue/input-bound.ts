import { TOKEN_FAMILIES, type TokenFamily, type TokenFamilyName } from "./bounds/families.ts";
import { growthOf } from "./bounds/vocabularies.ts";
import type { InputMeasure } from "./input-measure.ts";
import type { Model } from "./models.ts";

/** A vendor's sealed thoughts are no longer than their base64, and no more tokens than bytes. */
const SEALED_TOKENS_PER_CHAR = 0.75;

/** No more than a token for each byte, however a text is rewritten before it is read. */
function byBytes({ chars, bytes }: InputMeasure, family: TokenFamily): number {
  // Where it has more bytes than characters, at most twice as many of them are not plain.
  const rewritten = Math.min(bytes, 2 * (bytes - chars));
  return bytes + rewritten * (growthOf(family.vocabulary) - 1);
}

function textTokens(measure: InputMeasure, family: TokenFamily): number {
  const most = byBytes(measure, family);
  const tokens = measure.textTokens(family.vocabulary);
  return tokens === undefined ? most : Math.min(tokens * family.factor, most);
}

function fileTokens({ files, fileBytes }: InputMeasure, { file }: TokenFamily): number {
  return Math.min(files * file.least + fileBytes * file.per_byte, files * file.most);
}

/** Whether the input can be counted here at all: with a tokenizer that is known, and without a document that unpacks. */
function isCountable({ opaqueFiles }: InputMeasure, tokenFamily: TokenFamilyName): boolean {
  return opaqueFiles === 0 && tokenFamily !== "unknown";
}

/**
 * Returns the most input tokens that a model's vendor can count in a request, never more than the model can read. Input
 * that cannot be counted here takes all of the context. A measure without the model's vocabulary gives a coarser bound.
 */
export function inputBound(
  measure: InputMeasure,
  { tokenFamily, context }: Pick<Model, "tokenFamily" | "context">,
): number {
  if (!isCountable(measure, tokenFamily)) return context;
  const family = TOKEN_FAMILIES[tokenFamily];
  const { marks, messages, tools, searches, images, sealedChars } = measure;
  const tokens =
    textTokens(measure, family) +
    marks +
    family.request +
    messages * family.message +
    (tools > 0 ? family.tools : 0) +
    tools * family.tool +
    searches * family.search +
    images.low * family.image.low +
    images.high * family.image.high +
    images.other * family.image.other +
    fileTokens(measure, family) +
    sealedChars * SEALED_TOKENS_PER_CHAR;
  return Math.min(Math.ceil(tokens), context);
}
