import { LeftTheLine } from "../admission/admission.ts";
import { refusalOf } from "../ledger/refusal.ts";
import { Answer } from "../lib/answer.ts";
import { breath, isLarge } from "../lib/breath.ts";
import { asFault, Fault, type FaultName } from "../lib/faults.ts";
import { knowingEnds } from "../lib/json/long-strings.ts";
import type { Incoming, Sent } from "../lib/route.ts";
import type { Soon } from "../lib/soon.ts";
import type { Allowance } from "../lib/threads/allowance.ts";
import { membersInSteps } from "../protocols/members/member-walk.ts";
import { refuseTwins, refuseTwinsInSteps } from "../protocols/members/twins.ts";
import type { ClientRequest, PassWire, RequestPath } from "../protocols/wire.ts";
import { type Caller, refusal } from "./admitted-request.ts";
import { type Admitted, admit } from "./arriving/admit.ts";
import type { Body } from "./arriving/body.ts";
import { findCandidates, withoutFallbacks } from "./arriving/find-model.ts";
import { CallerInLine, identify, identifyAgain, isLate } from "./arriving/identify.ts";
import { giveBack, takeBody } from "./arriving/take-body.ts";
import type { FaceName } from "./faces.ts";
import type { AnswerKeeper } from "./idempotency/answer-keeper.ts";
import { IDEMPOTENCY_KEY } from "./idempotency/asked.ts";
import { relay } from "./relay.ts";
import type { Services } from "./services.ts";
import { NO_TURN, openStoredTurn, type StoredTurn } from "./stored-turn.ts";
import type { RequestTrace } from "./tracing/request-trace.ts";
import type { Dispatch, Reshape } from "./vendor-calls.ts";

/** What a route knows of its requests that their bodies do not say. */
interface Particular {
  readonly path?: RequestPath;
  /** Whose clients call, where that is not what the wire says. */
  readonly face?: FaceName;
  readonly reshape?: Reshape;
  /** Reads a body that does not come with the request itself. */
  readonly read?: () => Promise<Body>;
}

/** From a body to an admitted request: everything that can refuse it without calling a vendor. */
function prepare(
  services: Services,
  wire: PassWire,
  caller: Caller,
  { request, body }: { readonly request: ClientRequest; readonly body: Body },
  incoming: Incoming<Sent>,
  { reshape, face }: Particular,
  keeper: AnswerKeeper | undefined,
): Soon<Dispatch> {
  const candidates = findCandidates(services, caller.key, request, wire.endpoint);
  const own = withoutFallbacks(request);
  const who = new CallerInLine(services, caller, incoming, face);
  const arrived = { wire, keeper, reshape, client: incoming };
  if (wire.endpoint === "responses") {
    const opened = openStoredTurn(services, caller, own, body);
    return dispatchStored(arrived, opened, (whole) =>
      admit(services, wire, caller, whole, candidates, who),
    );
  }
  const held = admit(services, wire, caller, own, candidates, who);
  if (!(held instanceof Promise)) return dispatchOf(arrived, own, NO_TURN, held);
  return held.then((told) => dispatchOf(arrived, own, NO_TURN, told));
}

/** What an admitted request has from its arrival. */
type Arrived = Pick<Dispatch, "wire" | "keeper" | "reshape"> & { readonly client: Incoming<Sent> };

/** With the conversation in front of it that it goes on from. */
async function dispatchStored(
  arrived: Arrived,
  opened: ReturnType<typeof openStoredTurn>,
  hold: (whole: ClientRequest) => Soon<Admitted>,
): Promise<Dispatch> {
  const { request, turn } = await opened;
  return dispatchOf(arrived, request, turn, await hold(request));
}

function dispatchOf(
  { wire, keeper, reshape, client }: Arrived,
  request: ClientRequest,
  turn: StoredTurn,
  { admitted, headers }: Admitted,
): Dispatch {
  if (keeper) headers["x-faregate-idempotency"] = keeper.word;
  const { headers: asked, signal } = client.request;
  return { wire, admitted, request, turn, keeper, reshape, headers, asked, signal, client };
}

const NOTHING_PARTICULAR: Particular = {};

/** What a body asks for, checked. A large one is read in steps, so that it does not hold up others. */
export function readRequest(
  wire: PassWire,
  body: Pick<Body, "value" | "text" | "ends">,
  path?: RequestPath,
): Soon<ClientRequest> {
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
  await breath();
  const request = knowingEnds(text, ends, () => wire.readRequest(value, text, path));
  await breath();
  const members = await refuseTwinsInSteps(text, wire.members, ends);
  request.json.know(text, members);
  const written = await request.json.write();
  if (written !== text) request.json.know(written, await membersInSteps(written));
  return request;
}

/** The path of one generation, recorded where somebody collects traces. */
export function generate(
  services: Services,
  wire: PassWire,
  incoming: Incoming<Sent>,
  particular: Particular = NOTHING_PARTICULAR,
): Promise<Answer> {
  const trace = services.traces?.begin(wire.endpoint, incoming);
  const answer = answerTo(services, wire, incoming, particular, trace);
  return trace ? trace.around(answer) : answer;
}

/** Authenticate → admit → route → relay → settle. */
async function answerTo(
  services: Services,
  wire: PassWire,
  incoming: Incoming<Sent>,
  particular: Particular,
  trace: RequestTrace | undefined,
): Promise<Answer> {
  const known = identify(services, wire.endpoint, incoming, particular.face, trace);
  let caller = known instanceof Promise ? await known : known;
  let body: Body | undefined;
  let request: ClientRequest | undefined;
  let keeper: AnswerKeeper | undefined;
  let dispatch: Dispatch;
  try {
    const taken = takeBody(services, caller, incoming, particular.read);
    body = taken instanceof Promise ? await taken : taken;
    incoming.keepOpen();
    if (isLate(services, caller)) {
      caller = await identifyAgain(services, caller, incoming, particular.face);
    }
    const read = readRequest(wire, body, particular.path);
    request = read instanceof Promise ? await read : read;
    const value = incoming.request.headers.get(IDEMPOTENCY_KEY);
    if (value !== null) {
      const earlier = await services.idempotency.open(caller, incoming, value, body.text);
      if (!(earlier instanceof Answer)) keeper = earlier;
      // It may have waited for another request of the same value, for as long as a vendor may take.
      if (isLate(services, caller)) {
        caller = await identifyAgain(services, caller, incoming, particular.face);
      }
      if (earlier instanceof Answer) {
        giveBack(services, caller);
        body.release();
        return earlier;
      }
    }
    const asked = { request, body };
    const prepared = prepare(services, wire, caller, asked, incoming, particular, keeper);
    dispatch = prepared instanceof Promise ? await prepared : prepared;
  } catch (thrown) {
    body?.release();
    const fault = refuse(services, caller, request, thrown);
    if (keeper) await letGo(services, keeper, fault, caller.allowance);
    throw fault;
  }
  const relaying = relay(services, dispatch);
  try {
    return await (keeper ? once(services, dispatch, keeper, relaying.answer) : relaying.answer);
  } finally {
    relaying.over();
    body.release();
  }
}

/** Where storage does not answer, the client has waited for it long enough. */
async function letGo(
  { tasks }: Services,
  keeper: AnswerKeeper,
  { fault }: Fault,
  allowance: Allowance,
): Promise<void> {
  if (fault === "storage_unavailable") tasks.run(keeper.free());
  else await keeper.free(allowance);
}

/** Of a request that will not be answered in full the next one with its value takes the place. */
async function once(
  services: Services,
  dispatch: Dispatch,
  keeper: AnswerKeeper,
  answer: Promise<Answer>,
): Promise<Answer> {
  const { request, signal } = dispatch;
  const left = () => services.tasks.run(keeper.free());
  // A whole answer is finished without its client, and can be given again. Of a stream nothing will be.
  if (request.stream) signal.addEventListener("abort", left, { once: true });
  try {
    return await answer;
  } catch (thrown) {
    // It has its receipt, by which whoever comes meanwhile sees that the value is free.
    services.tasks.run(keeper.free());
    throw thrown;
  } finally {
    signal.removeEventListener("abort", left);
  }
}

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
  if (UNWRITTEN.includes(fault.fault)) return fault;
  const { requestsPerMinute: max } = caller.key;
  const count = { requests: max > 0 && !isCounted(fault) ? 1 : 0, max };
  const receipt = refusal(caller, request, fault, services.watchdog.now());
  caller.trace?.refused(receipt);
  const id = services.ledger.refuse(receipt, count, isKnown(services, receipt.model));
  return id === receipt.requestId ? fault : fault.with({ "x-faregate-receipt": id });
}
