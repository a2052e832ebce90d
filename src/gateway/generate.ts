import { LeftTheLine } from "../admission/admission.ts";
import { asFault, Fault } from "../lib/faults.ts";
import type { Incoming } from "../lib/route.ts";
import type { ClientRequest, PassWire, RequestPath } from "../protocols/wire.ts";
import { admit } from "./admit.ts";
import type { Body } from "./body.ts";
import type { Dispatch, Reshape } from "./calling.ts";
import { findCandidates, withoutFallbacks } from "./find-model.ts";
import { identify } from "./identify.ts";
import { relay } from "./relay.ts";
import { type Caller, refusal } from "./run.ts";
import type { Services } from "./services.ts";
import { NO_TURN, openTurn } from "./turn.ts";

/** A second member of the same name could mean one thing to us and another to the vendor. */
export function refuseDoubles(request: Pick<ClientRequest, "json">): void {
  const name = request.json.doubledName();
  if (name === undefined) return;
  throw new Fault("duplicate_parameter", `The parameter '${name}' is given twice.`, {
    param: name,
  });
}

/** From a body to an admitted request: everything that can refuse it without calling a vendor. */
async function prepare(
  services: Services,
  wire: PassWire,
  caller: Caller,
  request: ClientRequest,
  incoming: Incoming,
  reshape: Reshape | undefined,
): Promise<Dispatch> {
  refuseDoubles(request);
  const { key } = caller;
  const candidates = findCandidates(services, key, request, wire.endpoint);
  const own = withoutFallbacks(request);
  const { request: whole, turn } =
    wire.endpoint === "responses"
      ? await openTurn(services, key, own)
      : { request: own, turn: NO_TURN };
  const { signal, headers: asked } = incoming.request;
  const admitted = await admit(services, wire, caller, whole, candidates, signal);
  const { run, outputClamp, headers } = admitted;
  return { wire, run, request: whole, outputClamp, turn, reshape, headers, asked, signal };
}

/** What a route knows of its requests that their bodies do not say. */
interface Particular {
  readonly path?: RequestPath;
  readonly reshape?: Reshape;
}

/** The path of one generation: authenticate → admit → route → relay → settle. */
export async function generate(
  services: Services,
  wire: PassWire,
  incoming: Incoming,
  particular: Particular = {},
): Promise<Response> {
  const caller = await identify(services, wire.endpoint, incoming);
  let body: Body | undefined;
  let request: ClientRequest | undefined;
  let dispatch: Dispatch;
  try {
    body = await services.bodies.read(incoming.request);
    incoming.keepOpen();
    request = wire.readRequest(body.value, body.text, particular.path);
    dispatch = await prepare(services, wire, caller, request, incoming, particular.reshape);
  } catch (thrown) {
    body?.release();
    throw refuse(services, caller, request, thrown);
  }
  try {
    return await relay(services, dispatch);
  } finally {
    body.release();
  }
}

/** Leaves the zero-cost row of a refusal. */
function refuse(
  services: Services,
  caller: Caller,
  request: ClientRequest | undefined,
  thrown: unknown,
): Fault {
  const fault =
    thrown instanceof LeftTheLine
      ? new Fault("budget_busy", "The client left while waiting.")
      : asFault(thrown);
  // Without storage there is no row either; what refused the request is what it says.
  if (fault.fault !== "storage_unavailable") {
    services.ledger.refuse(refusal(caller, request, fault, services.clock()));
  }
  return fault;
}
