import type { Answer } from "./draft-client.ts";
import { sayOfDrafts } from "./words/language.ts";

/** Where drafts go, in one line: whose box, and on which platform. */
export function destinationWords(destination: unknown): string | undefined {
  if (typeof destination !== "object" || destination === null) return undefined;
  const { name, appid, sandbox, platform_url } = destination as Answer;
  const place = placeWords(sandbox === true, platform_url);
  return sayOfDrafts("destination", { name: String(name), appid: String(appid), place });
}

function placeWords(isSandbox: boolean, platformUrl: unknown): string {
  return isSandbox
    ? sayOfDrafts("place_sandbox")
    : sayOfDrafts("place_real", { url: String(platformUrl) });
}
