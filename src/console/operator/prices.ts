import { type Catalogue, isFreeAt } from "../../catalogue/models.ts";
import { type PriceChange, priceChanges } from "../../catalogue/price-list.ts";
import { FallbackError, type ModelWords, type PriceWords } from "../../catalogue/stored-models.ts";
import { modelWords } from "../../installation/installation.ts";
import type { StoredPrice } from "../../installation/snapshot.ts";
import type { PricedModel } from "../../installation/tables/operator.ts";
import { Fault } from "../../lib/faults.ts";
import { newId } from "../../lib/ids.ts";
import { readMoment } from "../../lib/text/moments.ts";
import type { ReadModelForm, ReadPriceForm } from "./contract/models.ts";
import { below, fieldFault, noSuch } from "./field-fault.ts";
import type { OperatorServices } from "./services.ts";

const YEARS_AHEAD_MS = 5 * 366 * 86_400_000;

type Words = Readonly<Record<string, unknown>>;

/** From now on, or from a moment to come: what has been charged stays as it was. */
function momentOf(text: string | null | undefined, nowMs: number): number {
  if (text === undefined || text === null) return nowMs;
  const atMs = readMoment(text) ?? Number.NaN;
  const wrong = Number.isNaN(atMs)
    ? "must be a day such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z."
    : atMs < nowMs
      ? "is past; leave it out to change the price now."
      : atMs > nowMs + YEARS_AHEAD_MS
        ? "is too far ahead."
        : undefined;
  if (wrong === undefined) return atMs;
  throw new Fault("invalid_value", `effective_from ${wrong}`, { param: "effective_from" });
}

/** What a model says, without the members that are null. */
function stated(words: Words): Words {
  return Object.fromEntries(Object.entries(words).filter(([, value]) => value !== null));
}

/** What a form brings along that is not stored yet. */
interface Brought {
  readonly catalogue: Catalogue;
  readonly models: readonly PricedModel[];
}

/** Told of what does not fit of a model. */
type OnProblem = (id: string, problem: Error) => void;

/** For a form that says all of a model. */
const refuse: OnProblem = (_id, problem) => {
  throw fieldFault(problem);
};

/** For a form that does not speak of fallbacks: one that has gone meanwhile is not its doing. */
const refuseButFallbacks: OnProblem = (id, problem) => {
  if (!(problem instanceof FallbackError)) refuse(id, problem);
};

/** Models and prices of the installation, changed while it runs. */
export class Prices {
  readonly #services: OperatorServices;

  constructor(services: OperatorServices) {
    this.#services = services;
  }

  /** The catalogue with these models as they would be. What would not fit of one of them is told. */
  #proposed(models: readonly ModelWords[], onProblem: OnProblem): Catalogue {
    const { installation } = this.#services;
    const known = modelWords(installation.snapshot);
    const others = known.filter(({ id }) => models.every((words) => words.id !== id));
    const { markupPercent } = installation.current();
    return installation.catalogueOf([...others, ...models], markupPercent, (id, problem) => {
      if (models.some((words) => words.id === id)) onProblem(id, problem);
    });
  }

  #words(id: string): ModelWords {
    const { snapshot } = this.#services.installation;
    const known = modelWords(snapshot).find((words) => words.id === id);
    return known ?? { id, definition: undefined, prices: [] };
  }

  #row(modelId: string, { effectiveFromMs, words }: PriceWords, by: string): StoredPrice {
    return {
      id: newId("price_"),
      modelId,
      effectiveFromMs,
      price: JSON.stringify(words),
      createdAtMs: this.#services.clock(),
      createdBy: by,
    };
  }

  /**
   * A price from a moment on. Returns what it changes then; with `preview` nothing is stored.
   */
  async change(
    modelId: string,
    form: ReadPriceForm,
    by: string,
    preview: boolean,
  ): Promise<PriceChange | undefined> {
    const { catalogue, clock, installation, store } = this.#services;
    await installation.reload();
    if (!catalogue.find(modelId)) throw noSuch("model", modelId);
    const known = this.#words(modelId);
    if (known.definition?.free === true) {
      const message =
        "The console says that this model is free; take that back, or add the model again with a price.";
      throw new Fault("invalid_value", message);
    }
    const { effective_from, ...words } = form;
    const effectiveFromMs = momentOf(effective_from, clock());
    const price = { effectiveFromMs, words: stated(words) };
    const others = known.prices.filter((each) => each.effectiveFromMs !== effectiveFromMs);
    const prices = [...others, price].toSorted((a, b) => a.effectiveFromMs - b.effectiveFromMs);
    const next = this.#proposed([{ ...known, prices }], refuseButFallbacks);
    const changes = priceChanges(catalogue, next, effectiveFromMs);
    const change = changes.find((each) => each.model === modelId);
    if (preview) return change;
    await store.setPrice(this.#row(modelId, price, by));
    await installation.reload();
    return change;
  }

  /** What would not fit of a model that is said so, but for its fallbacks. */
  #misfit(words: ModelWords): Error | undefined {
    let found: Error | undefined;
    this.#proposed([words], (_id, problem) => {
      if (!(problem instanceof FallbackError)) found = problem;
    });
    return found;
  }

  /** Nothing is taken back that keeps a model in force. One that does not fit already may be mended by it. */
  #refuseWithout({ modelId, effectiveFromMs }: StoredPrice): void {
    const known = this.#words(modelId);
    const prices = known.prices.filter((each) => each.effectiveFromMs !== effectiveFromMs);
    const problem = this.#misfit({ ...known, prices });
    if (!problem || this.#misfit(known)) return;
    const { message } = fieldFault(problem);
    throw new Fault("invalid_value", `Without this price the model does not fit: ${message}`, {
      param: "id",
    });
  }

  /** A price that is not in force yet is taken back. */
  async withdraw(priceId: string): Promise<StoredPrice> {
    const { clock, installation, store } = this.#services;
    await installation.reload();
    const price = installation.snapshot.prices.find(({ id }) => id === priceId);
    if (!price) throw noSuch("price", priceId);
    if (price.effectiveFromMs <= clock()) {
      throw new Fault(
        "invalid_value",
        "This price is in force and cannot be withdrawn. Set another price instead.",
        {
          param: "id",
        },
      );
    }
    this.#refuseWithout(price);
    await store.removePrice(priceId);
    await installation.reload();
    return price;
  }

  /** What a form says of a model that nobody ships, at its price from now on. Not looked at yet. */
  #added(form: ReadModelForm, nowMs: number): ModelWords {
    const { price, ...rest } = form;
    const { id = "", ...definition } = stated(rest) as Words & { id?: string };
    if (this.#services.catalogue.find(id)) {
      throw new Fault("invalid_value", `There is a model '${id}' already.`, { param: "id" });
    }
    const prices = price ? [{ effectiveFromMs: nowMs, words: price }] : [];
    return { id, definition, prices };
  }

  /**
   * Models that somebody is about to bring along: the catalogue with them, and what is to be stored then.
   * What is wrong is said at the field of the form that has them.
   */
  bringing(forms: readonly ReadModelForm[], by: string): Brought {
    if (forms.length === 0) return { catalogue: this.#services.catalogue, models: [] };
    const nowMs = this.#services.clock();
    const place = (at: number) => `new_models.${at}`;
    const all = forms.map((form, at) => below(place(at), () => this.#added(form, nowMs)));
    const twin = all.findIndex(({ id }, at) => all.findIndex((each) => each.id === id) < at);
    if (twin >= 0) {
      const message = `'${all[twin]?.id}' is there twice; leave one of them out.`;
      throw new Fault("invalid_value", message, { param: `${place(twin)}.id` });
    }
    const models = all.map(({ id, definition, prices: [first] }) => ({
      model: { id, definition: JSON.stringify(definition), createdAtMs: nowMs },
      price: first && this.#row(id, first, by),
    }));
    // All at once: each may name another of them.
    const catalogue = this.#proposed(all, (id, problem) =>
      below(place(all.findIndex((words) => words.id === id)), () => refuse(id, problem)),
    );
    return { catalogue, models };
  }

  /** A model that nobody ships, at its price from now on. */
  async add(form: ReadModelForm, by: string): Promise<string> {
    const { clock, installation, store } = this.#services;
    await installation.reload();
    const words = this.#added(form, clock());
    this.#proposed([words], refuse);
    const { id, definition } = words;
    const [first] = words.prices;
    const model = { id, definition: JSON.stringify(definition), createdAtMs: clock() };
    await store.setModel(model, first && this.#row(id, first, by));
    await installation.reload();
    return id;
  }

  /** What is said of a model beside its price. What is null goes back to what it was. */
  async edit(id: string, form: ReadModelForm): Promise<void> {
    const { catalogue, clock, installation, store } = this.#services;
    await installation.reload();
    if (!catalogue.find(id)) throw noSuch("model", id);
    if (form.price || (form.id !== undefined && form.id !== id)) {
      const param = form.price ? "price" : "id";
      throw new Fault("invalid_value", `The ${param} of a model is not changed here.`, { param });
    }
    await store.changeModel(id, clock(), (said) => {
      const definition = this.#edited(id, said === undefined ? {} : JSON.parse(said), form);
      return JSON.stringify(definition);
    });
    await installation.reload();
  }

  /** What is said of a model after a change, which fits. */
  #edited(id: string, said: Words, form: ReadModelForm): Words {
    const { id: _id, price: _price, ...rest } = form;
    const definition = stated({ ...said, ...rest });
    const onProblem = form.fallbacks === undefined ? refuseButFallbacks : refuse;
    const next = this.#proposed([{ ...this.#words(id), definition }], onProblem).find(id);
    if (form.free === false && next && isFreeAt(next, this.#services.clock())) {
      const message = "free is false, and the model has no other price; set its price instead.";
      throw new Fault("invalid_value", message, { param: "free" });
    }
    return definition;
  }

  /** All that the console says of a model is taken back. One that it added is gone. */
  async remove(id: string): Promise<void> {
    const { installation, store } = this.#services;
    await installation.reload();
    const known = this.#words(id);
    if (!known.definition && known.prices.length === 0) throw noSuch("model of the console", id);
    await store.removeModel(id);
    await installation.reload();
  }
}
