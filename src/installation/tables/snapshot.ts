import type { Sql } from "../../lib/sql/sql.ts";
import type { ChannelSwitch, OperatorSnapshot, StoredChannel } from "../snapshot.ts";

type SwitchRow = Omit<ChannelSwitch, "off"> & { readonly off: 0 | 1 };

/** Written by hand, so that whoever only reads what is in force loads no builder of queries. */
const REVISION = "select revision from operator_revision";
const CHANNELS = `
  select id, form, secrets, revived_at as "revivedAtMs", created_at as "createdAtMs",
    changed_at as "changedAtMs"
  from operator_channels order by created_at, id`;
const SWITCHES = `
  select channel_id as "channelId", switched_off as "off", revived_at as "revivedAtMs"
  from operator_channel_switches`;
const MODELS = `
  select id, definition, created_at as "createdAtMs" from operator_models order by created_at, id`;
const PRICES = `
  select id, model_id as "modelId", effective_from as "effectiveFromMs", price,
    created_at as "createdAtMs", created_by as "createdBy"
  from operator_prices order by model_id, effective_from`;
const SETTINGS = "select name, value from operator_settings";

/** Reads what operators have set. */
export class SnapshotRows {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async revision(): Promise<number> {
    const [row] = await this.#sql.query<{ revision: number }>(REVISION);
    return row?.revision ?? 0;
  }

  async load(): Promise<OperatorSnapshot> {
    const sql = this.#sql;
    // Before the rest: what changes in between is read again at the next look.
    const revision = await this.revision();
    const channels = await sql.query<StoredChannel>(CHANNELS);
    const switches = await sql.query<SwitchRow>(SWITCHES);
    const models = await sql.query<OperatorSnapshot["models"][number]>(MODELS);
    const prices = await sql.query<OperatorSnapshot["prices"][number]>(PRICES);
    const settings = await sql.query<{ name: string; value: string }>(SETTINGS);
    return {
      ...{ revision, channels, models, prices },
      switches: switches.map((each) => ({ ...each, off: each.off === 1 })),
      settings: Object.fromEntries(settings.map(({ name, value }) => [name, value])),
    };
  }
}
