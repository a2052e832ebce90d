import { Fault } from "../../lib/faults.ts";
import type { ArticleDoc } from "../contract/article.ts";
import type { Written } from "../contract/draft.ts";
import type { DraftForm, PreviewForm, UpdateForm } from "../contract/draft-form.ts";
import type { Draft, PublicAccount } from "../draft.ts";
import type { DraftBox } from "../draft-box.ts";
import type { NewDraft } from "../kept-drafts.ts";
import { hasErrors, preflightFault } from "../preflight/problem.ts";
import type { PushOptions } from "../push/push-draft.ts";
import { THEMES } from "../render/themes.ts";
import type { Ticket } from "../tables/keys.ts";
import type { AskModel } from "../writing/model-answer.ts";
import { type ShortenWish, shortenText } from "../writing/shorten.ts";
import { showWriting, writingCost } from "../writing/show-writing.ts";
import type { WritingWish } from "../writing/wish.ts";
import { type WrittenArticle, writeArticle } from "../writing/write-article.ts";
import { askedOnce, requestSum } from "./asked-once.ts";
import { buildArticle, buildArticles, changeArticles, sourceOf, wishOf } from "./build-articles.ts";
import { showDraft, showList, showPreview, showReadBack, showReceipt } from "./show.ts";

/** Somebody who works on drafts: whose they are, in whose name, and who pays for what a model writes. */
export interface Client {
  readonly accountId: string;
  /** In words: a person's address, or the name of a key. */
  readonly by: string;
  readonly ask: AskModel;
}

interface Parts {
  readonly box: DraftBox;
  readonly publishOn: boolean;
}

/** Stands in for a text that is yet to be written, so that the rest can be judged before it is paid. */
const PLACEHOLDER: WrittenArticle = {
  title: "…",
  digest: "",
  markdown: "…",
  coverIdea: "",
  calls: [],
};

interface Brought {
  readonly articles: readonly ArticleDoc[];
  /** What a model has written for it. */
  readonly written?: Written;
}

/** The draft that a model is asked for, if there is one already. */
interface ForDraft {
  readonly draft?: string | undefined;
}

/** Whether what is written becomes a draft, where it is not for one. */
interface Keeping {
  readonly keep?: boolean | undefined;
}

/** What is done with a draft beside pushing it, and how it came about. */
interface Ending {
  readonly publish?: boolean | undefined;
  readonly coverIdea?: string | undefined;
  /** Somebody else was making it when this call came. */
  readonly joined?: boolean | undefined;
}

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
  const { fault, message, param, headers, facts } = thrown;
  const writing = draft.writing.length > 0 ? { writing: showWriting(draft.writing) } : {};
  return new Fault(fault, message, {
    param: param ?? undefined,
    headers,
    facts: { draft_id: draft.id, ...writing, ...facts },
    cause: thrown,
  });
}

function showWritten(written: WrittenArticle, article: ArticleDoc): Written {
  return {
    object: "written_article",
    article,
    cover_idea: written.coverIdea,
    writing: showWriting(written.calls),
    writing_cost: writingCost(written.calls),
  };
}

export function showThemes() {
  return showList(
    THEMES.map(({ id, name, about: words, colours }, at) => ({
      ...{ id, name, about: words, colours, is_default: at === 0 },
    })),
  );
}

/** What every door does with drafts; what it returns is written as it is. */
export class DraftService {
  readonly #box: DraftBox;
  readonly #publishOn: boolean;

  constructor({ box, publishOn }: Parts) {
    this.#box = box;
    this.#publishOn = publishOn;
  }

  /** Writes or takes an article, keeps it and brings it into the box. */
  async add(client: Client, form: DraftForm, idempotencyKey: string | undefined) {
    if (form.dry_run) return this.preview(client, form);
    const { accountId } = client;
    const account = await this.#box.publicAccounts.find(accountId, form.account);
    if (form.publish) this.#checkPublish(account);
    const source = sourceOf(form);
    // What can be refused is refused before a model is paid, and before anything is kept.
    const articles = buildArticles(form, source === "brief" ? PLACEHOLDER : undefined);
    const wish = source === "brief" ? wishOf(form) : undefined;
    await this.#judge(accountId, articles, account);
    const begun =
      idempotencyKey === undefined
        ? undefined
        : await this.#box.begin(accountId, idempotencyKey, requestSum(form));
    const { publish } = form;
    if (begun?.kind === "known") {
      const { draft, joined, answer } = begun;
      return this.#finish(client, draft, { publish, joined, coverIdea: keptIdea(answer) });
    }
    const ticket = begun?.ticket;
    const { draft, written } = await this.#keep(client, form, wish, { account, ticket, articles });
    return this.#finish(client, draft, { publish, coverIdea: written?.coverIdea });
  }

  /** Rendered and judged; nothing is stored or sent. Only a brief costs what its model costs. */
  async preview(client: Client, form: PreviewForm) {
    const { id: publicAccount } = await this.#box.publicAccounts.find(
      client.accountId,
      form.account,
    );
    const { articles, ...written } = await this.#bring(client, form);
    const preview = await this.#box.preview(client.accountId, { articles, publicAccount });
    return { ...showPreview(preview), ...written };
  }

  /** Has an article written, and keeps nothing but the receipt of the call unless it is told to. */
  async write(
    { accountId, ask, by }: Client,
    wish: WritingWish & ForDraft & Keeping,
    key: string | undefined,
  ) {
    const { draft: draftId, keep } = wish;
    if (draftId !== undefined) await this.#box.find(accountId, draftId);
    return askedOnce(this.#box, { accountId, purpose: "write", form: wish, key }, async () => {
      const written = await writeArticle(ask, wish);
      const { calls: writing } = written;
      if (draftId !== undefined) await this.#box.wrote(accountId, draftId, writing);
      const article = buildArticle({ brief: wish.brief }, written);
      const shown = showWritten(written, article);
      if (!keep || draftId !== undefined) return shown;
      const draft = await this.#box.create(accountId, { articles: [article], by, writing });
      return { ...shown, draft_id: draft.id };
    });
  }

  /** Has a text shortened, and keeps nothing but the receipt of the call. */
  async shorten({ accountId, ask }: Client, wish: ShortenWish & ForDraft, key: string | undefined) {
    const { draft: draftId } = wish;
    if (draftId !== undefined) await this.#box.find(accountId, draftId);
    return askedOnce(this.#box, { accountId, purpose: "shorten", form: wish, key }, async () => {
      const { text, call } = await shortenText(ask, wish);
      if (draftId !== undefined) await this.#box.wrote(accountId, draftId, [call]);
      return { object: "shortened_text" as const, text, writing: showWriting([call]) };
    });
  }

  async get({ accountId }: Client, draftId: string) {
    const draft = await this.#box.find(accountId, draftId);
    const [latest] = await this.#box.pushes(accountId, draftId);
    const receipt = latest?.receipt ? showReceipt(latest.receipt, draft) : null;
    try {
      const read = await this.#box.readBack(accountId, draftId);
      return { ...showDraft(read.draft), receipt, box: showReadBack(read) };
    } catch (thrown) {
      // The draft is ours to show, whatever has become of the platform.
      if (!(thrown instanceof Fault)) throw thrown;
      return { ...showDraft(draft), receipt, box: { error: thrown.toWire() } };
    }
  }

  /** Changes a draft here and, unless it is only tried, in the box. */
  async update(client: Client, draftId: string, form: UpdateForm) {
    const { accountId, by } = client;
    const before = await this.#box.find(accountId, draftId);
    const articles = changeArticles(before.articles, form);
    const publicAccount = before.publicAccountId;
    if (form.dry_run) {
      return showPreview(await this.#box.preview(accountId, { articles, publicAccount }));
    }
    const account = await this.#box.publicAccounts.find(accountId, publicAccount);
    await this.#judge(accountId, articles, account);
    const base = form.base ?? before.version;
    const draft = await this.#box.save(accountId, draftId, { articles, by, base });
    return this.#finish(client, draft, {});
  }

  /** Takes up a push that was refused or whose outcome is unknown; it sends nothing twice. */
  async retry(client: Client, draftId: string, asNew: boolean) {
    const draft = await this.#box.find(client.accountId, draftId);
    return this.#push(client, draft, { asNew });
  }

  async publish(client: Client, draftId: string) {
    return showDraft(await this.#box.publish(client.accountId, draftId));
  }

  #checkPublish(account: PublicAccount): void {
    if (this.#publishOn && account.publishAllowed) return;
    const message = this.#publishOn
      ? "Publishing is not allowed for this public account."
      : "Publishing is off here; the operator can set FAREGATE_DRAFTS_PUBLISH=on.";
    throw new Fault("permission_denied", message, { param: "publish" });
  }

  async #judge(
    accountId: string,
    articles: readonly ArticleDoc[],
    account: PublicAccount,
  ): Promise<void> {
    const { problems } = await this.#box.preview(accountId, {
      articles,
      publicAccount: account.id,
    });
    if (hasErrors(problems)) throw preflightFault(problems);
  }

  async #bring(client: Client, form: DraftForm): Promise<Brought> {
    if (sourceOf(form) !== "brief") return { articles: buildArticles(form) };
    buildArticle(form, PLACEHOLDER);
    const written = await writeArticle(client.ask, wishOf(form));
    const article = buildArticle(form, written);
    return { articles: [article], written: showWritten(written, article) };
  }

  /** An article that was paid for is kept, whatever the platform will say of it. */
  async #keep(
    client: Client,
    form: DraftForm,
    wish: WritingWish | undefined,
    known: {
      readonly account: PublicAccount;
      readonly ticket: Ticket | undefined;
      readonly articles: readonly ArticleDoc[];
    },
  ): Promise<{ readonly draft: Draft; readonly written: WrittenArticle | undefined }> {
    const { account, ticket } = known;
    const make = async () => {
      const written = wish && (await writeArticle(client.ask, wish));
      const articles = written ? buildArticles(form, written) : known.articles;
      const draft: NewDraft = {
        ...{ articles, by: client.by, publicAccount: account.id },
        ticket: ticket && { ...ticket, answer: keepIdea(written) },
        writing: written?.calls,
      };
      return { draft: await this.#box.create(client.accountId, draft), written };
    };
    return ticket ? this.#box.holding(ticket, make) : make();
  }

  async #finish(client: Client, draft: Draft, ending: Ending) {
    const { publish, coverIdea, joined } = ending;
    const pushed = await this.#push(client, draft, { joined });
    const idea = coverIdea === undefined ? {} : { cover_idea: coverIdea };
    if (!publish) return { ...pushed, ...idea };
    try {
      const published = await this.#box.publish(client.accountId, draft.id);
      return { ...pushed, ...showDraft(published), ...idea };
    } catch (thrown) {
      throw about(thrown, draft);
    }
  }

  async #push(client: Client, draft: Draft, options: PushOptions) {
    try {
      const pushed = await this.#box.push(client.accountId, draft.id, options);
      return { ...showDraft(pushed.draft), receipt: showReceipt(pushed.receipt, pushed.draft) };
    } catch (thrown) {
      throw about(thrown, draft);
    }
  }
}
