import { padded, table } from "../terminal/print.ts";
import { say, sayOfDrafts } from "../words/language.ts";
import type { JsonBody } from "./draft-client.ts";

const LABEL_COLUMNS = 10;

/** Where drafts go, in one line: whose box, and on which platform. */
export function destinationWords(destination: unknown): string | undefined {
  if (typeof destination !== "object" || destination === null) return undefined;
  const { name, appid, sandbox, platform_url } = destination as JsonBody;
  const url = String(platform_url);
  const place =
    sandbox === true ? sayOfDrafts("place_sandbox") : sayOfDrafts("place_real", { url });
  return sayOfDrafts("destination", { name: String(name), appid: String(appid), place });
}

function labelled(label: string, value: unknown): string {
  return `  ${padded(label, LABEL_COLUMNS)}  ${value}`;
}

/** One public account, and whether drafts go there now. */
export function accountWords(account: JsonBody): string {
  const { id, is_default, credential, proxy } = account;
  const name = String(account.name);
  const first =
    is_default === true
      ? sayOfDrafts("accountIsDefault", { where: destinationWords(account) ?? name })
      : sayOfDrafts("accountIsThere", { name, appid: String(account.appid) });
  return [
    first,
    "",
    labelled(say("column_id"), id),
    labelled(say("column_credential"), credential),
    ...(proxy ? [labelled(say("column_proxy"), proxy)] : []),
    "",
    sayOfDrafts("accountDoctor", { name }),
  ].join("\n");
}

export function accountListWords(list: JsonBody): string {
  const rows = (list.data as readonly JsonBody[]).map((account) => ({
    [say("column_name")]: String(account.name),
    [say("column_default")]: account.is_default === true ? say("yes") : "",
    [say("column_appid")]: String(account.appid),
    [say("column_platform")]:
      account.sandbox === true ? sayOfDrafts("builtIn") : String(account.platform_url),
    [say("column_credential")]: String(account.credential),
    [say("column_proxy")]: String(account.proxy ?? ""),
    [say("column_publish")]: say(account.can_publish === true ? "yes" : "no"),
    [say("column_id")]: String(account.id),
  }));
  return table(rows);
}
