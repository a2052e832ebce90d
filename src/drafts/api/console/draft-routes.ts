import type { AccountCall, AccountCallOf, Guards } from "../../../accounts/guards.ts";
import { Fault } from "../../../lib/faults.ts";
import { shownList } from "../../../lib/listing.ts";
import type { Route } from "../../../lib/route.ts";
import type { ImageRef } from "../../contract/article.ts";
import {
  DELETE_DRAFT,
  LIST_PUSHES,
  LIST_VERSIONS,
  PUBLISH_DRAFT,
  PUSH_DRAFT,
  READ_BACK,
  SAVE_DRAFT,
  SHOW_COVER,
  SHOW_DRAFT,
  SHOW_FRAME,
  SHOW_VERSION,
} from "../../contract/console-drafts.ts";
import type { Draft } from "../../draft.ts";
import { framePage } from "../frame.ts";
import { accountRoutes } from "../sent.ts";
import type { ConsoleDoorServices } from "../services.ts";
import {
  showDeleted,
  showDraft,
  showPush,
  showReadBack,
  showReceipt,
  showVersion,
  showVersionLine,
} from "../show.ts";
import { publishNoted, pushNoted, removeNoted } from "../work/box-work.ts";
import { coverPicture } from "./cover.ts";
import { doerOf } from "./doer.ts";

function idOf({ incoming }: AccountCall): string {
  return incoming.params.id ?? "";
}

function versionOf({ incoming }: AccountCall): number {
  const { version = "" } = incoming.params;
  if (/^\d{1,6}$/.test(version)) return Number(version);
  throw new Fault("invalid_value", "version must be a whole number.", { param: "version" });
}

/** Typing on replaces versions: whoever still asks for such a one sees what has replaced it. */
function newestFor(thrown: unknown, draft: Draft): Draft {
  if (thrown instanceof Fault && thrown.fault === "not_found") return draft;
  throw thrown;
}

type ShownCall = AccountCallOf<typeof SHOW_FRAME>;

/** Which articles `?version=` means, and which of them `?article=`. */
async function shownArticles({ draftService }: ConsoleDoorServices, call: ShownCall) {
  const { accountId } = call;
  const draft = await draftService.find(accountId, idOf(call));
  const { version = draft.version, article: index } = call.query();
  const { articles } =
    version === draft.version
      ? draft
      : await draftService
          .version(accountId, draft.id, version)
          .catch((thrown) => newestFor(thrown, draft));
  const doc = articles[index];
  if (doc) return { draft, articles, index, doc };
  throw new Fault("not_found", "The draft has no such article.", { param: "article" });
}

function addressOf(ref: ImageRef): readonly string[] {
  if ("url" in ref) return [ref.url];
  return "data" in ref ? [ref.data] : [];
}

async function frame(services: ConsoleDoorServices, call: ShownCall): Promise<Response> {
  const { draft, articles, index, doc } = await shownArticles(services, call);
  call.incoming.keepOpen();
  const preview = await services.draftService.preview(call.accountId, {
    articles,
    publicAccount: draft.publicAccountId,
  });
  const article = preview.articles[index];
  if (!article) throw new Fault("not_found", "The draft has no such article.");
  const isPictures = doc.type === "newspic";
  return framePage(article, isPictures ? (doc.images ?? []).flatMap(addressOf) : undefined);
}

async function cover(services: ConsoleDoorServices, call: ShownCall): Promise<Response> {
  const { draftService, imagesFor } = services;
  const { draft, doc } = await shownArticles(services, call);
  const account = await draftService.publicAccounts.find(call.accountId, draft.publicAccountId);
  call.incoming.keepOpen();
  return coverPicture(imagesFor(call.accountId), doc, account);
}

async function push(services: ConsoleDoorServices, call: AccountCallOf<typeof PUSH_DRAFT>) {
  const form = await call.body();
  call.incoming.keepOpen();
  const options = { asNew: form.as_new ?? false };
  const pushed = await pushNoted(
    services.draftService,
    doerOf(services, call),
    idOf(call),
    options,
  );
  const { draft, receipt, push: row } = pushed;
  return {
    ...showDraft(draft),
    receipt: showReceipt(receipt, draft),
    push: showPush(row, draft),
  };
}

function readRoutes(services: ConsoleDoorServices, guards: Guards): readonly Route[] {
  const { draftService } = services;
  const route = accountRoutes(services, guards);
  return [
    route(SHOW_DRAFT, "viewer", async (call) =>
      showDraft(await draftService.find(call.accountId, idOf(call))),
    ),
    route(LIST_VERSIONS, "viewer", async (call) =>
      shownList((await draftService.versions(call.accountId, idOf(call))).map(showVersionLine)),
    ),
    route(SHOW_VERSION, "viewer", async (call) => {
      const version = versionOf(call);
      return showVersion(await draftService.version(call.accountId, idOf(call), version));
    }),
    route(LIST_PUSHES, "viewer", async (call) => {
      const draft = await draftService.find(call.accountId, idOf(call));
      const pushes = await draftService.pushes(call.accountId, draft.id);
      return shownList(pushes.map((row) => showPush(row, draft)));
    }),
    route(READ_BACK, "viewer", async (call) => {
      call.incoming.keepOpen();
      const found = await draftService.readBack(call.accountId, idOf(call));
      return { ...showReadBack(found), draft: showDraft(found.draft) };
    }),
    route(SHOW_FRAME, { least: "viewer", counted: "frame" }, (call) => frame(services, call)),
    route(SHOW_COVER, { least: "viewer", counted: "cover" }, (call) => cover(services, call)),
  ];
}

/** One draft of the console. */
export function draftConsoleRoutes(
  services: ConsoleDoorServices,
  guards: Guards,
): readonly Route[] {
  const { draftService } = services;
  const route = accountRoutes(services, guards);
  return [
    ...readRoutes(services, guards),
    route(SAVE_DRAFT, { least: "member", counted: "save" }, async (call) => {
      const { accountId, principal } = call;
      const { account, ...edit } = await call.body();
      const change = { ...edit, by: principal.name, publicAccount: account };
      return showDraft(await draftService.save(accountId, idOf(call), change));
    }),
    route(DELETE_DRAFT, "member", async (call) => {
      const id = idOf(call);
      call.incoming.keepOpen();
      await removeNoted(draftService, doerOf(services, call), id);
      return showDeleted("draft", id);
    }),
    route(PUSH_DRAFT, { least: "member", counted: "push" }, (call) => push(services, call)),
    route(PUBLISH_DRAFT, { least: "member", counted: "publish" }, async (call) => {
      call.incoming.keepOpen();
      return showDraft(await publishNoted(draftService, doerOf(services, call), idOf(call)));
    }),
  ];
}
