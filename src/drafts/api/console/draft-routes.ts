import type { AccountCall, Guards } from "../../../accounts/guards.ts";
import { Fault } from "../../../lib/faults.ts";
import type { Route } from "../../../lib/route.ts";
import type { ArticleDoc, ImageRef } from "../../contract/article.ts";
import type { Draft } from "../../draft.ts";
import { framePage } from "../frame.ts";
import { readForm, readOptionalForm } from "../read-form.ts";
import {
  showDraft,
  showPush,
  showReadBack,
  showReceipt,
  showVersion,
  showVersionLine,
} from "../wire.ts";
import { coverPicture } from "./cover.ts";
import { pushForm, saveForm } from "./forms.ts";
import type { ConsoleDoorServices } from "./services.ts";

const PATH = "/drafts/:id";

function idOf({ incoming }: AccountCall): string {
  return incoming.params.id ?? "";
}

function wholeNumber(text: string, param: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new Fault("invalid_value", `${param} must be a whole number.`, { param });
}

/** Typing on replaces versions: whoever still asks for such a one sees what has replaced it. */
function newestFor(thrown: unknown, draft: Draft): Draft {
  if (thrown instanceof Fault && thrown.fault === "not_found") return draft;
  throw thrown;
}

/** Which articles `?version=` means, and which of them `?article=`. */
async function shownArticles(
  { box }: ConsoleDoorServices,
  call: AccountCall,
): Promise<{ draft: { publicAccountId: string }; articles: readonly ArticleDoc[]; index: number }> {
  const { accountId, incoming } = call;
  const query = incoming.url.searchParams;
  const draft = await box.find(accountId, idOf(call));
  const version = query.get("version");
  const isNewest = version === null || Number(version) === draft.version;
  const { articles } = isNewest
    ? draft
    : await box
        .version(accountId, draft.id, wholeNumber(version, "version"))
        .catch((thrown) => newestFor(thrown, draft));
  const index = wholeNumber(query.get("article") ?? "0", "article");
  if (index < articles.length) return { draft, articles, index };
  throw new Fault("not_found", "The draft has no such article.", { param: "article" });
}

function addressOf(ref: ImageRef): readonly string[] {
  if ("url" in ref) return [ref.url];
  return "data" in ref ? [ref.data] : [];
}

async function frame(services: ConsoleDoorServices, call: AccountCall): Promise<Response> {
  const { draft, articles, index } = await shownArticles(services, call);
  call.incoming.keepOpen();
  const preview = await services.box.preview(call.accountId, {
    articles,
    publicAccount: draft.publicAccountId,
  });
  const article = preview.articles[index];
  const doc = articles[index];
  if (!article || !doc) throw new Fault("not_found", "The draft has no such article.");
  const isPictures = doc.type === "newspic";
  return framePage(article, isPictures ? (doc.images ?? []).flatMap(addressOf) : undefined);
}

async function cover(services: ConsoleDoorServices, call: AccountCall): Promise<Response> {
  const { box, images } = services;
  const { draft, articles, index } = await shownArticles(services, call);
  const account = await box.publicAccounts.find(call.accountId, draft.publicAccountId);
  const doc = articles[index];
  if (!doc) throw new Fault("not_found", "The draft has no such article.");
  call.incoming.keepOpen();
  return coverPicture(images, doc, account);
}

async function push(services: ConsoleDoorServices, call: AccountCall): Promise<Response> {
  const { box, audit, limits } = services;
  const { accountId, principal, incoming } = call;
  const form = await readOptionalForm(incoming.request, pushForm, limits.draft_body_bytes_max);
  incoming.keepOpen();
  const options = { asNew: form.as_new ?? false };
  const { draft, receipt, push: row } = await box.push(accountId, idOf(call), options);
  const detail = { media_id: receipt.mediaId, version: draft.version };
  await audit.write({ principal, accountId, action: "draft.push", target: draft.id, detail });
  return Response.json({
    ...showDraft(draft),
    receipt: showReceipt(receipt, draft),
    push: showPush(row, draft),
  });
}

function readRoutes(services: ConsoleDoorServices, guards: Guards): readonly Route[] {
  const { box, calls } = services;
  const read = (path: string, show: (call: AccountCall) => Promise<unknown>) =>
    guards.account("GET", path, "viewer", async (call) => Response.json(await show(call)));
  return [
    read(PATH, async (call) => showDraft(await box.find(call.accountId, idOf(call)))),
    read(`${PATH}/versions`, async (call) => ({
      object: "list",
      data: (await box.versions(call.accountId, idOf(call))).map(showVersionLine),
      next: null,
    })),
    read(`${PATH}/versions/:version`, async (call) => {
      const version = wholeNumber(call.incoming.params.version ?? "", "version");
      return showVersion(await box.version(call.accountId, idOf(call), version));
    }),
    read(`${PATH}/pushes`, async (call) => {
      const draft = await box.find(call.accountId, idOf(call));
      const pushes = await box.pushes(call.accountId, draft.id);
      return { object: "list", data: pushes.map((row) => showPush(row, draft)), next: null };
    }),
    read(`${PATH}/box`, async (call) => {
      call.incoming.keepOpen();
      const found = await box.readBack(call.accountId, idOf(call));
      return { ...showReadBack(found), draft: showDraft(found.draft) };
    }),
    guards.account(
      "GET",
      `${PATH}/frame`,
      "viewer",
      calls.counted("frame", (call) => frame(services, call)),
    ),
    guards.account(
      "GET",
      `${PATH}/cover`,
      "viewer",
      calls.counted("cover", (call) => cover(services, call)),
    ),
  ];
}

/** One draft of the console. */
export function draftConsoleRoutes(
  services: ConsoleDoorServices,
  guards: Guards,
): readonly Route[] {
  const { box, calls, audit, limits } = services;
  return [
    ...readRoutes(services, guards),
    guards.account(
      "PUT",
      PATH,
      "member",
      calls.counted("save", async (call) => {
        const { accountId, principal, incoming } = call;
        const bytesMax = limits.draft_body_bytes_max;
        const { account, ...edit } = await readForm(incoming.request, saveForm, bytesMax);
        const change = { ...edit, by: principal.name, publicAccount: account };
        return Response.json(showDraft(await box.save(accountId, idOf(call), change)));
      }),
    ),
    guards.account("DELETE", PATH, "member", async (call) => {
      const { accountId, principal, incoming } = call;
      const id = idOf(call);
      incoming.keepOpen();
      await box.remove(accountId, id);
      await audit.write({ principal, accountId, action: "draft.delete", target: id });
      return Response.json({ object: "draft", id, deleted: true });
    }),
    guards.account(
      "POST",
      `${PATH}/push`,
      "member",
      calls.counted("push", (call) => push(services, call)),
    ),
    guards.account(
      "POST",
      `${PATH}/publish`,
      "member",
      calls.counted("publish", async (call) => {
        const { accountId, principal, incoming } = call;
        incoming.keepOpen();
        const draft = await box.publish(accountId, idOf(call));
        await audit.write({ principal, accountId, action: "draft.publish", target: draft.id });
        return Response.json(showDraft(draft));
      }),
    ),
  ];
}
