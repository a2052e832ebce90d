import { authenticate } from "../accounts/authenticate.ts";
import { LeftTheLine } from "../admission/admission.ts";
import { asFault, Fault } from "../lib/faults.ts";
import type { Incoming } from "../lib/route.ts";
import type { ClientRequest, Wire } from "../protocols/wire.ts";
import { admit } from "./admit.ts";
import type { Body } from "./body.ts";
import { findModel } from "./find-model.ts";
import { type Dispatch, relay } from "./relay.ts";
import { type Caller, refusal } from "./run.ts";
import type { Services } from "./services.ts";
import { NO_TURN, openTurn } from "./turn.ts";

/** Who calls, on which endpoint. The key is checked before a byte of the body is read. */
export async function identify(
  services: Services,
  endpoint: string,
  incoming: Incoming,
): Promise<Caller> {
  const { request, requestId } = incoming;
  const startedAtMs = services.clock();
  const header = request.headers.get("authorization");
  const key = await authenticate(services.accounts, services.clock, header, () =>
    incoming.address(),
  );
  return { requestId, key, endpoint, startedAtMs };
}

/** A second member of the same name could mean one thing to us and another to the vendor. */
export function refuseDoubles(request: ClientRequest): void {
  const name = request.json.doubledName();
  if (name === undefined) return;
  throw new Fault("duplicate_parameter", `The parameter '${name}' is given twice.`, {
    param: name,
  });
}

/** From a body to an admitted request: everything that can refuse it without calling a vendor. */
async function prepare(
  services: Services,
  wire: Wire,
  caller: Caller,
  request: ClientRequest,
  incoming: Incoming,
): Promise<Dispatch> {
  refuseDoubles(request);
  const { key } = caller;
  const found = findModel(request.model, wire.endpoint, key, services.catalogue, services.routes);
  const { request: whole, turn } =
    wire.endpoint === "responses"
      ? await openTurn(services, key, request)
      : { request, turn: NO_TURN };
  const { signal } = incoming.request;
  const admitted = await admit(services, wire, caller, whole, found, signal);
  const headers: Record<string, string> = { ...admitted.headers };
  const call = () => {
    const upstream = wire.writeRequest(whole, {
      model: found.route.upstreamModel,
      outputClamp: admitted.outputClamp,
      keepReasoning: turn.keepReasoning && found.model.capabilities.includes("reasoning"),
    });
    if (upstream.dropped.length > 0) headers["x-faregate-dropped"] = upstream.dropped.join(", ");
    return {
      path: wire.path,
      body: upstream.text,
      stream: whole.stream,
      requestId: caller.requestId,
      sandboxFault: incoming.request.headers.get("x-sandbox-fault") ?? undefined,
    };
  };
  return { wire, run: admitted.run, request: whole, call, turn, headers, signal };
}

/** The path of one generation: authenticate → admit → route → relay → settle. */
export async function generate(
  services: Services,
  wire: Wire,
  incoming: Incoming,
): Promise<Response> {
  const caller = await identify(services, wire.endpoint, incoming);
  let body: Body | undefined;
  let request: ClientRequest | undefined;
  let dispatch: Dispatch;
  try {
    body = await services.bodies.read(incoming.request);
    incoming.keepOpen();
    request = wire.readRequest(body.value, body.text);
    dispatch = await prepare(services, wire, caller, request, incoming);
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
