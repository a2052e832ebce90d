import type { ConfigFile } from "../config/file.ts";
import { ConfigError } from "../config/members.ts";
import { type ModelConfig, readModelConfig } from "../config/models.ts";
import type { Catalogue } from "./models.ts";

/** One price in the words of the file, but for the moment from which it is in force. */
export interface PriceWords {
  readonly effectiveFromMs: number;
  readonly words: Readonly<Record<string, unknown>>;
}

/** What was said of a model while the gateway ran, in the words of the file. */
export interface ModelWords {
  readonly id: string;
  /** Absent where only its price was set. */
  readonly definition: Readonly<Record<string, unknown>> | undefined;
  /** The earliest first. */
  readonly prices: readonly PriceWords[];
}

function priced({ effectiveFromMs, words }: PriceWords) {
  return { price: { ...words, effective_from: new Date(effectiveFromMs).toISOString() } };
}

/** The same rules as for the file, so that nothing can be free here that cannot be free there. */
function readWords({ id, definition, prices }: ModelWords): ModelConfig[] {
  const [first, ...rest] = prices;
  const opening = { ...definition, id, ...(first ? priced(first) : {}) };
  return [opening, ...rest.map((price) => ({ id, ...priced(price) }))].map((words) =>
    readModelConfig(words, "model"),
  );
}

/**
 * The catalogue with these models and prices. What does not fit any more, since what is below it has
 * changed, is told and left out: one bad row must not keep the rest from being served.
 */
export function withStored(
  base: Catalogue,
  models: readonly ModelWords[],
  onProblem: (modelId: string, problem: ConfigError) => void,
): Catalogue {
  let catalogue = base;
  for (const words of models) {
    try {
      const file: ConfigFile = { channels: [], models: readWords(words), markupPercent: undefined };
      catalogue = catalogue.withOverrides(file, "console");
    } catch (thrown) {
      if (!(thrown instanceof ConfigError)) throw thrown;
      onProblem(words.id, thrown);
    }
  }
  return catalogue;
}
