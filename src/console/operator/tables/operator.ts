import type { Kysely } from "kysely";
import type { Flag } from "../../../lib/sql/flag.ts";
import { Rows } from "../../../lib/sql/tables.ts";
import type {
  ChannelSwitch,
  OperatorSnapshot,
  PricedModel,
  StoredChannel,
  StoredModel,
  StoredPrice,
} from "../store.ts";

/** The columns as both engines give them back. */
interface OperatorTables {
  operator_revision: { id: number; revision: number };
  operator_channels: {
    id: string;
    form: string;
    secrets: string;
    revived_at: number;
    created_at: number;
    changed_at: number;
  };
  operator_channel_switches: { channel_id: string; switched_off: Flag; revived_at: number };
  operator_models: { id: string; definition: string; created_at: number };
  operator_prices: {
    id: string;
    model_id: string;
    effective_from: number;
    price: string;
    created_at: number;
    created_by: string;
  };
  operator_settings: { name: string; value: string };
}

type Tables = Kysely<OperatorTables>;

async function writePrice(tables: Tables, price: StoredPrice): Promise<void> {
  const moment = { model_id: price.modelId, effective_from: price.effectiveFromMs };
  await tables
    .deleteFrom("operator_prices")
    .where(({ and }) => and(moment))
    .execute();
  await tables
    .insertInto("operator_prices")
    .values({
      ...{ id: price.id, ...moment, price: price.price },
      ...{ created_at: price.createdAtMs, created_by: price.createdBy },
    })
    .execute();
}

async function writeModels(tables: Tables, models: readonly PricedModel[]): Promise<void> {
  for (const { model, price } of models) {
    const { id, definition, createdAtMs } = model;
    await tables
      .insertInto("operator_models")
      .values({ id, definition, created_at: createdAtMs })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ definition }))
      .execute();
    if (price) await writePrice(tables, price);
  }
}

function channelsOf(tables: Tables): Promise<readonly StoredChannel[]> {
  return tables
    .selectFrom("operator_channels")
    .select(["id", "form", "secrets", "revived_at as revivedAtMs"])
    .select(["created_at as createdAtMs", "changed_at as changedAtMs"])
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

async function switchesOf(tables: Tables): Promise<readonly ChannelSwitch[]> {
  const rows = await tables
    .selectFrom("operator_channel_switches")
    .select(["channel_id as channelId", "switched_off as off", "revived_at as revivedAtMs"])
    .execute();
  return rows.map((row) => ({ ...row, off: row.off === 1 }));
}

function modelsOf(tables: Tables): Promise<readonly StoredModel[]> {
  return tables
    .selectFrom("operator_models")
    .select(["id", "definition", "created_at as createdAtMs"])
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

function pricesOf(tables: Tables): Promise<readonly StoredPrice[]> {
  return tables
    .selectFrom("operator_prices")
    .select(["id", "model_id as modelId", "effective_from as effectiveFromMs", "price"])
    .select(["created_at as createdAtMs", "created_by as createdBy"])
    .orderBy("model_id")
    .orderBy("effective_from")
    .execute();
}

/** What operators set. Each change moves the revision, by which other processes notice it. */
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

  async revision(): Promise<number> {
    const row = await this.tables
      .selectFrom("operator_revision")
      .select("revision")
      .executeTakeFirst();
    return row?.revision ?? 0;
  }

  async load(): Promise<OperatorSnapshot> {
    const tables = this.tables;
    // Before the rest: what changes in between is read again at the next look.
    const revision = await this.revision();
    const settings = await tables
      .selectFrom("operator_settings")
      .select(["name", "value"])
      .execute();
    return {
      revision,
      channels: await channelsOf(tables),
      switches: await switchesOf(tables),
      models: await modelsOf(tables),
      prices: await pricesOf(tables),
      settings: Object.fromEntries(settings.map(({ name, value }) => [name, value])),
    };
  }

  /** False when there is one of this id. Models that it brings along are stored with it, or neither is. */
  addChannel(channel: StoredChannel, models: readonly PricedModel[] = []): Promise<boolean> {
    const { id, form, secrets } = channel;
    return this.#change(async (tables) => {
      const added = await tables
        .insertInto("operator_channels")
        .values({
          ...{ id, form, secrets, revived_at: channel.revivedAtMs },
          ...{ created_at: channel.createdAtMs, changed_at: channel.changedAtMs },
        })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning("id")
        .execute();
      if (added.length > 0) await writeModels(tables, models);
      return added.length > 0;
    });
  }

  /** False when there is none of this id. */
  changeChannel(channel: StoredChannel, models: readonly PricedModel[] = []): Promise<boolean> {
    const { id, form, secrets, revivedAtMs, changedAtMs } = channel;
    return this.#change(async (tables) => {
      const changed = await tables
        .updateTable("operator_channels")
        .set({ form, secrets, revived_at: revivedAtMs, changed_at: changedAtMs })
        .where("id", "=", id)
        .returning("id")
        .execute();
      if (changed.length > 0) await writeModels(tables, models);
      return changed.length > 0;
    });
  }

  removeChannel(id: string): Promise<boolean> {
    return this.#change(async (tables) => {
      const channel = tables.deleteFrom("operator_channels").where("id", "=", id);
      return (await channel.returning("id").execute()).length > 0;
    });
  }

  setSwitch({ channelId, off, revivedAtMs }: ChannelSwitch): Promise<void> {
    const set = { switched_off: off, revived_at: revivedAtMs };
    return this.#change(async (tables) => {
      await tables
        .insertInto("operator_channel_switches")
        .values({ channel_id: channelId, ...set })
        .onConflict((conflict) => conflict.column("channel_id").doUpdateSet(set))
        .execute();
    });
  }

  /** The model and its first price, or only what is said of the model. */
  setModel(model: StoredModel, price?: StoredPrice): Promise<void> {
    return this.#change((tables) => writeModels(tables, [{ model, price }]));
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
