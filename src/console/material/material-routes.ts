import type { AuditLog } from "../../accounts/audit.ts";
import type { Call, CallOf, Guards } from "../../accounts/guards.ts";
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/faults.ts";
import { listBody, shownList } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import type { BoxedArticle, BoxedDraft } from "../../platform/draftbox/draft.ts";
import type { Media } from "../../platform/image-lookup.ts";
import { PlatformError } from "../../platform/platform-error.ts";
import type { Publishing } from "../../platform/publishing/publishing.ts";
import { DAILY_QUOTAS, type QuotaName } from "../../platform/quotas.ts";
import { WECHAT_ERRORS } from "../../wechat/errors.ts";
import {
  DELETE_BOXED,
  LIST_BOX,
  LIST_PUBLIC_ACCOUNTS,
  LIST_PUBLISHED,
  MASS_SEND,
  PUBLISH_DRAFT,
  SHOW_BOXED,
  SHOW_FRAME,
  SHOW_PUBLIC_ACCOUNT,
  SHOWN_QUOTAS,
} from "../contract/material.ts";
import { wrongParameter } from "../query.ts";
import { frameResponse } from "./article-frame.ts";
import {
  accountsFor,
  type Entry,
  enterAccount,
  type MaterialAccess,
  mayChange,
} from "./material-access.ts";
import {
  draftRowToJson,
  PLATFORM_BASE,
  publicAccountToJson,
  publicationToJson,
  valueText,
} from "./material-json.ts";
import type { MaterialThreads } from "./material-threads.ts";

interface MaterialServices extends MaterialAccess {
  readonly media: Media;
  readonly threads: MaterialThreads;
  readonly publishing: Pick<Publishing, "submit" | "find" | "massSend" | "list">;
  readonly audit: AuditLog;
  readonly clock: Clock;
  accountName(accountId: string): Promise<string | undefined>;
  /** The address that people use, where it is not the one that they called. */
  readonly publicUrl: string | undefined;
}

type Entered = Call & Entry;

const OFFSET_MAX = 1_000_000;
/** A publish takes about a second; who waits longer is told that it is under way. */
const PUBLISH_LOOKS = 30;
const PUBLISH_LOOK_MS = 100;

function noDraft(): Fault {
  return new Fault("not_found", "There is no such draft.", { param: "id" });
}

/** Lists of the platform are paged by how many came before. */
function readOffset(call: CallOf<typeof LIST_BOX | typeof LIST_PUBLISHED>) {
  const { after = "0", limit } = call.query();
  const offset = Number(after);
  if (/^\d{1,7}$/.test(after) && offset <= OFFSET_MAX) return { offset, limit };
  throw wrongParameter("after", "'after' must be the 'next' of the page before.");
}

async function draftOf({ platform }: MaterialServices, { account, incoming }: Entered) {
  const draft = await platform.box.find(account.appid, incoming.params.id ?? "");
  if (!draft) throw noDraft();
  return draft;
}

async function showDraft(services: MaterialServices, call: Entered) {
  return services.threads.draft(call.account.appid, await draftOf(services, call));
}

async function listAccounts(services: MaterialServices, call: Call) {
  const entries = await accountsFor(services, call);
  const shown = entries.map(async ({ account, accountId, role }) => ({
    ...publicAccountToJson(account),
    owner: accountId === null ? null : ((await services.accountName(accountId)) ?? null),
    may_change: mayChange(role),
  }));
  return shownList(await Promise.all(shown));
}

async function showAccount(
  { platform, clock, publishing }: MaterialServices,
  { account, role }: Entered,
) {
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
  return {
    ...publicAccountToJson(account),
    may_change: mayChange(role),
    drafts,
    published: published.total,
    quotas: await Promise.all(quotas),
  };
}

async function coverOf({ media }: MaterialServices, appid: string, draft: BoxedDraft) {
  const [first] = draft.articles;
  const mediaId = first?.stored.thumb_media_id || imagesOf(first)[0];
  return mediaId ? (await media.findImage(appid, mediaId))?.path : undefined;
}

async function listDrafts(services: MaterialServices, call: CallOf<typeof LIST_BOX, Entered>) {
  const { offset, limit } = readOffset(call);
  const { appid } = call.account;
  const drafts = await services.platform.box.list(appid, offset, limit + 1);
  const show = async (draft: BoxedDraft) =>
    draftRowToJson(draft, await coverOf(services, appid, draft));
  const list = listBody(drafts, limit, () => String(offset + limit), show);
  return { ...list, data: await Promise.all(list.data) };
}

async function listPublished(
  { publishing }: MaterialServices,
  call: CallOf<typeof LIST_PUBLISHED, Entered>,
) {
  const { offset, limit } = readOffset(call);
  const { publications } = await publishing.list(call.account.appid, offset, limit + 1);
  return listBody(publications, limit, () => String(offset + limit), publicationToJson);
}

/** The media ids of the pictures that an article consists of. */
function imagesOf(article: BoxedArticle | undefined): readonly string[] {
  const list = article?.stored.image_info?.image_list;
  if (!Array.isArray(list)) return [];
  return list.flatMap((image) => valueText(image?.image_media_id) ?? []);
}

async function showFrame(services: MaterialServices, call: CallOf<typeof SHOW_FRAME, Entered>) {
  const { version, article: index } = call.query();
  const draft = await draftOf(services, call);
  const article = draft.articles[Number(index)];
  if (!article) throw wrongParameter("article", "The draft has no such article.");
  const fields = article[version];
  const content = valueText(fields.content) ?? "";
  const found = await Promise.all(
    imagesOf(article).map((id) => services.media.findImage(call.account.appid, id)),
  );
  const isNewspic = article.stored.article_type === "newspic";
  const html = await services.threads.frame(call.account.appid, {
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
  if (!(thrown instanceof PlatformError)) return thrown;
  const { errcode } = thrown;
  if (errcode === 40007) return noDraft();
  const errmsg = WECHAT_ERRORS[errcode]?.errmsg ?? thrown.message;
  const words = `The platform refused it: ${errcode} ${errmsg}.`;
  return new Fault("platform_refused", words, { facts: { errcode, errmsg }, cause: thrown });
}

/** What a person does counts like a call, so that the numbers at the page are those of both. */
async function countCall({ platform, clock }: MaterialServices, appid: string, name: QuotaName) {
  if (!(await platform.quotas.count(appid, name, clock()))) throw new PlatformError(45009);
}

/** The draft is in the box until its publish has ended, so the answer waits for that. */
async function publish(services: MaterialServices, { account, incoming }: Entered) {
  const { publishing, publicUrl } = services;
  await countCall(services, account.appid, "publish_submit");
  const { params, url } = incoming;
  const origin = `${publicUrl ?? url.origin}${PLATFORM_BASE}`;
  const publishId = await publishing.submit(account, params.id ?? "", origin);
  for (let looks = 1; ; looks++) {
    const status = (await publishing.find(account.appid, publishId))?.status ?? 1;
    if (status !== 1 || looks === PUBLISH_LOOKS) return { publish_id: publishId, status };
    await Bun.sleep(PUBLISH_LOOK_MS);
  }
}

async function massSend(services: MaterialServices, { account, incoming }: Entered) {
  await countCall(services, account.appid, "mass_send");
  const { msgId } = await services.publishing.massSend(account, incoming.params.id ?? "");
  return { msg_id: msgId };
}

async function deleteDraft({ platform }: MaterialServices, { account, incoming }: Entered) {
  const mediaId = incoming.params.id ?? "";
  if (!(await platform.box.remove(account.appid, mediaId))) throw noDraft();
  return { media_id: mediaId, deleted: true as const };
}

/** The platform's material management: what is in the boxes, and what becomes of it. */
export function materialRoutes(services: MaterialServices, guards: Guards): readonly Route[] {
  const seen = <Of extends Call>(call: Of) => enterAccount(services, call, "viewer");
  const changed = async <Done>(
    call: Call,
    action: string,
    change: (services: MaterialServices, entered: Entered) => Promise<Done>,
  ): Promise<Done> => {
    const entered = await enterAccount(services, call, "member");
    const done = await change(services, entered).catch((thrown) => {
      throw asFault(thrown);
    });
    const { accountId, account, principal } = entered;
    const target = call.incoming.params.id ?? "";
    const detail = { appid: account.appid };
    await services.audit.write({ principal, accountId, action, target, detail });
    return done;
  };
  return [
    guards.signedIn(LIST_PUBLIC_ACCOUNTS, (call) => listAccounts(services, call)),
    guards.signedIn(SHOW_PUBLIC_ACCOUNT, async (call) => showAccount(services, await seen(call))),
    guards.signedIn(LIST_BOX, async (call) => listDrafts(services, await seen(call))),
    guards.signedIn(LIST_PUBLISHED, async (call) => listPublished(services, await seen(call))),
    guards.signedIn(SHOW_BOXED, async (call) => showDraft(services, await seen(call))),
    guards.signedIn(SHOW_FRAME, async (call) => showFrame(services, await seen(call))),
    guards.signedIn(MASS_SEND, (call) => changed(call, "material.mass_send", massSend)),
    guards.signedIn(PUBLISH_DRAFT, (call) => changed(call, "material.publish", publish)),
    guards.signedIn(DELETE_BOXED, (call) => changed(call, "material.delete", deleteDraft)),
  ];
}
