import { shownList } from "../../lib/listing.ts";
import type { Destination } from "../destination.ts";
import type { Diagnosis } from "../doctor.ts";
import type {
  Draft,
  DraftLine,
  DraftVersion,
  PublicAccount,
  Push,
  Receipt,
  VersionLine,
} from "../draft.ts";
import { credentialKind } from "../platform-api/account-access.ts";
import type { PreviewForAccount } from "../push/preparing.ts";
import type { ReadBack, RemoteArticle, RemotePage } from "../read-back/read-back.ts";
import { shownImages } from "../read-back/read-back.ts";
import { THEMES } from "../render/themes.ts";
import { showWriting, writingCost } from "../writing/show-writing.ts";

/** Moments are written as ISO 8601. */
function moment(ms: number): string {
  return new Date(ms).toISOString();
}

export function showDeleted<const Kind extends string>(object: Kind, id: string) {
  return { object, id, deleted: true as const };
}

function facts(draft: DraftLine) {
  return {
    object: "draft" as const,
    id: draft.id,
    public_account_id: draft.publicAccountId,
    status: draft.status,
    media_id: draft.mediaId,
    version: draft.version,
    pushed_version: draft.pushedVersion,
    publish_id: draft.publishId,
    writing: showWriting(draft.writing),
    writing_cost: writingCost(draft.writing),
    created_at: moment(draft.createdAtMs),
    updated_at: moment(draft.updatedAtMs),
  };
}

export function showDraft(draft: Draft) {
  return { ...facts(draft), articles: draft.articles };
}

/** For lists: texts and pictures are had with the draft itself. */
export function showDraftLine(draft: DraftLine) {
  return { ...facts(draft), articles: draft.articles };
}

export function showThemes() {
  return shownList(
    THEMES.map(({ id, name, about, colours }, at) => ({
      ...{ id, name, about, colours, is_default: at === 0 },
    })),
  );
}

/** Where a draft goes: for whoever would like to know before looking for it in the wrong box. */
function showDestination({ name, appid, sandbox, platformUrl }: Destination) {
  return { name, appid, sandbox, platform_url: platformUrl };
}

export function showReceipt(receipt: Receipt, draft: Pick<Draft, "writing">) {
  return {
    media_id: receipt.mediaId,
    public_account_id: receipt.publicAccountId,
    appid: receipt.appid,
    sandbox: receipt.sandbox,
    destination: receipt.destination ? showDestination(receipt.destination) : null,
    url: receipt.url,
    rids: receipt.rids,
    content_bytes: receipt.contentBytes,
    uploaded_files: receipt.uploadedFiles,
    uploaded_bytes: receipt.uploadedBytes,
    reused_files: receipt.reusedFiles,
    sends: receipt.sends,
    reconciled: receipt.reconciled,
    warnings: receipt.warnings,
    differences: receipt.differences ?? [],
    writing: showWriting(draft.writing),
    writing_cost: writingCost(draft.writing),
  };
}

export function showPush(push: Push, draft: Pick<Draft, "writing">) {
  return {
    object: "push" as const,
    id: push.id,
    kind: push.kind,
    version: push.version,
    state: push.state,
    sends: push.sends,
    media_id: push.mediaId,
    refusal: push.refusal,
    doubt: push.doubt,
    receipt: push.receipt && showReceipt(push.receipt, draft),
    created_at: moment(push.createdAtMs),
    updated_at: moment(push.updatedAtMs),
  };
}

/** For lists; `showVersion` has the articles too. */
export function showVersionLine({ version, by, title, createdAtMs }: VersionLine) {
  const created_at = moment(createdAtMs);
  return { object: "draft_version" as const, version, by, title, created_at };
}

export function showVersion({ articles, ...version }: DraftVersion) {
  const title = articles[0]?.title ?? "";
  return { ...showVersionLine({ ...version, title }), articles };
}

/** `publishOn`: whether this installation publishes at all. */
export function showPublicAccount(account: PublicAccount, publishOn: boolean) {
  return {
    object: "public_account" as const,
    id: account.id,
    name: account.name,
    kind: account.kind,
    sandbox: account.kind === "built-in",
    appid: account.appid,
    platform_url: account.platformUrl,
    credential: credentialKind(account),
    // Only where they lead: what else is in these addresses is a secret.
    proxy: account.access?.proxyOrigin ?? null,
    token_source: account.access?.sourceOrigin ?? null,
    component_appid: account.access?.componentAppid ?? null,
    is_default: account.isDefault,
    theme: account.theme,
    author: account.author,
    publish_allowed: account.publishAllowed,
    can_publish: account.publishAllowed && publishOn,
    created_at: moment(account.createdAtMs),
  };
}

export function showPreview(preview: PreviewForAccount) {
  return {
    object: "draft_preview" as const,
    public_account_id: preview.publicAccountId,
    sandbox: preview.sandbox,
    destination: showDestination(preview.destination),
    ok: !preview.problems.some(({ severity }) => severity === "error"),
    problems: preview.problems,
    articles: preview.articles,
    request: preview.request,
  };
}

/** As a browser reads it: the platform keeps the addresses of pictures under a name of its own. */
function showRemote(article: RemoteArticle) {
  return { ...article, content: shownImages(String(article.content ?? "")) };
}

export function showReadBack({ articles, url, differences }: ReadBack) {
  return {
    in_box: articles !== undefined,
    url,
    articles: articles?.map(showRemote) ?? null,
    differences,
  };
}

/** `draftIds`: drafts of ours by what they are called in the box. */
export function showBoxPage({ total, items }: RemotePage, draftIds: ReadonlyMap<string, string>) {
  return {
    object: "list" as const,
    total,
    items: items.map(({ mediaId, articles, updatedAtMs }) => ({
      media_id: mediaId,
      titles: articles.map(({ title }) => String(title ?? "")),
      url: articles[0]?.url ?? null,
      thumb_url: articles[0]?.thumb_url ?? null,
      updated_at: moment(updatedAtMs),
      draft_id: draftIds.get(mediaId) ?? null,
    })),
  };
}

export function showDiagnosis(diagnosis: Diagnosis) {
  const { publicAccountId, sandbox, healthy, findings, drafts, quota } = diagnosis;
  return {
    object: "diagnosis" as const,
    ...{ public_account_id: publicAccountId, sandbox },
    destination: showDestination(diagnosis.destination),
    healthy,
    can_publish: diagnosis.canPublish,
    verified: diagnosis.verified,
    ...{ drafts, quota, findings },
  };
}
