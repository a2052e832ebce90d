import { LeftTheLine } from "../../admission/admission.ts";
import { refusalOf } from "../../ledger/refusal.ts";
import { asFault, Fault, type FaultName } from "../../lib/faults.ts";
import type { ClientRequest } from "../../protocols/wire.ts";
import { type Caller, refusal } from "../admitted-request.ts";
import type { Services } from "../services.ts";

/** Refusals of admission, which has counted the request itself, unless the count is what refused it. */
const COUNTED: readonly FaultName[] = ["rate_limit_exceeded", "budget_exceeded", "budget_busy"];

/** Whether the books have it already. What there is no room for never came as far as admission. */
function isCounted(fault: Fault): boolean {
  return COUNTED.includes(fault.fault) && refusalOf(fault)?.scope !== "bytes_in_flight";
}

/** Without storage there is no row, nor by a key that is not good: what refused the request is what it says. */
const UNWRITTEN: readonly FaultName[] = [
  "storage_unavailable",
  "invalid_api_key",
  "ip_not_allowed",
];

/** A body that could not be read names none. */
function isKnown({ catalogue }: Pick<Services, "catalogue">, model: string): boolean {
  return model === "" || (catalogue.find(model) ?? catalogue.findAlias(model)) !== undefined;
}

/** Leaves the zero-cost row of a refusal, and names the row where it is not the request's own. */
export function refuse(
  services: Services,
  caller: Caller,
  request: ClientRequest | undefined,
  thrown: unknown,
): Fault {
  const fault =
    thrown instanceof LeftTheLine
      ? new Fault("budget_busy", "The client left while waiting.")
      : asFault(thrown);
  if (UNWRITTEN.includes(fault.fault)) return fault;
  const { requestsPerMinute: max } = caller.key;
  const count = { requests: max > 0 && !isCounted(fault) ? 1 : 0, max };
  const receipt = refusal(caller, request, fault, services.watchdog.now());
  caller.trace?.refused(receipt);
  const id = services.ledger.refuse(receipt, count, isKnown(services, receipt.model));
  return id === receipt.requestId ? fault : fault.with({ "x-faregate-receipt": id });
}
