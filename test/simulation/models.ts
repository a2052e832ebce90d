import { Catalogue, type Model } from "../../src/catalogue/models.ts";

/** A model by what the rule of charging needs to know of it. Prices in pico-USD per token. */
export interface SimModel {
  readonly id: string;
  readonly upstreamId: string;
  readonly inputPico: bigint;
  readonly outputPico: bigint;
  readonly context: number;
  readonly maxOutput: number;
  /** Where its tokenizer is unknown, its input is bounded by the context alone. */
  readonly tokenFamily: Model["tokenFamily"];
}

const MAIN: SimModel = {
  id: "main-1.0",
  upstreamId: "vendors-main",
  inputPico: 1_500_001n,
  outputPico: 6_000_007n,
  context: 20_000,
  maxOutput: 1_000,
  tokenFamily: "sandbox",
};

const SPARE: SimModel = {
  id: "spare-1.0",
  upstreamId: "vendors-spare",
  inputPico: 2_900_003n,
  outputPico: 11_000_009n,
  context: 8_000,
  maxOutput: 600,
  tokenFamily: "sandbox",
};

export const MODELS = [MAIN, SPARE] as const;

/** In every third seed the tokenizer of the second model is unknown, so its requests are held at its context. */
export function modelsOf(seed: number): readonly [SimModel, SimModel] {
  if (seed % 3 !== 1) return MODELS;
  return [MAIN, { ...SPARE, context: 2_000, tokenFamily: "unknown" }];
}

function modelOf(sim: SimModel, fallbacks: readonly string[]): Model {
  const rates = {
    input: sim.inputPico,
    cacheRead: sim.inputPico,
    cacheWrite: sim.inputPico,
    cacheWriteLong: sim.inputPico,
    output: sim.outputPico,
    webSearch: 0n,
  };
  return {
    id: sim.id,
    displayName: sim.id,
    aliases: [],
    ownedBy: "simulation",
    endpoints: ["responses", "chat"],
    context: sim.context,
    maxOutput: sim.maxOutput,
    modalities: { input: ["text"], output: ["text"] },
    capabilities: ["stream"],
    rules: [],
    tokenFamily: sim.tokenFamily,
    upstream: {},
    releasedMs: undefined,
    deprecatesOn: undefined,
    replacement: undefined,
    fallbacks,
    free: false,
    webSearch: false,
    prices: [
      {
        version: "1",
        effectiveFromMs: 0,
        effectiveToMs: undefined,
        rates,
        above: [],
        windows: [],
        checkedAt: undefined,
        source: "simulation",
      },
    ],
  };
}

/** The second model stands in for the first. */
export function simulatedCatalogue([main, spare]: readonly [SimModel, SimModel]): Catalogue {
  return new Catalogue([modelOf(main, [spare.id]), modelOf(spare, [])]);
}
