import { Rows } from "../../lib/sql/tables.ts";

interface ServingTables {
  serving: { place: 1; address: string };
}

/**
 * Where a running server is reached from this machine, for commands that are typed beside it. The last
 * server that was started is the one that is found.
 */
export class ServingRow extends Rows<ServingTables> {
  async find(): Promise<string | undefined> {
    const row = await this.tables.selectFrom("serving").select("address").executeTakeFirst();
    return row?.address;
  }

  async save(address: string): Promise<void> {
    await this.tables
      .insertInto("serving")
      .values({ place: 1, address })
      .onConflict((conflict) => conflict.column("place").doUpdateSet({ address }))
      .execute();
  }

  /** Only where it is still this one. */
  async clear(address: string): Promise<void> {
    await this.tables.deleteFrom("serving").where("address", "=", address).execute();
  }
}
