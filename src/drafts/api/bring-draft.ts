// What keys and agents do with drafts: an article comes in by a form, and goes into the box.
import { Fault } from "../../lib/faults.ts";
import type { ArticleDoc } from "../contract/article.ts";
import type { DraftForm, PreviewForm, UpdateForm } from "../contract/draft-form.ts";
import type { Draft, PublicAccount } from "../draft.ts";
import type { DraftService } from "../draft-service.ts";
import type { NewDraft } from "../kept-drafts.ts";
import { hasErrors, preflightFault } from "../preflight/problem.ts";
import { checkPublish } from "../publish/publishing.ts";
import type { PushOptions } from "../push/push-draft.ts";
import type { Ticket } from "../tables/keys.ts";
import { showWriting } from "../writing/show-writing.ts";
import { type WrittenArticle, writeArticle } from "../writing/write-article.ts";
import type { WritingRequest } from "../writing/writing-request.ts";
import { askedOnce, askWithTicket, type Once, requestSum } from "./asked-once.ts";
import {
  buildArticle,
  buildArticles,
  changeArticles,
  sourceOf,
  writingRequestOf,
} from "./build-articles.ts";
import type { Client, DraftServices } from "./client.ts";
import { bringingWords, withFacts } from "./paid-words.ts";
import { showDraft, showPreview, showReadBack, showReceipt } from "./show.ts";
import { publishNoted, pushNoted } from "./work/box-work.ts";
import { showWritten } from "./write-draft.ts";

/** Stands in for a text that is yet to be written, so that what is given can be judged before it is paid. */
function placeholder({ title = "…", digest = "" }: WritingRequest): WrittenArticle {
  return { title, digest, markdown: "…", coverIdea: "", calls: [] };
}

/** What is done with a draft beside pushing it, and how it came about. */
interface Ending {
  /** The version that the call is about: what somebody has typed since is not. */
  readonly version: number;
  readonly publish?: boolean | undefined;
  readonly coverIdea?: string | undefined;
  /** Somebody else was making it when this call came. */
  readonly joined?: boolean | undefined;
}

/** What a call with an article has made, whatever became of the draft since. */
const FIRST_VERSION = 1;

/** What only the first answer under a key would have otherwise, as it is kept with the key. */
function keepIdea(written: WrittenArticle | undefined): string | undefined {
  return written && JSON.stringify({ cover_idea: written.coverIdea });
}

function keptIdea(answer: string | null): string | undefined {
  return answer === null ? undefined : (JSON.parse(answer) as { cover_idea: string }).cover_idea;
}

/** The same fault, with what is known of the draft that it is about. */
function about(thrown: unknown, draft: Draft): unknown {
  if (!(thrown instanceof Fault)) return thrown;
  const writing = draft.writing.length > 0 ? { writing: showWriting(draft.writing) } : {};
  return withFacts(thrown, { draft_id: draft.id, ...writing });
}

/** Writes or takes an article, keeps it and brings it into the box. */
export async function addDraft(
  services: DraftServices,
  client: Client,
  form: DraftForm,
  idempotencyKey: string | undefined,
) {
  if (form.dry_run) return previewDraft(services, client, form, idempotencyKey);
  const { draftService } = services;
  const { accountId } = client;
  const account = await draftService.publicAccounts.find(accountId, form.account);
  if (form.publish) checkPublish(services, account, "publish");
  const source = sourceOf(form);
  // What can be refused is refused before a model is paid, and before anything is kept.
  const request = source === "brief" ? writingRequestOf(form) : undefined;
  const articles = buildArticles(form, request && placeholder(request));
  await judge(draftService, accountId, articles, account);
  const begun =
    idempotencyKey === undefined
      ? undefined
      : await draftService.begin(accountId, idempotencyKey, requestSum(form));
  const ending = { version: FIRST_VERSION, publish: form.publish };
  if (begun?.kind === "known") {
    const { draft, joined, answer } = begun;
    return finish(draftService, client, draft, { ...ending, joined, coverIdea: keptIdea(answer) });
  }
  const known = { account, ticket: begun?.ticket, articles };
  const { draft, written } = await keep(draftService, client, form, request, known);
  return finish(draftService, client, draft, { ...ending, coverIdea: written?.coverIdea });
}

/**
 * Rendered and judged; nothing is sent, or stored but what a model has written under a key: whoever comes with that again
 * brings the rest, and it is rendered anew. Only a brief costs what its model costs.
 */
export async function previewDraft(
  { draftService }: DraftServices,
  { accountId, ask }: Client,
  form: PreviewForm,
  key?: string,
) {
  const { id: publicAccount } = await draftService.publicAccounts.find(accountId, form.account);
  const show = async (articles: readonly ArticleDoc[]) =>
    showPreview(await draftService.preview(accountId, { articles, publicAccount }));
  if (sourceOf(form) !== "brief") return show(buildArticles(form));
  const asked = { accountId, purpose: "preview", form, key, ask };
  const words = await askedOnce(draftService, asked, (once) => writeFor(form, once));
  const article = buildArticle(form, words);
  const written = showWritten(words, article);
  return bringingWords(written, async () => ({ ...(await show([article])), written }));
}

/** A draft with its receipt and what the box has of it. */
export async function getDraft(
  { draftService }: DraftServices,
  { accountId }: Client,
  draftId: string,
) {
  const draft = await draftService.find(accountId, draftId);
  // Of what lies in the box, whatever became of pushes since.
  const done = (await draftService.pushes(accountId, draftId)).find(
    ({ state }) => state === "done",
  );
  const receipt = done?.receipt ? showReceipt(done.receipt, draft) : null;
  try {
    const read = await draftService.readBack(accountId, draftId);
    return { ...showDraft(read.draft), receipt, box: showReadBack(read) };
  } catch (thrown) {
    // The draft is ours to show, whatever has become of the platform.
    if (!(thrown instanceof Fault)) throw thrown;
    return { ...showDraft(draft), receipt, box: { error: thrown.toJson() } };
  }
}

/** Changes a draft here and, unless it is only tried, in the box. */
export async function updateDraft(
  { draftService }: DraftServices,
  client: Client,
  draftId: string,
  form: UpdateForm,
) {
  const { accountId, by } = client;
  const before = await draftService.find(accountId, draftId);
  const articles = changeArticles(before.articles, form);
  const publicAccount = before.publicAccountId;
  if (form.dry_run)
    return showPreview(await draftService.preview(accountId, { articles, publicAccount }));
  const account = await draftService.publicAccounts.find(accountId, publicAccount);
  await judge(draftService, accountId, articles, account);
  const base = form.base ?? before.version;
  const draft = await draftService.save(accountId, draftId, { articles, by, base });
  return finish(draftService, client, draft, { version: draft.version });
}

/** Takes up a push that was refused or whose outcome is unknown; it sends nothing twice. */
export async function retryDraft(
  { draftService }: DraftServices,
  client: Client,
  draftId: string,
  asNew: boolean,
) {
  return push(draftService, client, await draftService.find(client.accountId, draftId), { asNew });
}

async function judge(
  draftService: DraftService,
  accountId: string,
  articles: readonly ArticleDoc[],
  { id: publicAccount }: PublicAccount,
): Promise<void> {
  const { problems } = await draftService.preview(accountId, { articles, publicAccount });
  if (hasErrors(problems)) throw preflightFault(problems);
}

/** What a model writes for the brief of a form. What is given beside it is judged before that is paid. */
async function writeFor(form: DraftForm, { ask, keep }: Once): Promise<WrittenArticle> {
  const request = writingRequestOf(form);
  buildArticle(form, placeholder(request));
  const written = await writeArticle(ask, request);
  return bringingWords(showWritten(written, buildArticle(form, written)), () => keep(written));
}

/** An article that was paid for is kept, whatever the platform will say of it. */
async function keep(
  draftService: DraftService,
  { accountId, ask, by }: Client,
  form: DraftForm,
  request: WritingRequest | undefined,
  known: {
    readonly account: PublicAccount;
    readonly ticket: Ticket | undefined;
    readonly articles: readonly ArticleDoc[];
  },
): Promise<{ readonly draft: Draft; readonly written: WrittenArticle | undefined }> {
  const { account, ticket } = known;
  const create = async (articles: readonly ArticleDoc[], written?: WrittenArticle) => {
    const draft: NewDraft = {
      ...{ articles, by, publicAccount: account.id },
      ticket: ticket && { ...ticket, answer: keepIdea(written) },
      writing: written?.calls,
    };
    return { draft: await draftService.create(accountId, draft), written };
  };
  const make = async () => {
    if (!request) return create(known.articles);
    await draftService.checkRoom(accountId, known.articles);
    const written = await writeArticle(askWithTicket(draftService, ticket, ask), request);
    const article = buildArticle(form, written);
    return bringingWords(showWritten(written, article), () => create([article], written));
  };
  return ticket ? draftService.holding(ticket, make) : make();
}

async function finish(draftService: DraftService, client: Client, draft: Draft, ending: Ending) {
  const { version, publish, coverIdea, joined } = ending;
  const pushed = await push(draftService, client, draft, { version, joined });
  const idea = coverIdea === undefined ? {} : { cover_idea: coverIdea };
  if (!publish) return { ...pushed, ...idea };
  try {
    const published = await publishNoted(draftService, client, draft.id);
    return { ...pushed, ...showDraft(published), ...idea };
  } catch (thrown) {
    throw about(thrown, draft);
  }
}

async function push(
  draftService: DraftService,
  client: Client,
  draft: Draft,
  options: PushOptions,
) {
  try {
    const pushed = await pushNoted(draftService, client, draft.id, options);
    return { ...showDraft(pushed.draft), receipt: showReceipt(pushed.receipt, pushed.draft) };
  } catch (thrown) {
    throw about(thrown, draft);
  }
}
