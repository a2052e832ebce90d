import type { AccountCall, Guards } from "../../../accounts/guards.ts";
import { Fault } from "../../../lib/faults.ts";
import { listBody, readPage } from "../../../lib/listing.ts";
import type { Route } from "../../../lib/route.ts";
import type { Draft } from "../../draft.ts";
import type { DraftBox } from "../../draft-box.ts";
import type { NewDraft } from "../../draft-shelf.ts";
import { idempotencyKey, requestSum } from "../asked-once.ts";
import { shortenForm } from "../draft-form.ts";
import { type Client, showThemes } from "../draft-service.ts";
import { askWith } from "../model-call.ts";
import { readForm } from "../read-form.ts";
import { showBoxPage, showDraft, showDraftLine, showPreview } from "../wire.ts";
import { draftConsoleRoutes } from "./draft-routes.ts";
import { importForm, newCopyForm, previewCopyForm, writeCopyForm } from "./forms.ts";
import { publicAccountRoutes } from "./public-accounts.ts";
import type { ConsoleDoorServices } from "./services.ts";

const PATH = "/drafts";
const BOX_PAGE_MAX = 20;

function readBoxPage(url: URL): { readonly offset: number; readonly count: number } {
  const read = (name: string, otherwise: number, max: number) => {
    const text = url.searchParams.get(name) ?? String(otherwise);
    if (/^\d{1,6}$/.test(text) && Number(text) <= max) return Number(text);
    const message = `${name} must be a whole number up to ${max}.`;
    throw new Fault("invalid_value", message, { param: name });
  };
  return {
    offset: read("offset", 0, 100_000),
    count: Math.max(1, read("count", BOX_PAGE_MAX, BOX_PAGE_MAX)),
  };
}

/** Whether one draft is not what it was; the platform is asked at once. */
async function lookAt(box: DraftBox, accountId: string, draftId: string): Promise<number> {
  const before = await box.find(accountId, draftId);
  const { draft } = await box.readBack(accountId, draftId);
  return draft.status === before.status ? 0 : 1;
}

/** One working copy for each key, however often the page asks for it. */
async function createCopy(
  box: DraftBox,
  accountId: string,
  form: NewDraft,
  key: string | undefined,
): Promise<Draft> {
  if (key === undefined) return box.create(accountId, form);
  const { articles, publicAccount } = form;
  const begun = await box.begin(accountId, key, requestSum({ articles, publicAccount }, "copy"));
  if (begun.kind === "known") return begun.draft;
  const { ticket } = begun;
  return box.holding(ticket, () => box.create(accountId, { ...form, ticket }));
}

function boxRoutes(services: ConsoleDoorServices, guards: Guards): readonly Route[] {
  const { box, calls, audit, draftOfMedia, limits } = services;
  return [
    guards.account("GET", `${PATH}/box`, "viewer", async ({ accountId, incoming }) => {
      const { url } = incoming;
      const name = url.searchParams.get("account") || undefined;
      const account = await box.publicAccounts.find(accountId, name);
      incoming.keepOpen();
      const page = await box.listBox(accountId, account.id, readBoxPage(url));
      const ids = new Map<string, string>();
      for (const { mediaId } of page.items) {
        const id = await draftOfMedia(account.id, mediaId);
        if (id !== undefined) ids.set(mediaId, id);
      }
      return Response.json(showBoxPage(page, ids));
    }),
    guards.account(
      "POST",
      `${PATH}/import`,
      "member",
      calls.counted("import", async (call) => {
        const { accountId, principal, incoming } = call;
        const form = await readForm(incoming.request, importForm, limits.draft_body_bytes_max);
        const { media_id } = form;
        incoming.keepOpen();
        const draft = await box.importDraft(accountId, form.account, media_id, principal.name);
        const detail = { media_id };
        await audit.write({
          principal,
          accountId,
          action: "draft.import",
          target: draft.id,
          detail,
        });
        return Response.json(showDraft(draft));
      }),
    ),
  ];
}

/** Whoever writes in the console, and pays with the key that the console has for them. */
function clientOf(services: ConsoleDoorServices, call: AccountCall): Client {
  const { gateway, personalKeys } = services;
  const { accountId, principal, incoming } = call;
  const authorization = async () => `Bearer ${await personalKeys.secretOf(accountId, principal)}`;
  return { accountId, by: principal.name, ask: askWith(gateway, incoming, authorization) };
}

function writingRoutes(services: ConsoleDoorServices, guards: Guards): readonly Route[] {
  const { draftService, calls, limits, audit } = services;
  const bytesMax = limits.draft_body_bytes_max;
  return [
    guards.account(
      "POST",
      `${PATH}/write`,
      "member",
      calls.counted("write", async (call: AccountCall) => {
        const { accountId, principal, incoming } = call;
        const wish = await readForm(incoming.request, writeCopyForm, bytesMax);
        incoming.keepOpen();
        const client = clientOf(services, call);
        const written = await draftService.write(client, wish, idempotencyKey(incoming));
        const detail = { model: wish.model };
        await audit.write({
          principal,
          accountId,
          action: "draft.write",
          target: accountId,
          detail,
        });
        return Response.json(written);
      }),
    ),
    guards.account(
      "POST",
      `${PATH}/shorten`,
      "member",
      calls.counted("shorten", async (call: AccountCall) => {
        const { incoming } = call;
        const wish = await readForm(incoming.request, shortenForm, bytesMax);
        incoming.keepOpen();
        const key = idempotencyKey(incoming);
        return Response.json(await draftService.shorten(clientOf(services, call), wish, key));
      }),
    ),
  ];
}

/** Drafts in the console: the same as for keys, with working copies that are saved as one types. */
export function draftsConsoleRoutes(
  services: ConsoleDoorServices,
  guards: Guards,
): readonly Route[] {
  const { box, calls, limits } = services;
  const bytesMax = limits.draft_body_bytes_max;
  return [
    guards.account("GET", PATH, "viewer", async ({ accountId, incoming }) => {
      const { after, limit } = readPage(incoming.url);
      const drafts = await box.list(accountId, after, limit);
      return Response.json(listBody(drafts, limit, ({ id }) => id, showDraftLine));
    }),
    guards.account(
      "POST",
      PATH,
      "member",
      calls.counted("create", async ({ accountId, principal, incoming }) => {
        const { articles, account } = await readForm(incoming.request, newCopyForm, bytesMax);
        incoming.keepOpen();
        const form = { articles, publicAccount: account, by: principal.name };
        const draft = await createCopy(box, accountId, form, idempotencyKey(incoming));
        return Response.json(showDraft(draft), { status: 201 });
      }),
    ),
    guards.account("GET", `${PATH}/look`, "viewer", async ({ accountId, incoming }) => {
      const draftId = incoming.url.searchParams.get("draft");
      incoming.keepOpen();
      const look = draftId === null ? box.look(accountId) : lookAt(box, accountId, draftId);
      return Response.json({ changed: await look });
    }),
    guards.account("GET", `${PATH}/themes`, "viewer", async () => Response.json(showThemes())),
    guards.account(
      "POST",
      `${PATH}/preview`,
      "viewer",
      calls.counted("preview", async ({ accountId, incoming }) => {
        const { articles, account } = await readForm(incoming.request, previewCopyForm, bytesMax);
        incoming.keepOpen();
        const preview = await box.preview(accountId, { articles, publicAccount: account });
        return Response.json(showPreview(preview));
      }),
    ),
    ...writingRoutes(services, guards),
    ...boxRoutes(services, guards),
    ...draftConsoleRoutes(services, guards),
    ...publicAccountRoutes(services, guards),
  ];
}
