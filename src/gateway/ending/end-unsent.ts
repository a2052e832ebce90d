import { asFault, type Fault } from "../../lib/faults.ts";
import type { Services } from "../services.ts";
import { CLIENT_LEFT, causeUnsent, LEFT_UNASKED } from "./cause.ts";
import { type Ended, endRequest } from "./end-request.ts";
import { endingOf } from "./endings.ts";

/** Ends a request of which nothing has gone to the client, and gives back what there is to hear. */
export async function endUnsent(
  services: Services,
  ended: Ended,
  left: boolean,
  thrown: unknown,
): Promise<Fault> {
  const asked = ended.exchange ? CLIENT_LEFT : LEFT_UNASKED;
  const cause = left ? asked : causeUnsent(thrown, ended.exchange);
  const end = endRequest(services, ended, cause);
  if (endingOf(cause).books === "eventually") services.tasks.run(end);
  else await end;
  return asFault(thrown);
}
