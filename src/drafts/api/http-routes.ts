import { listBody } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import {
  ADD_BY_KEY,
  DELETE_BY_KEY,
  GET_BY_KEY,
  LIST_BY_KEY,
  PREVIEW_BY_KEY,
  PUBLISH_BY_KEY,
  RETRY_BY_KEY,
  SHORTEN_BY_KEY,
  THEMES_BY_KEY,
  UPDATE_BY_KEY,
  WRITE_BY_KEY,
} from "../contract/key-drafts.ts";
import { idempotencyKey } from "./asked-once.ts";
import { addDraft, getDraft, previewDraft, retryDraft, updateDraft } from "./bring-draft.ts";
import { wechatAccountRoutes } from "./http-account-routes.ts";
import { idBefore, keyRoutes, plainId, verbRoute } from "./key-routes.ts";
import type { DoorServices } from "./services.ts";
import { showDeleted, showDraft, showDraftLine, showThemes } from "./show.ts";
import { publishNoted, removeNoted } from "./work/box-work.ts";
import { shortenForDraft, writeForDraft } from "./write-draft.ts";

const VERBS = ["retry", "publish"];

function collectionRoutes(services: DoorServices): readonly Route[] {
  const { draftService } = services;
  const route = keyRoutes(services);
  const counted = keyRoutes(services, { isCounted: true });
  return [
    counted(ADD_BY_KEY, "member", async (call) =>
      addDraft(services, call, await call.body(), idempotencyKey(call.incoming)),
    ),
    counted(PREVIEW_BY_KEY, "viewer", async (call) =>
      previewDraft(services, call, await call.body(), idempotencyKey(call.incoming)),
    ),
    counted(WRITE_BY_KEY, "member", async (call) =>
      writeForDraft(services, call, await call.body(), idempotencyKey(call.incoming)),
    ),
    counted(SHORTEN_BY_KEY, "member", async (call) =>
      shortenForDraft(services, call, await call.body(), idempotencyKey(call.incoming)),
    ),
    route(LIST_BY_KEY, "viewer", async ({ accountId, query }) => {
      const { after, limit } = query();
      const drafts = await draftService.list(accountId, after, limit);
      return listBody(drafts, limit, ({ id }) => id, showDraftLine);
    }),
    route(THEMES_BY_KEY, "viewer", async () => showThemes()),
  ];
}

function draftRoutes(services: DoorServices): readonly Route[] {
  const { draftService } = services;
  const route = keyRoutes(services);
  const counted = keyRoutes(services, { isCounted: true });
  return [
    route(GET_BY_KEY, "viewer", async (call) => {
      call.incoming.keepOpen();
      return getDraft(services, call, plainId(call));
    }),
    counted(UPDATE_BY_KEY, "member", async (call) =>
      updateDraft(services, call, plainId(call), await call.body()),
    ),
    route(DELETE_BY_KEY, "member", async (call) => {
      const id = plainId(call);
      call.incoming.keepOpen();
      await removeNoted(draftService, call, id);
      return showDeleted("draft", id);
    }),
    verbRoute(
      counted(RETRY_BY_KEY, "member", async (call) => {
        const id = idBefore(VERBS, call);
        const { as_new } = await call.body();
        return retryDraft(services, call, id, as_new ?? false);
      }),
      counted(PUBLISH_BY_KEY, "member", async (call) => {
        const id = idBefore(VERBS, call);
        await call.body();
        return showDraft(await publishNoted(draftService, call, id));
      }),
    ),
  ];
}

/** The draft box below `/v1`, for keys. */
export function draftKeyRoutes(services: DoorServices): readonly Route[] {
  return [
    ...collectionRoutes(services),
    ...draftRoutes(services),
    ...wechatAccountRoutes(services),
  ];
}
