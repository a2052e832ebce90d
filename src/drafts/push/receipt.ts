import type { PlatformArticle } from "../../wechat/article.ts";
import type { Problem } from "../contract/preview.ts";
import { destinationOf } from "../destination.ts";
import type { PublicAccount, Push, Receipt } from "../draft.ts";
import type { PlatformClient } from "../platform-api/platform-client.ts";
import { readDifferently } from "../read-back/read-differently.ts";
import type { Uploads } from "./uploads.ts";

interface Facts {
  readonly push: Push;
  readonly account: PublicAccount;
  readonly client: PlatformClient;
  readonly uploads: Uploads;
  readonly warnings: readonly Problem[];
  readonly mediaId: string;
  readonly reconciled: boolean;
}

function contentBytes(articles: readonly PlatformArticle[]): number {
  return articles.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
}

/** Reads the draft back for its link and for what the platform made of it, and writes down what there is to say about the push. */
export async function writeReceipt(facts: Facts): Promise<Receipt> {
  const { push, account, client, uploads, warnings, mediaId, reconciled } = facts;
  const reply = await client.get(mediaId);
  const submitted = JSON.parse(push.request ?? "[]") as readonly PlatformArticle[];
  return {
    mediaId,
    publicAccountId: account.id,
    appid: account.appid,
    sandbox: account.kind === "built-in",
    destination: destinationOf(account),
    url: reply.kind === "ok" ? (reply.value[0]?.url ?? null) : null,
    rids: [...client.rids],
    contentBytes: contentBytes(submitted),
    ...uploads.counts,
    sends: push.sends,
    reconciled,
    warnings,
    differences: reply.kind === "ok" ? readDifferently(submitted, reply.value) : [],
  };
}
