import type {
  ChannelSwitch,
  OperatorSnapshot,
  OperatorStore,
  PricedModel,
  StoredChannel,
  StoredModel,
  StoredPrice,
} from "../../console/operator/store.ts";
import type { Sql, SqlValue } from "../../lib/sql/sql.ts";

type Row = Readonly<Record<string, string | number | null>>;

function readChannel(row: Row): StoredChannel {
  return {
    id: String(row.id),
    form: String(row.form),
    secrets: String(row.secrets),
    revivedAtMs: Number(row.revived_at),
    createdAtMs: Number(row.created_at),
    changedAtMs: Number(row.changed_at),
  };
}

function readSwitch(row: Row): ChannelSwitch {
  return {
    channelId: String(row.channel_id),
    off: Number(row.switched_off) === 1,
    revivedAtMs: Number(row.revived_at),
  };
}

function readModel(row: Row): StoredModel {
  return {
    id: String(row.id),
    definition: String(row.definition),
    createdAtMs: Number(row.created_at),
  };
}

function readPrice(row: Row): StoredPrice {
  return {
    id: String(row.id),
    modelId: String(row.model_id),
    effectiveFromMs: Number(row.effective_from),
    price: String(row.price),
    createdAtMs: Number(row.created_at),
    createdBy: String(row.created_by),
  };
}

async function writePrice(sql: Sql, price: StoredPrice): Promise<void> {
  await sql.query("delete from operator_prices where model_id = $1 and effective_from = $2", [
    price.modelId,
    price.effectiveFromMs,
  ]);
  await sql.query(
    `insert into operator_prices (id, model_id, effective_from, price, created_at, created_by)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      price.id,
      price.modelId,
      price.effectiveFromMs,
      price.price,
      price.createdAtMs,
      price.createdBy,
    ],
  );
}

async function writeModels(sql: Sql, models: readonly PricedModel[]): Promise<void> {
  for (const { model, price } of models) {
    await sql.query(
      `insert into operator_models (id, definition, created_at) values ($1, $2, $3)
       on conflict (id) do update set definition = excluded.definition`,
      [model.id, model.definition, model.createdAtMs],
    );
    if (price) await writePrice(sql, price);
  }
}

/** What operators set, in the tables of the console. */
export class OperatorTables implements OperatorStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** A change and the revision by which others notice it, both or neither. */
  #change<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#sql.transaction(async (sql) => {
      const result = await work(sql);
      await sql.query("update operator_revision set revision = revision + 1");
      return result;
    });
  }

  async #touched(sql: Sql, text: string, params: readonly SqlValue[]): Promise<boolean> {
    return (await sql.query(`${text} returning 1 as touched`, params)).length > 0;
  }

  async revision(): Promise<number> {
    const [row] = await this.#sql.query<Row>("select revision from operator_revision");
    return Number(row?.revision ?? 0);
  }

  async load(): Promise<OperatorSnapshot> {
    // Before the rest: what changes in between is read again at the next look.
    const revision = await this.revision();
    const rows = (text: string) => this.#sql.query<Row>(text);
    const settings = await rows("select name, value from operator_settings");
    return {
      revision,
      channels: (await rows("select * from operator_channels order by created_at, id")).map(
        readChannel,
      ),
      switches: (await rows("select * from operator_channel_switches")).map(readSwitch),
      models: (await rows("select * from operator_models order by created_at, id")).map(readModel),
      prices: (await rows("select * from operator_prices order by model_id, effective_from")).map(
        readPrice,
      ),
      settings: Object.fromEntries(settings.map((row) => [String(row.name), String(row.value)])),
    };
  }

  addChannel(channel: StoredChannel, models: readonly PricedModel[] = []): Promise<boolean> {
    return this.#change(async (sql) => {
      const added = await this.#touched(
        sql,
        `insert into operator_channels (id, form, secrets, revived_at, created_at, changed_at)
         values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing`,
        [
          channel.id,
          channel.form,
          channel.secrets,
          channel.revivedAtMs,
          channel.createdAtMs,
          channel.changedAtMs,
        ],
      );
      if (added) await writeModels(sql, models);
      return added;
    });
  }

  changeChannel(channel: StoredChannel, models: readonly PricedModel[] = []): Promise<boolean> {
    return this.#change(async (sql) => {
      const changed = await this.#touched(
        sql,
        `update operator_channels set form = $1, secrets = $2, revived_at = $3, changed_at = $4
         where id = $5`,
        [channel.form, channel.secrets, channel.revivedAtMs, channel.changedAtMs, channel.id],
      );
      if (changed) await writeModels(sql, models);
      return changed;
    });
  }

  removeChannel(id: string): Promise<boolean> {
    return this.#change((sql) =>
      this.#touched(sql, "delete from operator_channels where id = $1", [id]),
    );
  }

  setSwitch({ channelId, off, revivedAtMs }: ChannelSwitch): Promise<void> {
    return this.#change(async (sql) => {
      await sql.query(
        `insert into operator_channel_switches (channel_id, switched_off, revived_at)
         values ($1, $2, $3) on conflict (channel_id) do update
         set switched_off = excluded.switched_off, revived_at = excluded.revived_at`,
        [channelId, off ? 1 : 0, revivedAtMs],
      );
    });
  }

  setModel(model: StoredModel, price?: StoredPrice): Promise<void> {
    return this.#change((sql) => writeModels(sql, [{ model, price }]));
  }

  removeModel(id: string): Promise<void> {
    return this.#change(async (sql) => {
      await sql.query("delete from operator_models where id = $1", [id]);
      await sql.query("delete from operator_prices where model_id = $1", [id]);
    });
  }

  setPrice(price: StoredPrice): Promise<void> {
    return this.#change((sql) => writePrice(sql, price));
  }

  removePrice(id: string): Promise<boolean> {
    return this.#change((sql) =>
      this.#touched(sql, "delete from operator_prices where id = $1", [id]),
    );
  }

  setSettings(settings: Readonly<Record<string, string | null>>): Promise<void> {
    return this.#change(async (sql) => {
      for (const [name, value] of Object.entries(settings)) {
        await sql.query("delete from operator_settings where name = $1", [name]);
        if (value === null) continue;
        await sql.query("insert into operator_settings (name, value) values ($1, $2)", [
          name,
          value,
        ]);
      }
    });
  }
}
