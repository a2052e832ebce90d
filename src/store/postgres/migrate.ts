import { StorageError } from "../../lib/faults.ts";
import { MissingDatabaseError } from "../store.ts";
import { type Connections, sqlState } from "./connections.ts";
import { VERSIONS } from "./schema.ts";

/** Any number, as long as no other program locks the same one in this database. */
const MIGRATION_LOCK = 7_340_266_011;

const NO_SUCH_DATABASE = "3D000";

const SERVE_ONCE =
  'Start "faregate serve" once to create them, or point DATABASE_URL at the database that has them.';

/** Brings the tables to the newest version, once, however many processes start together. */
export async function migrate(connections: Connections, create: boolean): Promise<void> {
  try {
    await connections.script(async (run) => {
      // Held until the transaction ends, so nobody else looks before the tables are complete.
      await run(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      const [found] = (await run("select to_regclass('schema_version') as name")) as unknown as [
        { name: string | null },
      ];
      if (found.name === null) {
        if (!create) throw missing("There are no tables of Faregate in it.");
        await run("create table schema_version (version integer not null)");
        await run("insert into schema_version values (0)");
      }
      const [{ version }] = (await run("select version from schema_version")) as unknown as [
        { version: number },
      ];
      if (version > VERSIONS.length) {
        throw new Error("It was written by a newer Faregate; upgrade this one to open it.");
      }
      for (const text of VERSIONS.slice(version)) await run(text);
      await run(`update schema_version set version = ${VERSIONS.length}`);
    });
  } catch (thrown) {
    if (thrown instanceof MissingDatabaseError) throw thrown;
    if (sqlState(thrown) === NO_SUCH_DATABASE) throw missing("It does not exist.");
    // The address itself stays out of the message: it holds a password.
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new StorageError(`The database of DATABASE_URL cannot be opened: ${reason}`, {
      cause: thrown,
    });
  }
}

function missing(what: string): MissingDatabaseError {
  return new MissingDatabaseError(`The database of DATABASE_URL is empty. ${what} ${SERVE_ONCE}`);
}
