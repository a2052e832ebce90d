import type { UpstreamCall } from "../../../src/upstream/channels/channels.ts";

/** What a vendor reads of a call, whole. */
export function sentText({ body }: Pick<UpstreamCall, "body">): string {
  return typeof body === "string" ? body : Buffer.concat(body.chunks).toString();
}
