import { type Clock, every as everyOfClock } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import type { Vault } from "../lib/secrets/vault.ts";
import type { Log } from "../telemetry/log.ts";
import type { Workshop } from "./article/workshop.ts";
import { BoxKeeper, type Pushed, type PushOptions } from "./box-keeper.ts";
import type { ArticleDoc } from "./contract/article.ts";
import { type Diagnosis, examine } from "./doctor.ts";
import type { Draft, DraftVersion, PublicAccount, Push, WritingCall } from "./draft.ts";
import { type DraftEdit, DraftShelf, type NewDraft } from "./draft-shelf.ts";
import { clientFor as openClient } from "./platform-api/platform-client.ts";
import { type PlatformFetch, PlatformWire } from "./platform-api/platform-wire.ts";
import { Tokens } from "./platform-api/tokens.ts";
import { PublicAccounts } from "./public-accounts.ts";
import { Publishing } from "./publish/publishing.ts";
import { type Begun, DraftKeys } from "./push/draft-keys.ts";
import { Errands } from "./push/errands.ts";
import { Importing } from "./push/importing.ts";
import type { Every, WaitingCalls } from "./push/leases.ts";
import { Lookout } from "./push/lookout.ts";
import { Preparing, type PreviewForAccount } from "./push/preparing.ts";
import { Pushes } from "./push/pushes.ts";
import type { ReadBack, RemotePage } from "./push/read-back.ts";
import { Removal } from "./push/removal.ts";
import type { Ticket } from "./tables/keys.ts";
import type { DraftBoxStore } from "./tables/open.ts";

interface DraftBoxParts {
  readonly store: DraftBoxStore;
  readonly vault: Vault;
  readonly workshop: Workshop;
  /** Calls the platform; what is private is refused, but for the built-in platform. */
  readonly fetch: PlatformFetch;
  /** The proxy that the operator has set for a platform, by which accounts without one are called. */
  readonly usualProxy?: (platformUrl: string) => string | undefined;
  /** The built-in platform's account of a Faregate account; absent where that platform is off. */
  readonly openSandbox:
    | ((accountId: string) => Promise<{ appid: string; secret: string }>)
    | undefined;
  /** Where the built-in platform listens; undefined where it is off. */
  readonly builtInUrl: () => string | undefined;
  /** Where people see the built-in platform, if that is not where it is called. */
  readonly builtInPublicUrl?: string | undefined;
  /** Where new public accounts are that name no place; null for the built-in platform. */
  readonly platformUrl: string | null;
  readonly publishOn: boolean;
  readonly limits: {
    readonly draft_call_ms: number;
    readonly draft_upload_ms: number;
    readonly draft_answer_bytes_max: number;
    readonly draft_busy_wait_ms: number;
    readonly draft_chars_max: number;
    readonly draft_look_ms: number;
    readonly idempotency_keep_ms: number;
  };
  readonly clock: Clock;
  /** By the clock that all processes share, for what one of them takes for a while. */
  readonly sharedTime: () => Promise<number>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly waiting?: WaitingCalls;
  /** The clock's own where absent. */
  readonly every?: Every;
  readonly log: Log;
}

/**
 * Drafts of an account and the boxes they lie in. Every method throws a `Fault` for what a caller
 * can be told: `not_found`, `preflight_failed` (with `problems`), `platform_refused` (with the
 * platform's words), `platform_unknown`, `push_busy`, `idempotency_conflict`, `edit_conflict`,
 * `upstream_unavailable` where the platform was not reached and nothing was sent.
 */
export interface DraftBox {
  readonly publicAccounts: PublicAccounts;

  /** Rendered, filtered as the platform will, and judged; nothing is called. */
  preview(
    accountId: string,
    request: {
      readonly articles: readonly ArticleDoc[];
      readonly publicAccount?: string | undefined;
    },
  ): Promise<PreviewForAccount>;

  /**
   * Takes an `Idempotency-Key`: whoever gets a ticket creates the draft with it, while holding it.
   * A key that has its draft leads to it; push that one again, which sends nothing twice. Whoever has
   * waited for somebody else's ticket is thrown what that one has failed with.
   */
  begin(accountId: string, key: string, requestSum: string): Promise<Begun>;
  holding<T>(ticket: Ticket, work: () => Promise<T>): Promise<T>;
  /** The same for work that makes no draft: it is done once, and its outcome kept as JSON for a while. */
  once<T>(
    claim: { readonly accountId: string; readonly key: string; readonly requestSum: string },
    work: () => Promise<T>,
  ): Promise<T>;

  /** Calls of a model that were made for this draft, for its receipt. */
  wrote(accountId: string, draftId: string, calls: readonly WritingCall[]): Promise<void>;
  /** A draft that is nowhere but here. */
  create(accountId: string, draft: NewDraft): Promise<Draft>;
  /** Autosave: a new version of the working copy, local only. Refused when `base` is not the newest. */
  save(accountId: string, draftId: string, edit: DraftEdit): Promise<Draft>;
  /**
   * Brings the newest version into the box: adds it, or updates what is there. What is there already
   * is only looked at. An unknown outcome is first resolved by reading the box. Of several who push
   * it at once one does, and all are told what came of it.
   */
  push(accountId: string, draftId: string, options?: PushOptions): Promise<Pushed>;

  find(accountId: string, draftId: string): Promise<Draft>;
  /** Newest first, one more than `limit` where there is a next page. */
  list(accountId: string, after: string | undefined, limit: number): Promise<readonly Draft[]>;
  versions(accountId: string, draftId: string): Promise<readonly DraftVersion[]>;
  version(accountId: string, draftId: string, version: number): Promise<DraftVersion>;
  pushes(accountId: string, draftId: string): Promise<readonly Push[]>;

  /**
   * Finds out what people have done with the account's drafts on the platform: published or gone. How
   * many are not what they were. The platform is asked once in a while only.
   */
  look(accountId: string): Promise<number>;
  /** What the box has under this draft now, beside what was sent. */
  readBack(accountId: string, draftId: string): Promise<ReadBack>;
  /** Deletes it here and all that it has put into the box. Waits for a push that runs. */
  remove(accountId: string, draftId: string): Promise<void>;
  /** Off unless the installation and the public account allow it. */
  publish(accountId: string, draftId: string): Promise<Draft>;

  /** What lies in the box itself, whoever put it there. */
  listBox(
    accountId: string,
    publicAccount: string | undefined,
    page: { readonly offset: number; readonly count: number },
  ): Promise<RemotePage>;
  countBox(accountId: string, publicAccount: string | undefined): Promise<number>;
  /**
   * A draft of the box as one of ours, for editing. The same one when it is known already; `push_busy`
   * when it may be what a push has put there that is not over.
   */
  importDraft(
    accountId: string,
    publicAccount: string | undefined,
    mediaId: string,
    by: string,
  ): Promise<Draft>;

  /** Credential, address, rights and quota of a public account, without changing anything. */
  doctor(accountId: string, publicAccount: string | undefined): Promise<Diagnosis>;
  /** Finishes pushes that a process which ended has left. At the start, and now and then. */
  recover(): Promise<void>;
}

function openParts(parts: DraftBoxParts) {
  const { store, vault, workshop, builtInUrl, limits, clock, sleep, log } = parts;
  const wire = new PlatformWire(parts.fetch, limits, clock);
  const callMs = limits.draft_call_ms;
  const tokens = new Tokens({
    ...{ wire, vault, clock, sleep, callMs },
    store: store.tokens,
    grants: store.grants,
  });
  const clientFor = (account: PublicAccount) => {
    const client = openClient({ wire, tokens, vault, builtInUrl }, account);
    if (client) return client;
    throw new Fault("upstream_unavailable", "The built-in platform is switched off.");
  };
  const { openSandbox, platformUrl } = parts;
  const publicAccounts = new PublicAccounts({
    ...{ vault, clock, openSandbox, platformUrl },
    store: store.publicAccounts,
    grants: store.grants,
  });
  const builtInUrls = () =>
    [builtInUrl(), parts.builtInPublicUrl].filter((url) => url !== undefined);
  const preparing = new Preparing(workshop, builtInUrls);
  const busyWaitMs = limits.draft_busy_wait_ms;
  const every = parts.every ?? everyOfClock;
  const waiting = parts.waiting ?? { draftCallsWaiting: 0 };
  const shared = { clock, sleep, every, waiting, busyWaitMs, publicAccounts, clientFor };
  const charsMax = limits.draft_chars_max;
  const shelf = new DraftShelf({ ...shared, charsMax, store: store.drafts });
  const keepMs = limits.idempotency_keep_ms;
  const keys = new DraftKeys({
    ...shared,
    sharedTime: parts.sharedTime,
    shelf,
    keepMs,
    store: store.keys,
  });
  const pushes = new Pushes({ ...shared, store, workshop, preparing, log });
  const errands = new Errands({ ...shared, store: store.errands, pushes });
  const lookout = new Lookout({ ...shared, store, shelf, lookMs: limits.draft_look_ms });
  const keeper = new BoxKeeper({ ...shared, store, shelf, pushes, lookout });
  const removal = new Removal({ ...shared, store, shelf, errands, workshop });
  const importing = new Importing({ ...shared, store, shelf, workshop });
  const isOn = parts.publishOn;
  const desks = { ...shared, store: store.drafts, shelf, errands, lookout, isOn };
  const publishing = new Publishing(desks);
  const boxes = { lookout, keeper, importing, removal, publishing };
  return { ...shared, ...boxes, preparing, shelf, keys, pushes };
}

export function openDraftBox(parts: DraftBoxParts): DraftBox {
  const opened = openParts(parts);
  const { publicAccounts, preparing, shelf, keys, pushes } = opened;
  const { lookout, keeper, importing, removal, publishing } = opened;
  return {
    publicAccounts,
    async preview(accountId, { articles, publicAccount }) {
      const account = await publicAccounts.find(accountId, publicAccount);
      return preparing.preview(articles, account);
    },
    begin: (accountId, key, requestSum) => keys.begin(accountId, key, requestSum),
    holding: (ticket, work) => keys.hold(ticket, work),
    once: (claim, work) => keys.once(claim, work),
    wrote: (accountId, draftId, calls) => shelf.wrote(accountId, draftId, calls),
    create: (accountId, draft) => shelf.create(accountId, draft),
    save: (accountId, draftId, edit) => shelf.save(accountId, draftId, edit),
    push: (accountId, draftId, options) => keeper.push(accountId, draftId, options),
    find: (accountId, draftId) => shelf.find(accountId, draftId),
    list: (accountId, after, limit) => shelf.list(accountId, after, limit),
    versions: (accountId, draftId) => shelf.versions(accountId, draftId),
    version: (accountId, draftId, version) => shelf.version(accountId, draftId, version),
    pushes: (accountId, draftId) => keeper.pushList(accountId, draftId),
    look: (accountId) => lookout.look(accountId),
    readBack: (accountId, draftId) => keeper.readBack(accountId, draftId),
    remove: (accountId, draftId) => removal.remove(accountId, draftId),
    publish: (accountId, draftId) => publishing.publish(accountId, draftId),
    listBox: (accountId, name, page) => keeper.listBox(accountId, name, page),
    countBox: (accountId, name) => keeper.countBox(accountId, name),
    importDraft: (accountId, name, mediaId, by) =>
      importing.importDraft(accountId, name, mediaId, by),
    async doctor(accountId, name) {
      const account = await publicAccounts.find(accountId, name);
      const client = opened.clientFor(account);
      const usual = parts.usualProxy?.(client.platformUrl);
      const proxy = account.access?.proxyOrigin ?? (usual && new URL(usual).origin);
      return examine(account, client, { publishOn: parts.publishOn, proxy });
    },
    async recover() {
      const finished = await pushes.recover();
      if (finished > 0) parts.log.warn("draft_pushes_recovered", { finished });
    },
  };
}
