import type { Kysely, NotNull, Selection } from "kysely";
import { Rows } from "../../lib/sql/tables.ts";
import type { DraftVersion, VersionLine } from "../draft.ts";
import { listVersions, writtenLines } from "./draft-lines.ts";
import { type DraftsTables, OPEN } from "./schema.ts";

const VERSION = [
  ...["draft_id as draftId", "version", "articles", "saved_by as by"],
  "created_at as createdAtMs",
] as const;

type VersionRow = Selection<DraftsTables, "draft_versions", (typeof VERSION)[number]>;

function toVersion(row: VersionRow): DraftVersion {
  return { ...row, articles: JSON.parse(row.articles) };
}

/** Also for drafts, which are written with their versions in the same transaction. */
export async function insertVersion(
  tables: Kysely<DraftsTables>,
  version: DraftVersion,
): Promise<void> {
  const articles = JSON.stringify(version.articles);
  await tables
    .insertInto("draft_versions")
    .values({
      draft_id: version.draftId,
      version: version.version,
      articles,
      chars: articles.length,
      lines: writtenLines(version.articles),
      saved_by: version.by,
      created_at: version.createdAtMs,
    })
    .execute();
}

/** What a version of a draft says. */
export type SaidByVersion = Pick<DraftVersion, "version" | "articles">;

/**
 * Keeps a version that is on its way into the box, where another one of its sitting has taken its place meanwhile: who
 * saved it and when is told by that one. In a transaction that has written to the draft, so that who saves it waits.
 */
export async function keepVersion(
  tables: Kysely<DraftsTables>,
  draftId: string,
  { version, articles }: SaidByVersion,
): Promise<void> {
  const [found] = await tables
    .selectFrom("draft_versions")
    .select(["version", "saved_by as by", "created_at as createdAtMs"])
    .where("draft_id", "=", draftId)
    .where("version", ">=", version)
    .orderBy("version")
    .limit(1)
    .execute();
  if (!found || found.version === version) return;
  const { by, createdAtMs } = found;
  await insertVersion(tables, { draftId, version, articles, by, createdAtMs });
}

/** The versions of a draft that are on their way into the box, or in doubt: what they say is read again. */
function onTheirWay(tables: Kysely<DraftsTables>, draftId: string) {
  return tables
    .selectFrom("draft_pushes")
    .select("version")
    .where("draft_id", "=", draftId)
    .where("state", "in", OPEN);
}

/** A version in the place of which another one came, unless it is still needed. */
export async function forgetVersion(
  tables: Kysely<DraftsTables>,
  draftId: string,
  version: number,
): Promise<void> {
  await tables
    .deleteFrom("draft_versions")
    .where(({ and }) => and({ draft_id: draftId, version }))
    .where("version", "not in", onTheirWay(tables, draftId))
    .execute();
}

/** What all versions of an account's drafts come to. */
export async function charsOfAccount(
  tables: Kysely<DraftsTables>,
  accountId: string,
): Promise<number> {
  const row = await tables
    .selectFrom("draft_versions as v")
    .innerJoin("drafts as d", "d.id", "v.draft_id")
    .select(({ cast, fn }) => cast<string | null>(fn.sum("v.chars"), "text").as("sum"))
    .where("d.account_id", "=", accountId)
    .executeTakeFirst();
  return Number(row?.sum ?? 0);
}

export class VersionRows extends Rows<DraftsTables> {
  /** Newest first. */
  list(draftId: string, limit: number): Promise<readonly VersionLine[]> {
    return listVersions(this.tables, draftId, limit);
  }

  async find(draftId: string, version: number): Promise<DraftVersion | undefined> {
    const row = await this.tables
      .selectFrom("draft_versions")
      .select(VERSION)
      .where(({ and }) => and({ draft_id: draftId, version }))
      .executeTakeFirst();
    return row && toVersion(row);
  }

  /** Characters of all of them, of every draft of an account. */
  chars(accountId: string): Promise<number> {
    return charsOfAccount(this.tables, accountId);
  }

  /**
   * Keeps the newest `keep` versions, fewer where they are over `charsMax` together, and those that
   * are in the box or on their way there.
   */
  async trim(draftId: string, keep: number, charsMax: number): Promise<void> {
    const counted = this.tables
      .selectFrom("draft_versions")
      .select(({ fn }) => [
        "version",
        fn
          .agg<number>("row_number")
          .over((by) => by.orderBy("version", "desc"))
          .as("place"),
        fn
          .sum<number>("chars")
          .over((by) => by.orderBy("version", "desc"))
          .as("total"),
      ])
      .where("draft_id", "=", draftId)
      .as("counted");
    await this.tables
      .deleteFrom("draft_versions")
      .where("draft_id", "=", draftId)
      .where("version", "in", ({ selectFrom }) =>
        selectFrom(counted)
          .select("counted.version")
          .where((eb) =>
            eb.or([eb("place", ">", keep), eb("place", ">", 1).and("total", ">", charsMax)]),
          ),
      )
      .where("version", "not in", ({ selectFrom }) =>
        selectFrom("drafts")
          .select("pushed_version")
          .where("id", "=", draftId)
          .where("pushed_version", "is not", null)
          .$narrowType<{ pushed_version: NotNull }>(),
      )
      .where("version", "not in", onTheirWay(this.tables, draftId))
      .execute();
  }
}
