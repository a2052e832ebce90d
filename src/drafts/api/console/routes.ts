import type { AccountCall, Guards } from "../../../accounts/guards.ts";
import { listBody } from "../../../lib/listing.ts";
import type { Route } from "../../../lib/route.ts";
import {
  CREATE_DRAFT,
  IMPORT_DRAFT,
  LIST_DRAFTS,
  LIST_THEMES,
  LOOK_AT_DRAFTS,
  PREVIEW_COPY,
  READ_BOX,
  SHORTEN_TEXT,
  WRITE_COPY,
} from "../../contract/console-drafts.ts";
import type { Draft } from "../../draft.ts";
import type { DraftService } from "../../draft-service.ts";
import type { NewDraft } from "../../kept-drafts.ts";
import { idempotencyKey, requestSum } from "../asked-once.ts";
import type { Client } from "../client.ts";
import { askWith } from "../model-call.ts";
import { accountRoutes } from "../sent.ts";
import type { ConsoleDoorServices } from "../services.ts";
import { showBoxPage, showDraft, showDraftLine, showPreview, showThemes } from "../show.ts";
import { importedNoted } from "../work/box-work.ts";
import { shortenForDraft, writeForDraft } from "../write-draft.ts";
import { doerOf } from "./doer.ts";
import { draftConsoleRoutes } from "./draft-routes.ts";
import { publicAccountRoutes } from "./public-accounts.ts";

/** One working copy for each key, however often the page asks for it. */
async function createCopy(
  draftService: DraftService,
  accountId: string,
  form: NewDraft,
  key: string | undefined,
): Promise<Draft> {
  if (key === undefined) return draftService.create(accountId, form);
  const { articles, publicAccount } = form;
  const begun = await draftService.begin(
    accountId,
    key,
    requestSum({ articles, publicAccount }, "copy"),
  );
  if (begun.kind === "known") return begun.draft;
  const { ticket } = begun;
  return draftService.holding(ticket, () => draftService.create(accountId, { ...form, ticket }));
}

function boxRoutes(services: ConsoleDoorServices, guards: Guards): readonly Route[] {
  const { draftService } = services;
  const route = accountRoutes(services, guards);
  return [
    route(READ_BOX, "viewer", async ({ accountId, incoming, query }) => {
      const name = incoming.url.searchParams.get("account") || undefined;
      const account = await draftService.publicAccounts.find(accountId, name);
      incoming.keepOpen();
      const { offset, count } = query();
      const page = await draftService.listBox(accountId, account.id, { offset, count });
      const ids = new Map<string, string>();
      for (const { mediaId } of page.items) {
        const draft = await draftService.findInBox(account.id, mediaId);
        if (draft) ids.set(mediaId, draft.id);
      }
      return showBoxPage(page, ids);
    }),
    route(IMPORT_DRAFT, { least: "member", counted: "import" }, async (call) => {
      const { accountId, principal, incoming } = call;
      const { account, media_id } = await call.body();
      incoming.keepOpen();
      const found = await draftService.importDraft(accountId, account, media_id, principal.name);
      return showDraft(await importedNoted(doerOf(services, call), found, media_id));
    }),
  ];
}

/** Whoever writes in the console, and pays with the key that the console has for them. */
function clientOf(services: ConsoleDoorServices, call: AccountCall): Client {
  const { personalKeys } = services;
  const { accountId, principal, incoming } = call;
  const authorization = async () => `Bearer ${await personalKeys.secretOf(accountId, principal)}`;
  const ask = askWith(services.call, incoming, authorization);
  return { ...doerOf(services, call), by: principal.name, ask };
}

function writingRoutes(services: ConsoleDoorServices, guards: Guards): readonly Route[] {
  const route = accountRoutes(services, guards);
  return [
    route(WRITE_COPY, { least: "member", counted: "write" }, async (call) => {
      const { accountId, incoming } = call;
      const writing = await call.body();
      incoming.keepOpen();
      const client = clientOf(services, call);
      const note = () => client.note("draft.write", accountId, { model: writing.model });
      return writeForDraft(services, client, writing, idempotencyKey(incoming), note);
    }),
    route(SHORTEN_TEXT, { least: "member", counted: "shorten" }, async (call) => {
      const { incoming } = call;
      const writing = await call.body();
      incoming.keepOpen();
      return shortenForDraft(services, clientOf(services, call), writing, idempotencyKey(incoming));
    }),
  ];
}

/** Drafts in the console: the same as for keys, with working copies that are saved as one types. */
export function draftsConsoleRoutes(
  services: ConsoleDoorServices,
  guards: Guards,
): readonly Route[] {
  const { draftService } = services;
  const route = accountRoutes(services, guards);
  return [
    route(LIST_DRAFTS, "viewer", async ({ accountId, query }) => {
      const { after, limit } = query();
      const drafts = await draftService.list(accountId, after, limit);
      return listBody(drafts, limit, ({ id }) => id, showDraftLine);
    }),
    route(CREATE_DRAFT, { least: "member", counted: "create" }, async (call) => {
      const { accountId, principal, incoming } = call;
      const { articles, account } = await call.body();
      incoming.keepOpen();
      const form = { articles, publicAccount: account, by: principal.name };
      return showDraft(await createCopy(draftService, accountId, form, idempotencyKey(incoming)));
    }),
    route(LOOK_AT_DRAFTS, "viewer", async ({ accountId, incoming, query }) => {
      const { draft } = query();
      incoming.keepOpen();
      const look =
        draft === undefined ? draftService.look(accountId) : draftService.lookAt(accountId, draft);
      return { changed: await look };
    }),
    route(LIST_THEMES, "viewer", async () => showThemes()),
    route(PREVIEW_COPY, { least: "viewer", counted: "preview" }, async (call) => {
      const { articles, account } = await call.body();
      call.incoming.keepOpen();
      const request = { articles, publicAccount: account };
      return showPreview(await draftService.preview(call.accountId, request));
    }),
    ...writingRoutes(services, guards),
    ...boxRoutes(services, guards),
    ...draftConsoleRoutes(services, guards),
    ...publicAccountRoutes(services, guards),
  ];
}
