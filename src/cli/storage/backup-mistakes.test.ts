import { expect, test } from "bun:test";
import { FullDiskError } from "../../lib/files/full-disk.ts";
import { BackupFault } from "../../store/sqlite/backup/backup-fault.ts";
import type { UsageError } from "../terminal/arguments.ts";
import { inWords } from "./backup-mistakes.ts";

const PLACES = { file: "/backups/b.tar", folder: "/srv/data" };
const told = (code: string, path?: string) =>
  (inWords(Object.assign(new Error(code), { code, path }), PLACES) as Error).message;

test.each([["ENOSPC"], ["EDQUOT"], ["SQLITE_FULL"]])(
  "%s is of the disk that is written to, whichever file it was",
  (code) => {
    expect(told(code)).toContain("the disk of /srv/data is full;");
    expect(told(code, "/srv/data/restore_1/console.sqlite")).toBe(told(code));
  },
);

test("so is a copy that could not be opened for want of room", () => {
  const thrown = new FullDiskError("/srv/data/restore_1", undefined);
  expect((inWords(thrown, PLACES) as Error).message).toBe(told("ENOSPC"));
});

test("what has no access is what the system names, or else where something is written", () => {
  expect(told("EACCES", "/backups/b.tar")).toContain("/backups/b.tar");
  expect(told("EROFS")).toContain("/srv/data ");
});

test("a backup that is not there, or is a folder, is the file that was named", () => {
  expect(told("ENOENT", "/backups/b.tar")).toContain("/backups/b.tar");
  expect(told("EISDIR")).toContain("/backups/b.tar");
});

test.each([
  [new BackupFault("in_use", "/srv/data"), "database_in_use", "service_unavailable_error"],
  [new BackupFault("newer", "9.0.0"), "database_unfit", "invalid_request_error"],
  [new BackupFault("secret_other"), "secret_refused", "invalid_request_error"],
  [new BackupFault("exists", "/backups/b.tar"), "invalid_usage", "invalid_request_error"],
  [{ code: "ENOSPC" }, "storage_unavailable", "service_unavailable_error"],
  [{ code: "EACCES" }, "storage_unavailable", "service_unavailable_error"],
])("programs are told what it is, by the codes of all commands", (thrown, code, type) => {
  expect((inWords(thrown, PLACES) as UsageError).toJson()).toMatchObject({ code, type });
});
