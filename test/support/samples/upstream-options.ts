import { NOTHING_MORE } from "../../../src/protocols/unpriced.ts";
import type { UpstreamOptions } from "../../../src/protocols/wire.ts";

/** Of a vendor and a model with nothing special about them. */
export const UPSTREAM_OPTIONS: UpstreamOptions = {
  model: "theirs",
  outputClamp: undefined,
  allows: NOTHING_MORE,
  searchesMax: 4,
  keepReasoning: false,
  maxOutput: 1_000,
  rules: [],
  dialect: {},
  webSearch: false,
};
