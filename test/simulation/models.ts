import { Catalogue, type Model } from "../../src/catalogue/models.ts";

/** A model by what the rule of charging needs to know of it. Prices in pico-USD per token. */
export interface SimModel {
  readonly id: string;
  readonly upstreamId: string;
  readonly inputPico: bigint;
  readonly outputPico: bigint;
  readonly context: number;
  readonly maxOutput: number;
}

const MAIN: SimModel = {
  id: "main-1.0",
  upstreamId: "vendors-main",
  inputPico: 1_500_001n,
  outputPico: 6_000_007n,
  context: 20_000,
  maxOutput: 1_000,
};

const SPARE: SimModel = {
  id: "spare-1.0",
  upstreamId: "vendors-spare",
  inputPico: 2_900_003n,
  outputPico: 11_000_009n,
  context: 8_000,
  maxOutput: 600,
};

export const MODELS = [MAIN, SPARE] as const;

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
    tokenFamily: "unknown",
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
export function simulatedCatalogue(): Catalogue {
  return new Catalogue([modelOf(MAIN, [SPARE.id]), modelOf(SPARE, [])]);
}
