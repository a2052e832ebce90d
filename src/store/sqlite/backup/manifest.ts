import * as z from "../../../lib/schemas.ts";
import { ROOMS } from "../../migrations/rooms.ts";
import { MONEY_TABLES } from "../money-schema.ts";
import { RESPONSE_TABLES } from "../responses/responses-schema.ts";
import { BackupFault } from "./backup-fault.ts";

export const MANIFEST_FILE = "manifest.json";
export const SECRET_FILE = "secret.key";

/** How an archive is made. A program that makes it otherwise counts on. */
const FORMAT = 1;

const fileSchema = z.object({
  // Nothing that is read from an archive names a place outside of the folder.
  name: z.enum(["faregate.sqlite", "responses.sqlite", "console.sqlite", SECRET_FILE]),
  bytes: z.number().int(),
  sha256: z.string(),
});

/** How many versions of the tables a program must know. */
const versionsSchema = z.object({
  money: z.number(),
  responses: z.number(),
  rooms: z.record(z.string(), z.number()),
});

const manifestSchema = z.object({
  format: z.number(),
  faregate: z.string(),
  created_at: z.string(),
  versions: versionsSchema,
  receipts: z.number(),
  entries: z.number(),
  files: z.array(fileSchema),
});

export type BackupFile = z.infer<typeof fileSchema>;
export type TableVersions = z.infer<typeof versionsSchema>;
export type Manifest = z.infer<typeof manifestSchema>;

/** What an archive of this program says of itself. */
export function describeBackup(facts: Omit<Manifest, "format" | "files">): Omit<Manifest, "files"> {
  return { format: FORMAT, ...facts };
}

export function readManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BackupFault("damaged", MANIFEST_FILE);
  }
  const { format, faregate } = (value ?? {}) as { format?: unknown; faregate?: unknown };
  if (typeof format === "number" && format > FORMAT)
    throw new BackupFault("newer", String(faregate));
  const read = manifestSchema.safeParse(value);
  if (!read.success) throw new BackupFault("damaged", MANIFEST_FILE);
  return read.data;
}

/** Refuses what only a newer program can open, before anything is unpacked. */
export function requireKnown({ faregate, versions }: Manifest): void {
  const known = new Map(ROOMS.map(({ room, versions: all }) => [room, all.length]));
  const isNewer =
    versions.money > MONEY_TABLES.versions.length ||
    versions.responses > RESPONSE_TABLES.versions.length ||
    Object.entries(versions.rooms).some(([room, count]) => count > (known.get(room) ?? 0));
  if (isNewer) throw new BackupFault("newer", faregate);
}
