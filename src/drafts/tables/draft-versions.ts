import type { Kysely, NotNull, Selection } from "kysely";
import type { DraftVersion } from "../draft.ts";
import { type DraftsTables, OPEN } from "./schema.ts";

type Tables = Kysely<DraftsTables>;

const VERSION = [
  ...["draft_id as draftId", "version", "articles", "saved_by as by"],
  "created_at as createdAtMs",
] as const;

type VersionRow = Selection<DraftsTables, "draft_versions", (typeof VERSION)[number]>;

export function toVersion(row: VersionRow): DraftVersion {
  return { ...row, articles: JSON.parse(row.articles) };
}

export function versionsOf(tables: Tables, draftId: string) {
  return tables.selectFrom("draft_versions").select(VERSION).where("draft_id", "=", draftId);
}

export async function insertVersion(tables: Tables, version: DraftVersion): Promise<void> {
  const articles = JSON.stringify(version.articles);
  await tables
    .insertInto("draft_versions")
    .values({
      draft_id: version.draftId,
      version: version.version,
      articles,
      chars: articles.length,
      saved_by: version.by,
      created_at: version.createdAtMs,
    })
    .execute();
}

/** See `DraftRows.trimVersions`. */
export async function trimVersions(
  tables: Tables,
  draftId: string,
  keep: number,
  charsMax: number,
): Promise<void> {
  const counted = tables
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
  await tables
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
    .where("version", "not in", ({ selectFrom }) =>
      selectFrom("draft_pushes")
        .select("version")
        .where("draft_id", "=", draftId)
        .where("state", "in", OPEN),
    )
    .execute();
}
