import type { AuditLog } from "../../accounts/audit.ts";
import type { Call, Guards, Role } from "../../accounts/guards.ts";
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/faults.ts";
import { readPage } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import type { BoxedArticle, BoxedDraft } from "../../platform/draftbox/draft.ts";
import { Refusal } from "../../platform/endpoint.ts";
import type { Media } from "../../platform/image-lookup.ts";
import type { Publishing } from "../../platform/publishing/publishing.ts";
import { DAILY_QUOTAS, type QuotaName } from "../../platform/quotas.ts";
import { WECHAT_ERRORS } from "../../wechat/errors.ts";
import { answer, choiceParameter, listAnswer, wrongParameter } from "../query.ts";
import { frameResponse } from "./article-frame.ts";
import { accountsFor, enterAccount, type MaterialAccess, mayChange } from "./material-access.ts";
import type { MaterialDesk } from "./material-desk.ts";
import {
  draftRowToWire,
  PLATFORM_BASE,
  publicAccountToWire,
  publicationToWire,
  valueText,
} from "./material-wire.ts";

interface MaterialServices extends MaterialAccess {
  readonly media: Media;
  readonly desk: MaterialDesk;
  readonly publishing: Pick<Publishing, "submit" | "find" | "massSend" | "list">;
  readonly audit: AuditLog;
  readonly clock: Clock;
  accountName(accountId: string): Promise<string | undefined>;
  /** The address that people use, where it is not the one that they called. */
  readonly publicUrl: string | undefined;
}

type Entered = Awaited<ReturnType<typeof enterAccount>> & { readonly call: Call };

const ACCOUNTS = "/api/platform/accounts";
const ACCOUNT = `${ACCOUNTS}/:appid`;
const DRAFT = `${ACCOUNT}/drafts/:id`;
const OFFSET_MAX = 1_000_000;
/** A publish takes about a second; who waits longer is told that it is under way. */
const PUBLISH_LOOKS = 30;
const PUBLISH_LOOK_MS = 100;
const VERSIONS = ["stored", "submitted"] as const;

/** The calls of a day that a person at the page wants to know about. */
const SHOWN_QUOTAS: readonly QuotaName[] = [
  "draft_add",
  "draft_update",
  "draft_get",
  "draft_batchget",
  "media_upload",
  "publish_submit",
  "mass_send",
];

function noDraft(): Fault {
  return new Fault("not_found", "There is no such draft.", { param: "id" });
}

/** Lists of the platform are paged by how many came before. */
function readOffset({ incoming }: Call): { offset: number; limit: number } {
  const { after = "0", limit } = readPage(incoming.url);
  const offset = Number(after);
  if (/^\d{1,7}$/.test(after) && offset <= OFFSET_MAX) return { offset, limit };
  throw wrongParameter("after", "'after' must be the 'next' of the page before.");
}

function nextOf(offset: number, limit: number, found: number): string | null {
  return found > limit ? String(offset + limit) : null;
}

async function draftOf({ platform }: MaterialServices, { account, call }: Entered) {
  const draft = await platform.draft(account.appid, call.incoming.params.id ?? "");
  if (!draft) throw noDraft();
  return draft;
}

async function listAccounts(services: MaterialServices, call: Call): Promise<Response> {
  const entries = await accountsFor(services, call);
  const shown = entries.map(async ({ account, accountId, role }) => ({
    ...publicAccountToWire(account),
    owner: accountId === null ? null : ((await services.accountName(accountId)) ?? null),
    may_change: mayChange(role),
  }));
  return listAnswer(await Promise.all(shown), null);
}

async function showAccount(
  { platform, clock, publishing }: MaterialServices,
  { account, role }: Entered,
): Promise<Response> {
  const { appid } = account;
  const nowMs = clock();
  const quotas = SHOWN_QUOTAS.map(async (name) => ({
    name,
    used: await platform.quotas.used(appid, name, nowMs),
    max: DAILY_QUOTAS[name],
  }));
  const [drafts, published] = await Promise.all([
    platform.box.count(appid),
    publishing.list(appid, 0, 1),
  ]);
  return answer({
    ...publicAccountToWire(account),
    may_change: mayChange(role),
    drafts,
    published: published.total,
    quotas: await Promise.all(quotas),
  });
}

async function coverOf({ media }: MaterialServices, appid: string, draft: BoxedDraft) {
  const [first] = draft.articles;
  const mediaId = first?.stored.thumb_media_id || imagesOf(first)[0];
  return mediaId ? (await media.findImage(appid, mediaId))?.path : undefined;
}

async function listDrafts(services: MaterialServices, { account, call }: Entered) {
  const { offset, limit } = readOffset(call);
  const { appid } = account;
  const drafts = await services.platform.drafts(appid, offset, limit + 1);
  const rows = drafts
    .slice(0, limit)
    .map(async (draft) => draftRowToWire(draft, await coverOf(services, appid, draft)));
  return listAnswer(await Promise.all(rows), nextOf(offset, limit, drafts.length));
}

async function listPublished({ publishing }: MaterialServices, { account, call }: Entered) {
  const { offset, limit } = readOffset(call);
  const { publications } = await publishing.list(account.appid, offset, limit + 1);
  return listAnswer(
    publications.slice(0, limit).map(publicationToWire),
    nextOf(offset, limit, publications.length),
  );
}

/** The media ids of the pictures that an article consists of. */
function imagesOf(article: BoxedArticle | undefined): readonly string[] {
  const list = article?.stored.image_info?.image_list;
  if (!Array.isArray(list)) return [];
  return list.flatMap((image) => valueText(image?.image_media_id) ?? []);
}

async function showFrame(services: MaterialServices, entered: Entered): Promise<Response> {
  const { searchParams } = entered.call.incoming.url;
  const version = choiceParameter(searchParams, "version", VERSIONS) ?? "stored";
  const draft = await draftOf(services, entered);
  const article = draft.articles[Number(searchParams.get("article") ?? 0)];
  if (!article) throw wrongParameter("article", "The draft has no such article.");
  const fields = article[version];
  const content = valueText(fields.content) ?? "";
  const found = await Promise.all(
    imagesOf(article).map((id) => services.media.findImage(entered.account.appid, id)),
  );
  const isNewspic = article.stored.article_type === "newspic";
  const html = await services.desk.frame(entered.account.appid, {
    title: valueText(fields.title) ?? "",
    author: valueText(fields.author) ?? "",
    content,
    isPlain: isNewspic && !/<[a-z!/]/i.test(content),
    pictures: found.flatMap((image) => (image?.path ? [`${PLATFORM_BASE}${image.path}`] : [])),
  });
  return frameResponse(html);
}

/** What the platform refuses, in its own words. */
function asFault(thrown: unknown): unknown {
  if (!(thrown instanceof Refusal)) return thrown;
  const { errcode } = thrown;
  if (errcode === 40007) return noDraft();
  const errmsg = WECHAT_ERRORS[errcode]?.errmsg ?? thrown.message;
  const words = `The platform refused it: ${errcode} ${errmsg}.`;
  return new Fault("platform_refused", words, { facts: { errcode, errmsg }, cause: thrown });
}

/** What a person does counts like a call, so that the numbers at the page are those of both. */
async function countCall({ platform, clock }: MaterialServices, appid: string, name: QuotaName) {
  if (!(await platform.quotas.count(appid, name, clock()))) throw new Refusal(45009);
}

/** The draft is in the box until its publish has ended, so the answer waits for that. */
async function publish(services: MaterialServices, entered: Entered) {
  const { publishing, publicUrl } = services;
  const { account, call } = entered;
  await countCall(services, account.appid, "publish_submit");
  const { params, url } = call.incoming;
  const origin = `${publicUrl ?? url.origin}${PLATFORM_BASE}`;
  const publishId = await publishing.submit(account, params.id ?? "", origin);
  for (let looks = 1; ; looks++) {
    const status = (await publishing.find(account.appid, publishId))?.status ?? 1;
    if (status !== 1 || looks === PUBLISH_LOOKS) return { publish_id: publishId, status };
    await Bun.sleep(PUBLISH_LOOK_MS);
  }
}

async function massSend(services: MaterialServices, { account, call }: Entered) {
  await countCall(services, account.appid, "mass_send");
  const { msgId } = await services.publishing.massSend(account, call.incoming.params.id ?? "");
  return { msg_id: msgId };
}

async function deleteDraft({ platform }: MaterialServices, { account, call }: Entered) {
  const mediaId = call.incoming.params.id ?? "";
  if (!(await platform.deleteDraft(account.appid, mediaId))) throw noDraft();
  return { media_id: mediaId, deleted: true };
}

type Read = (services: MaterialServices, entered: Entered) => Promise<Response>;
type Change = (services: MaterialServices, entered: Entered) => Promise<object>;

/** The platform's material management: what is in the boxes, and what becomes of it. */
export function materialRoutes(services: MaterialServices, guards: Guards): readonly Route[] {
  const entered = async (call: Call, least: Role) => ({
    ...(await enterAccount(services, call, least)),
    call,
  });
  const reads = (path: string, read: Read) =>
    guards.signedIn("GET", path, async (call) => read(services, await entered(call, "viewer")));
  const changes = (method: Route["method"], path: string, action: string, change: Change) =>
    guards.signedIn(method, path, async (call) => {
      const entry = await entered(call, "member");
      const done = await change(services, entry).catch((thrown) => {
        throw asFault(thrown);
      });
      const { accountId, account } = entry;
      const target = call.incoming.params.id ?? "";
      const detail = { appid: account.appid };
      await services.audit.write({ principal: call.principal, accountId, action, target, detail });
      return answer(done);
    });
  return [
    guards.signedIn("GET", ACCOUNTS, (call) => listAccounts(services, call)),
    reads(ACCOUNT, showAccount),
    reads(`${ACCOUNT}/drafts`, listDrafts),
    reads(`${ACCOUNT}/published`, listPublished),
    reads(DRAFT, async ({ desk }, entry) => {
      const draft = await draftOf(services, entry);
      return answer(await desk.draft(entry.account.appid, draft));
    }),
    reads(`${DRAFT}/frame`, showFrame),
    changes("POST", `${DRAFT}/mass-send`, "material.mass_send", massSend),
    changes("POST", `${DRAFT}/publish`, "material.publish", publish),
    changes("DELETE", DRAFT, "material.delete", deleteDraft),
  ];
}
