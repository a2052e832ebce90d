// What lists show of drafts and their versions. It is kept beside the articles, which are many megabytes with
// their pictures: a list that read them would take seconds.
import type { Kysely } from "kysely";
import type { ArticleDoc } from "../contract/article.ts";
import type { ArticleLine, DraftLine, VersionLine } from "../draft.ts";
import type { DraftsTables } from "./schema.ts";

type Tables = Kysely<DraftsTables>;

/** As they are kept with each version. */
export function writtenLines(articles: readonly ArticleDoc[]): string {
  const lines = articles.map(({ type, title, author, digest }): ArticleLine => {
    const said = {
      ...(author !== undefined && { author }),
      ...(digest !== undefined && { digest }),
    };
    return { type, title, ...said };
  });
  return JSON.stringify(lines);
}

/** A version that an earlier release has written has none: it is read as a whole, once. */
async function madeLines(tables: Tables, draftId: string, version: number): Promise<string> {
  const row = await tables
    .selectFrom("draft_versions")
    .select("articles")
    .where(({ and }) => and({ draft_id: draftId, version }))
    .executeTakeFirst();
  const lines = writtenLines(JSON.parse(row?.articles ?? "[]"));
  await tables
    .updateTable("draft_versions")
    .set({ lines })
    .where(({ and }) => and({ draft_id: draftId, version }))
    .execute();
  return lines;
}

async function linesOf(
  tables: Tables,
  draftId: string,
  version: number,
  kept: string | null,
): Promise<readonly ArticleLine[]> {
  return JSON.parse(kept ?? (await madeLines(tables, draftId, version)));
}

/** Drafts with what is kept of the version that they are at. */
function lined(tables: Tables) {
  return tables
    .selectFrom("drafts as d")
    .leftJoin("draft_versions as v", (join) =>
      join.onRef("v.draft_id", "=", "d.id").onRef("v.version", "=", "d.version"),
    )
    .select(["d.id", "d.account_id as accountId", "d.public_account_id as publicAccountId"])
    .select(["d.version", "d.pushed_version as pushedVersion", "d.media_id as mediaId"])
    .select(["d.status", "d.writing", "d.publish_id as publishId", "v.lines"])
    .select("d.publish_doubt_until as publishDoubtUntilMs")
    .select(["d.created_at as createdAtMs", "d.updated_at as updatedAtMs"]);
}

type LinedRow = Awaited<ReturnType<ReturnType<typeof lined>["execute"]>>[number];

async function toLine(tables: Tables, { lines, writing, ...row }: LinedRow): Promise<DraftLine> {
  const articles = await linesOf(tables, row.id, row.version, lines);
  return { ...row, articles, writing: JSON.parse(writing) };
}

/** Newest first; `after` is the last id of the page before. */
export async function listDrafts(
  tables: Tables,
  accountId: string,
  after: string | undefined,
  limit: number,
): Promise<readonly DraftLine[]> {
  const all = lined(tables)
    .where("d.account_id", "=", accountId)
    .orderBy("d.id", "desc")
    .limit(limit);
  const rows = await (after === undefined ? all : all.where("d.id", "<", after)).execute();
  const drafts: DraftLine[] = [];
  for (const row of rows) drafts.push(await toLine(tables, row));
  return drafts;
}

/** What a list shows of one draft. */
export async function findDraftLine(tables: Tables, id: string): Promise<DraftLine | undefined> {
  const row = await lined(tables).where("d.id", "=", id).executeTakeFirst();
  return row && toLine(tables, row);
}

/** Newest first. */
export async function listVersions(
  tables: Tables,
  draftId: string,
  limit: number,
): Promise<readonly VersionLine[]> {
  const rows = await tables
    .selectFrom("draft_versions")
    .select(["version", "saved_by as by", "created_at as createdAtMs", "lines"])
    .where("draft_id", "=", draftId)
    .orderBy("version", "desc")
    .limit(limit)
    .execute();
  const versions: VersionLine[] = [];
  for (const { lines, ...row } of rows) {
    const [first] = await linesOf(tables, draftId, row.version, lines);
    versions.push({ ...row, draftId, title: first?.title ?? "" });
  }
  return versions;
}
