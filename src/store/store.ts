import type { AccountsStore } from "../accounts/store.ts";
import type { AdmissionStore } from "../admission/store.ts";
import type { BodyStore, ConversationStore, KeptAnswerStore } from "../conversations/store.ts";
import type { LedgerStore } from "../ledger/store.ts";
import type { RoomTables, Sql } from "../lib/sql/sql.ts";
import type { Log } from "../telemetry/log.ts";

/** Everything that is kept, behind the ports of the rooms that own it. */
export interface Store {
  readonly accounts: AccountsStore;
  readonly admission: AdmissionStore;
  readonly ledger: LedgerStore;
  readonly conversations: ConversationStore;
  readonly keptAnswers: KeptAnswerStore;
  readonly bodies: BodyStore;
  /** The tables of the console's rooms. Only `compose` and the store itself look at it. */
  readonly sql: Sql;
  /** Whether another process serves from the same database. */
  othersServe(): Promise<boolean>;
  /** Requests that this process has let in and whose end is not in the database, also once it is closed. */
  unsettled(): readonly string[];
  /** Writes something on the way that money goes, down to the disk; throws when that cannot be done. */
  ping(): Promise<void>;
  /** Gives up whatever has not answered for long, where there may be another way to the same database. */
  renew?(): Promise<void>;
  /** Calls `doubted` when the store sees by itself that something is wrong, before any question fails. */
  watch?(doubted: () => void): void;
  /** Resolves only when the store has failed for good and the process must end. */
  readonly failed: Promise<Error>;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Create what is missing; otherwise a missing database is an error. */
  readonly create: boolean;
  /** A file that is missing beside others of the installation is made anew; otherwise that is an error too. */
  readonly anew?: boolean;
  /** This process serves: it alone may, and its holds are its own. */
  readonly serve: boolean;
  /** Is told what happens to the database while it is open. */
  readonly log?: Pick<Log, "error" | "warn" | "info">;
  /** The tables of the console's rooms, to be brought up to date. Without them single rows are read as they are. */
  readonly rooms?: readonly RoomTables[];
  /** What is to be done with the console's tables before anybody can take this process for one that serves. */
  readonly beforeServing?: (sql: Sql) => Promise<void>;
  /** This process does something for a server that is starting, and waits for it. */
  readonly forServer?: boolean;
}

/** There is no database where the settings point. The message says what to do. */
export class MissingDatabaseError extends Error {
  override readonly name = "MissingDatabaseError";
}

/** The tables are not for this program: a newer one's, or made of other texts. The message says what to do. */
export class UnfitDatabaseError extends Error {
  override readonly name = "UnfitDatabaseError";
}

/** What it says of its own tables is what no Faregate has written. */
export class EditedTablesError extends UnfitDatabaseError {}

/** Another process serves from this database already. */
export class DatabaseInUseError extends Error {
  override readonly name = "DatabaseInUseError";
}
