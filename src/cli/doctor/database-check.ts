import { join, resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import { systemClock } from "../../lib/clock.ts";
import { DIRECT } from "../../lib/net/direct.ts";
import { roomsAreCurrent } from "../../store/migrations/room-versions.ts";
import { openEngine } from "../../store/open-engine.ts";
import { schemaState } from "../../store/schema-state.ts";
import { ServingRow } from "../../store/serving-row.ts";
import type { Store } from "../../store/store.ts";
import { otherFinding } from "./clock-check.ts";
import { type Finding, found } from "./finding.ts";

const CHECK = "database";
/** A database that has not answered by then is away. */
const WITHIN_MS = 10_000;
const HEALTH_MS = 2_000;

/** Where it is, without the password. */
function placeOf({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): string {
  if (databaseUrl === undefined) return join(resolve(dataDir), "faregate.sqlite");
  const { host, pathname } = new URL(databaseUrl);
  return `postgres://${host}${pathname}`;
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`it did not answer within ${WITHIN_MS / 1_000} s`)),
    WITHIN_MS,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function missing(place: string): Opened {
  return { findings: [found(CHECK, "warning", "databaseMissing", { place })], store: undefined };
}

/** What was found, and the store where it can be asked more. */
export interface Opened {
  readonly findings: readonly Finding[];
  readonly store: Store | undefined;
}

/** Opens the database, but only if that changes none of its tables. */
export async function openDatabase(config: Config): Promise<Opened> {
  const place = placeOf(config);
  try {
    const state = await inTime(schemaState(config));
    if (!state) return missing(place);
    const { found: version, known } = state;
    if (version !== known) {
      const values = { found: version, known };
      const other =
        version < known
          ? found(CHECK, "warning", "schemaOld", values)
          : found(CHECK, "problem", "schemaNew", values);
      return { findings: [other], store: undefined };
    }
    const store = await inTime(openEngine(config, { create: false, serve: false }));
    const opens = found(CHECK, "ok", "databaseOpens", { place });
    return { findings: [opens, found(CHECK, "ok", "schemaCurrent", { version })], store };
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return { findings: [found(CHECK, "problem", "databaseClosed", { reason })], store: undefined };
  }
}

async function answers(origin: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(HEALTH_MS);
    const { ok } = await fetch(`${origin}/healthz`, { ...DIRECT, signal, redirect: "manual" });
    return ok;
  } catch {
    return false;
  }
}

/** Who serves from this database. */
interface Serving {
  readonly findings: readonly Finding[];
  /** Whether anybody does, and where the one is that can be called from here. */
  readonly isServed: boolean;
  readonly origin: string | undefined;
}

async function servingOn(store: Store): Promise<Serving> {
  const said = await new ServingRow(store.sql).find();
  const isThere = said !== undefined && (await answers(said));
  const isServed = isThere || (await store.othersServe());
  const place =
    said === undefined
      ? found(CHECK, "ok", isServed ? "serverElsewhere" : "serverNone")
      : isThere
        ? found(CHECK, "ok", "serverRuns", { origin: said })
        : found(CHECK, "warning", "serverDead", { origin: said });
  return { findings: [place], isServed, origin: isThere ? said : undefined };
}

/** Its other tables, and the server that runs on it. */
export async function tablesCheck(store: Store): Promise<Serving> {
  if (await roomsAreCurrent(store.sql)) return servingOn(store);
  const old = found(CHECK, "warning", "roomsOld");
  return { findings: [old], isServed: await store.othersServe(), origin: undefined };
}

/** Its clock, where it has one of its own. */
export async function databaseClock({ sql }: Store, config: Config): Promise<Finding[]> {
  if (config.databaseUrl === undefined) return [];
  const askedMs = systemClock();
  const theirMs = await sql.nowMs();
  const answeredMs = systemClock();
  return [otherFinding({ name: placeOf(config), theirMs, askedMs, answeredMs, stepMs: 1 })];
}

/** Open holds, and whether every sum of the books is right. */
export async function booksCheck({ ledger }: Store, isServed: boolean): Promise<Finding[]> {
  const { problems, openHolds: count, accounts, entries, receipts } = await ledger.verify();
  const [first] = problems;
  const holds =
    count === 0
      ? found("holds", "ok", "holdsNone")
      : isServed
        ? found("holds", "ok", "holdsRunning", { count })
        : found("holds", "warning", "holdsLeft", { count });
  const sums =
    first === undefined
      ? found("sums", "ok", "sumsRight", { accounts, entries, receipts })
      : found("sums", "problem", "sumsWrong", { count: problems.length, first });
  return [holds, sums];
}
