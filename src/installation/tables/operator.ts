import type { Kysely } from "kysely";
import { asNamed, type ColumnsOf, flag, keptAs, plain } from "../../lib/sql/kept.ts";
import { Rows } from "../../lib/sql/tables.ts";
import type { ChannelSwitch, StoredChannel, StoredModel, StoredPrice } from "../snapshot.ts";

/** A model that comes into being, with its first price; a free one has none. */
export interface PricedModel {
  readonly model: StoredModel;
  readonly price: StoredPrice | undefined;
}

const CHANNEL = keptAs<StoredChannel>()({
  ...asNamed("id", "form", "secrets"),
  revivedAtMs: plain("revived_at"),
  createdAtMs: plain("created_at"),
  changedAtMs: plain("changed_at"),
});

const SWITCH = keptAs<ChannelSwitch>()({
  channelId: plain("channel_id"),
  off: flag("switched_off"),
  revivedAtMs: plain("revived_at"),
});

const MODEL = keptAs<StoredModel>()({
  ...asNamed("id", "definition"),
  createdAtMs: plain("created_at"),
});

const PRICE = keptAs<StoredPrice>()({
  ...asNamed("id", "price"),
  modelId: plain("model_id"),
  effectiveFromMs: plain("effective_from"),
  createdAtMs: plain("created_at"),
  createdBy: plain("created_by"),
});

interface OperatorTables {
  operator_revision: { id: number; revision: number };
  operator_channels: ColumnsOf<typeof CHANNEL>;
  operator_channel_switches: ColumnsOf<typeof SWITCH>;
  operator_models: ColumnsOf<typeof MODEL>;
  operator_prices: ColumnsOf<typeof PRICE>;
  operator_settings: { name: string; value: string };
}

type Tables = Kysely<OperatorTables>;

/**
 * What becomes of something, by what it is when that is written: of two who change it at once, neither takes back what the
 * other has said. Where it throws, nothing is changed.
 */
type Change<Before, After = Before> = (before: Before) => After;

async function writePrice(tables: Tables, price: StoredPrice): Promise<void> {
  const moment = { model_id: price.modelId, effective_from: price.effectiveFromMs };
  await tables
    .deleteFrom("operator_prices")
    .where(({ and }) => and(moment))
    .execute();
  await tables.insertInto("operator_prices").values(PRICE.cells(price)).execute();
}

async function writeModels(tables: Tables, models: readonly PricedModel[]): Promise<void> {
  for (const { model, price } of models) {
    const { definition } = model;
    await tables
      .insertInto("operator_models")
      .values(MODEL.cells(model))
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ definition }))
      .execute();
    if (price) await writePrice(tables, price);
  }
}

/** Changes what operators set. Each change moves the revision, by which other processes notice it. */
export class OperatorRows extends Rows<OperatorTables> {
  /** A change and its revision, both or neither. */
  #change<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.tables.atomically(async (tables) => {
      const result = await work(tables);
      await tables
        .updateTable("operator_revision")
        .set((eb) => ({ revision: eb("revision", "+", eb.lit(1)) }))
        .execute();
      return result;
    });
  }

  /** False when there is one of this id. Models that it brings along are stored with it, or neither is. */
  addChannel(channel: StoredChannel, models: readonly PricedModel[] = []): Promise<boolean> {
    return this.#change(async (tables) => {
      const added = await tables
        .insertInto("operator_channels")
        .values(CHANNEL.cells(channel))
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning("id")
        .execute();
      if (added.length > 0) await writeModels(tables, models);
      return added.length > 0;
    });
  }

  /** False when there is none of this id. */
  changeChannel(
    id: string,
    change: Change<StoredChannel>,
    models: readonly PricedModel[] = [],
  ): Promise<boolean> {
    return this.#change(async (tables) => {
      const found = tables.selectFrom("operator_channels").select(CHANNEL.columns);
      const row = await found.where("id", "=", id).executeTakeFirst();
      if (!row) return false;
      const changed = tables.updateTable("operator_channels").where("id", "=", id);
      await changed.set(CHANNEL.cells(change(CHANNEL.read(row)))).execute();
      await writeModels(tables, models);
      return true;
    });
  }

  removeChannel(id: string): Promise<boolean> {
    return this.#change(async (tables) => {
      const channel = tables.deleteFrom("operator_channels").where("id", "=", id);
      return (await channel.returning("id").execute()).length > 0;
    });
  }

  /** One that nobody has touched is on. */
  changeSwitch(channelId: string, change: Change<ChannelSwitch>): Promise<void> {
    return this.#change(async (tables) => {
      const found = tables.selectFrom("operator_channel_switches").select(SWITCH.columns);
      const row = await found.where("channel_id", "=", channelId).executeTakeFirst();
      const before = row ? SWITCH.read(row) : { channelId, off: false, revivedAtMs: 0 };
      const cells = SWITCH.cells(change(before));
      await tables
        .insertInto("operator_channel_switches")
        .values(cells)
        .onConflict((conflict) => conflict.column("channel_id").doUpdateSet(cells))
        .execute();
    });
  }

  /** The model and its first price, or only what is said of the model. */
  setModel(model: StoredModel, price?: StoredPrice): Promise<void> {
    return this.#change((tables) => writeModels(tables, [{ model, price }]));
  }

  /** What is said of a model; undefined where nothing was. */
  changeModel(
    id: string,
    nowMs: number,
    change: Change<string | undefined, string>,
  ): Promise<void> {
    return this.#change(async (tables) => {
      const found = tables.selectFrom("operator_models").select("definition");
      const row = await found.where("id", "=", id).executeTakeFirst();
      const model = { id, definition: change(row?.definition), createdAtMs: nowMs };
      await writeModels(tables, [{ model, price: undefined }]);
    });
  }

  /** All that the console says of a model. */
  removeModel(id: string): Promise<void> {
    return this.#change(async (tables) => {
      await tables.deleteFrom("operator_models").where("id", "=", id).execute();
      await tables.deleteFrom("operator_prices").where("model_id", "=", id).execute();
    });
  }

  /** In the place of a price of this model that begins at the same moment. */
  setPrice(price: StoredPrice): Promise<void> {
    return this.#change((tables) => writePrice(tables, price));
  }

  removePrice(id: string): Promise<boolean> {
    return this.#change(async (tables) => {
      const price = tables.deleteFrom("operator_prices").where("id", "=", id);
      return (await price.returning("id").execute()).length > 0;
    });
  }

  /** A value that is null is forgotten. */
  setSettings(settings: Readonly<Record<string, string | null>>): Promise<void> {
    return this.#change(async (tables) => {
      for (const [name, value] of Object.entries(settings)) {
        await tables.deleteFrom("operator_settings").where("name", "=", name).execute();
        if (value === null) continue;
        await tables.insertInto("operator_settings").values({ name, value }).execute();
      }
    });
  }
}
