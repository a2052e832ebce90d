import { knowingEnds } from "../../lib/json/long-strings.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import { isLarge, yieldToLoop } from "../../lib/yield-to-loop.ts";
import { membersInSteps } from "../../protocols/members/member-walk.ts";
import { refuseTwins, refuseTwinsInSteps } from "../../protocols/members/twins.ts";
import type { ClientRequest, PassWire, RequestPath } from "../../protocols/wire.ts";
import type { Body } from "./body.ts";

/** What a body asks for, checked. A large one is read in steps, so that it does not hold up others. */
export function readRequest(
  wire: PassWire,
  body: Pick<Body, "value" | "text" | "ends">,
  path?: RequestPath,
): MaybePromise<ClientRequest> {
  const { value, text } = body;
  if (isLarge(text)) return readInSteps(wire, body, path);
  const request = wire.readRequest(value, text, path);
  const members = refuseTwins(text, wire.members);
  // Else it would be gone through once more when it is written for a vendor.
  request.json.know(text, members);
  return request;
}

async function readInSteps(
  wire: PassWire,
  { value, text, ends }: Pick<Body, "value" | "text" | "ends">,
  path: RequestPath | undefined,
): Promise<ClientRequest> {
  await yieldToLoop();
  const request = knowingEnds(text, ends, () => wire.readRequest(value, text, path));
  await yieldToLoop();
  const members = await refuseTwinsInSteps(text, wire.members, ends);
  request.json.know(text, members);
  const written = await request.json.write();
  if (written !== text) request.json.know(written, await membersInSteps(written));
  return request;
}
