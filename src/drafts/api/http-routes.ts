import { z } from "zod";
import { Fault } from "../../lib/faults.ts";
import { listBody, readPage } from "../../lib/listing.ts";
import type { Incoming, Route } from "../../lib/route.ts";
import { idempotencyKey } from "./asked-once.ts";
import { draftForm, previewForm, shortenForm, updateForm, writeForm } from "./draft-form.ts";
import { showThemes } from "./draft-service.ts";
import { wechatAccountRoutes } from "./http-account-routes.ts";
import { countedRoutes, keyRoutes, readCall, unknownVerb } from "./key-routes.ts";
import { readForm, readOptionalForm } from "./read-form.ts";
import type { DoorServices } from "./services.ts";
import { showDraftLine } from "./wire.ts";

const retryForm = z.strictObject({ as_new: z.boolean().optional() });
const emptyForm = z.strictObject({});

/** The id of a path whose methods take no verb. */
function plainId(incoming: Incoming): string {
  const { id, verb } = readCall(incoming.params.call ?? "");
  if (verb !== "")
    throw new Fault("method_not_allowed", "Use POST.", { headers: { allow: "POST" } });
  return id;
}

function collectionRoutes(services: DoorServices): readonly Route[] {
  const { draftService, box, limits } = services;
  const route = keyRoutes(services);
  const counted = countedRoutes(services);
  const bytesMax = limits.draft_body_bytes_max;
  return [
    counted("POST", "/v1/drafts", "member", async (client, incoming) => {
      const form = await readForm(incoming.request, draftForm, bytesMax);
      incoming.keepOpen();
      return draftService.add(client, form, idempotencyKey(incoming));
    }),
    counted("POST", "/v1/drafts:preview", "viewer", async (client, incoming) => {
      const form = await readForm(incoming.request, previewForm, bytesMax);
      incoming.keepOpen();
      return draftService.preview(client, form);
    }),
    counted("POST", "/v1/drafts:write", "member", async (client, incoming) => {
      const wish = await readForm(incoming.request, writeForm, bytesMax);
      incoming.keepOpen();
      return draftService.write(client, wish, idempotencyKey(incoming));
    }),
    counted("POST", "/v1/drafts:shorten", "member", async (client, incoming) => {
      const wish = await readForm(incoming.request, shortenForm, bytesMax);
      incoming.keepOpen();
      return draftService.shorten(client, wish, idempotencyKey(incoming));
    }),
    route("GET", "/v1/drafts", "viewer", async ({ accountId }, { url }) => {
      const { after, limit } = readPage(url);
      const drafts = await box.list(accountId, after, limit);
      return listBody(drafts, limit, ({ id }) => id, showDraftLine);
    }),
    route("GET", "/v1/drafts/themes", "viewer", async () => showThemes()),
  ];
}

function draftRoutes(services: DoorServices): readonly Route[] {
  const { draftService, box, limits } = services;
  const route = keyRoutes(services);
  const counted = countedRoutes(services);
  const bytesMax = limits.draft_body_bytes_max;
  const path = "/v1/drafts/:call";
  return [
    route("GET", path, "viewer", async (client, incoming) => {
      incoming.keepOpen();
      return draftService.get(client, plainId(incoming));
    }),
    counted("PATCH", path, "member", async (client, incoming) => {
      const id = plainId(incoming);
      const form = await readForm(incoming.request, updateForm, bytesMax);
      incoming.keepOpen();
      return draftService.update(client, id, form);
    }),
    route("DELETE", path, "member", async ({ accountId }, incoming) => {
      const id = plainId(incoming);
      incoming.keepOpen();
      await box.remove(accountId, id);
      return { object: "draft", id, deleted: true };
    }),
    counted("POST", path, "member", async (client, incoming) => {
      const { id, verb } = readCall(incoming.params.call ?? "");
      if (verb !== "retry" && verb !== "publish") throw unknownVerb(["retry", "publish"]);
      if (verb === "publish") {
        await readOptionalForm(incoming.request, emptyForm, bytesMax);
        incoming.keepOpen();
        return draftService.publish(client, id);
      }
      const { as_new } = await readOptionalForm(incoming.request, retryForm, bytesMax);
      incoming.keepOpen();
      return draftService.retry(client, id, as_new ?? false);
    }),
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
