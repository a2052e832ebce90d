import type { Database } from "bun:sqlite";
import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { closeFile, openReader } from "../database.ts";
import { DATABASE_FILES, type DatabaseFile, expectedFiles, MONEY_FILE } from "./database-files.ts";

export interface FileProblem {
  readonly file: DatabaseFile;
  readonly kind: "missing" | "empty" | "unreadable" | "damaged";
  /** What the system or SQLite says of it, in a line. */
  readonly detail: string;
  /** Where it could not be read: what was thrown. */
  readonly cause?: unknown;
}

/** More of them tell nothing new of a file that is damaged. */
const DAMAGES_MAX = 20;
const OF_THE_CONTENT = /^SQLITE_(?:CORRUPT|NOTADB|FORMAT|IOERR_SHORT_READ)/;

type Found = Omit<FileProblem, "file">;

function lineOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.replaceAll(/\s+/g, " ").trim();
}

function problemOf(thrown: unknown): Found {
  const code = String((thrown as { code?: unknown }).code);
  const detail = lineOf(thrown);
  return OF_THE_CONTENT.test(code)
    ? { kind: "damaged", detail }
    : { kind: "unreadable", detail, cause: thrown };
}

/** A file that was emptied is a database too, and a sound one. */
function isEmpty(db: Database): boolean {
  const { user_version } = db.query("pragma user_version").get() as { user_version: number };
  return user_version === 0 && !db.query("select 1 from sqlite_schema limit 1").get();
}

/** The pages of a file, each where it belongs and readable, as SQLite itself judges. */
function quickCheck(path: string): Found[] {
  const db = openReader(path);
  try {
    const told = db.query(`pragma quick_check(${DAMAGES_MAX})`).values().flat().map(String);
    const lines = told.flatMap((text) => text.split("\n")).filter((line) => !/^\*{3}/.test(line));
    const damages = lines.filter((line) => line !== "" && line !== "ok").slice(0, DAMAGES_MAX);
    if (damages.length > 0) return damages.map((detail) => ({ kind: "damaged", detail }));
    return isEmpty(db) ? [{ kind: "empty", detail: "" }] : [];
  } finally {
    closeFile(db);
  }
}

export function checkFile(path: string): Found[] {
  if (!existsSync(path)) return [{ kind: "missing", detail: "" }];
  try {
    accessSync(path, constants.R_OK);
    return quickCheck(path);
  } catch (thrown) {
    return [problemOf(thrown)];
  }
}

/** What is wrong with the files themselves, whatever stands in them. Nothing is written. */
export function checkFiles(folder: string): FileProblem[] {
  const check = (file: DatabaseFile) =>
    checkFile(join(folder, file)).map((problem) => ({ file, ...problem }));
  const ofMoney = check(MONEY_FILE);
  // A file of money that cannot be read does not tell which others there should be.
  const expected = ofMoney.length === 0 ? expectedFiles(folder) : DATABASE_FILES;
  return [...ofMoney, ...expected.filter((file) => file !== MONEY_FILE).flatMap(check)];
}
