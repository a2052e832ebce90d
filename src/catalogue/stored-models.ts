import { ConfigError } from "../config/members.ts";
import { type ModelConfig, readModelConfig } from "../config/models.ts";
import { Catalogue, type Model } from "./models.ts";
import { merged, wrongFallbacks } from "./overrides.ts";

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

/** A model names another that cannot stand in for it. It is served all the same, without the other. */
export class FallbackError extends ConfigError {}

/** Told of what does not fit. */
type OnProblem = (modelId: string, problem: ConfigError) => void;

/** How what is wrong is said to be in a model, of which the rest of the words is known. */
const WHERE = "model";

/** The same rules as for the file, so that nothing can be free here that cannot be free there. */
function readWords({ id, definition, prices }: ModelWords): ModelConfig[] {
  const [first, ...rest] = prices;
  const opening = { ...definition, id, ...(first ? priced(first) : {}) };
  return [opening, ...rest.map((price) => ({ id, ...priced(price) }))].map((words) =>
    readModelConfig(words, WHERE),
  );
}

/** Throws a `ConfigError` where the words do not fit what is below them. */
function withWords(below: Model | undefined, words: ModelWords): Model | undefined {
  return readWords(words).reduce<Model | undefined>(
    (model, config) => merged(config, model, "console"),
    below,
  );
}

/** The models without the fallbacks that are not there. */
function withoutWrongFallbacks(models: ReadonlyMap<string, Model>, onProblem: OnProblem): Model[] {
  return [...models.values()].map((model) => {
    const wrong = wrongFallbacks(model, WHERE, models);
    const [first] = wrong;
    if (!first) return model;
    onProblem(model.id, new FallbackError(first.words));
    const ids = new Set(wrong.map(({ id }) => id));
    return { ...model, fallbacks: model.fallbacks.filter((id) => !ids.has(id)) };
  });
}

/**
 * The catalogue with these models and prices. What does not fit any more, since what is below it has
 * changed, is told and left out: one bad row must not keep the rest from being served. Which model
 * was stored first does not matter: what they say of each other is looked at once all are there.
 */
export function withStored(
  base: Catalogue,
  stored: readonly ModelWords[],
  onProblem: OnProblem,
): Catalogue {
  const models = new Map([...base.all()].map((model) => [model.id, model]));
  for (const words of stored) {
    try {
      const model = withWords(models.get(words.id), words);
      if (model) models.set(model.id, model);
    } catch (thrown) {
      if (!(thrown instanceof ConfigError)) throw thrown;
      onProblem(words.id, thrown);
    }
  }
  return new Catalogue(withoutWrongFallbacks(models, onProblem));
}
