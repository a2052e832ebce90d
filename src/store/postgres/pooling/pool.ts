import { SQL } from "bun";
import { ConfigError } from "../../../config/config.ts";

/** Settings of the server, for all that is done on a connection. */
export type Settings = Readonly<Record<string, string | number>>;

/**
 * How transactions read, whatever the database is set to: who has waited for a lock must see what the others have written
 * meanwhile, and not what was there when the transaction began.
 */
export const READ_COMMITTED = "isolation level read committed";

/** Said with the beginning of a transaction, and gone with its end. */
const BEGUN = { name: "faregate.begun", value: "yes" };

/**
 * Of a statement that was sent along with the beginning: a pooler may refuse that, and go on with what stands behind it,
 * which then would be a transaction by itself.
 */
export const WHERE_BEGUN = ` where current_setting('${BEGUN.name}', true) = '${BEGUN.value}'`;

/** All that a pooler passes on with a connection, whatever it is told. */
const ALWAYS_PASSED = "application_name";

/** An address as the driver takes it, and whether it leads to a pooler. */
interface Address {
  readonly url: string;
  readonly isPooled: boolean;
}

function readAddress(text: string): Address {
  const url = new URL(text);
  const prepare = url.searchParams.get("prepare") ?? "true";
  if (prepare !== "true" && prepare !== "false") {
    throw new ConfigError(`DATABASE_URL has prepare=${prepare}; it must be true or false.`);
  }
  url.searchParams.delete("prepare");
  return { url: url.href, isPooled: prepare === "false" };
}

/**
 * Connections with settings of their own. Usually these come with the connection. A pooler that deals out
 * connections of the server by the transaction, as PgBouncer may, keeps neither them nor prepared
 * statements. For that one `?prepare=false` in the address has every statement prepared when it is sent,
 * and every transaction begin with the settings.
 */
export class Pool {
  readonly sql: SQL;
  readonly isPooled: boolean;
  /** What a transaction begins with; empty where the connection has it. */
  readonly #local: string;

  constructor(address: string, max: number, settings: Settings) {
    const { url, isPooled } = readAddress(address);
    const { [ALWAYS_PASSED]: name, ...others } = settings;
    const passed = isPooled ? { [ALWAYS_PASSED]: name ?? "" } : settings;
    this.isPooled = isPooled;
    this.#local = isPooled ? setLocally(others) : "";
    this.sql = new SQL(url, { bigint: true, max, prepare: !isPooled, connection: { ...passed } });
  }

  /** `mode` goes behind BEGIN. */
  begin<T>(mode: string, work: (tx: SQL) => Promise<T>): Promise<T> {
    return this.sql.begin(mode, async (tx) => {
      if (this.#local) await tx.unsafe(this.#local);
      return work(tx);
    });
  }

  /** The beginning of a transaction in one text, with settings for it alone. */
  beginning(settings: Settings = {}): string {
    const begun = { ...settings, [BEGUN.name]: BEGUN.value };
    return `begin ${READ_COMMITTED}; ${this.#local}${setLocally(begun)}`;
  }
}

function setLocally(settings: Settings): string {
  const texts = Object.entries(settings).map(([name, value]) => `set local ${name} = '${value}'; `);
  return texts.join("");
}
