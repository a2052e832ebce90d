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
  const arrived = { wire, keeper, reshape, body, client: incoming };
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
type Arrived = Pick<Dispatch, "wire" | "keeper" | "reshape" | "body"> & {
  readonly client: Incoming<Sent>;
};

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
  { wire, keeper, reshape, body, client }: Arrived,
  request: ClientRequest,
  turn: StoredTurn,
  { admitted, headers }: Admitted,
): Dispatch {
  if (keeper) headers["x-faregate-idempotency"] = keeper.word;
  const { headers: asked, signal } = client.request;
  return { wire, admitted, request, turn, keeper, reshape, body, headers, asked, signal, client };
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
function answerTo(
  services: Services,
  wire: PassWire,
  incoming: Incoming<Sent>,
  particular: Particular,
  trace: RequestTrace | undefined,
): Promise<Answer> {
  let prepared: Soon<Prepared>;
  try {
    prepared = new Arrival(services, wire, incoming, particular, trace).prepared();
  } catch (thrown) {
    return Promise.reject(thrown);
  }
  if (!(prepared instanceof Promise)) return answered(services, prepared);
  return prepared.then((told) => answered(services, told));
}

function answered(services: Services, prepared: Prepared): Promise<Answer> {
  if (prepared instanceof Answer) return Promise.resolve(prepared);
  const { answer } = relay(services, prepared);
  const { keeper } = prepared;
  return keeper ? once(services, prepared, keeper, answer) : answer;
}

/** An admitted request, or the answer that was given to an earlier one of the same value. */
type Prepared = Dispatch | Answer;

/**
 * A request from its coming until a vendor may be asked: all that can refuse it. What memory decides is not waited for,
 * so that most requests are through in the turn of the loop that has brought them.
 */
class Arrival {
  readonly #services: Services;
  readonly #wire: PassWire;
  readonly #incoming: Incoming<Sent>;
  readonly #particular: Particular;
  readonly #trace: RequestTrace | undefined;
  #body: Body | undefined;
  #request: ClientRequest | undefined;
  #keeper: AnswerKeeper | undefined;
  #caller: Caller | undefined;

  constructor(
    services: Services,
    wire: PassWire,
    incoming: Incoming<Sent>,
    particular: Particular,
    trace: RequestTrace | undefined,
  ) {
    this.#services = services;
    this.#wire = wire;
    this.#incoming = incoming;
    this.#particular = particular;
    this.#trace = trace;
  }

  prepared(): Soon<Prepared> {
    const { endpoint } = this.#wire;
    const { face } = this.#particular;
    const known = identify(this.#services, endpoint, this.#incoming, face, this.#trace);
    return known instanceof Promise
      ? known.then((caller) => this.#enter(caller))
      : this.#enter(known);
  }

  /** From here on what refuses it leaves a row, under the key that has asked. */
  #enter(caller: Caller): Soon<Prepared> {
    this.#caller = caller;
    try {
      const prepared = this.#take(caller);
      if (!(prepared instanceof Promise)) return prepared;
      return prepared.catch((thrown) => this.#refused(thrown));
    } catch (thrown) {
      return this.#refused(thrown);
    }
  }

  #take(caller: Caller): Soon<Prepared> {
    const taken = takeBody(this.#services, caller, this.#incoming, this.#particular.read);
    return taken instanceof Promise ? taken.then((body) => this.#read(body)) : this.#read(taken);
  }

  #read(body: Body): Soon<Prepared> {
    this.#body = body;
    this.#incoming.keepOpen();
    if (this.#isLate) return this.#knownAgain().then(() => this.#readOn(body));
    return this.#readOn(body);
  }

  #readOn(body: Body): Soon<Prepared> {
    const read = readRequest(this.#wire, body, this.#particular.path);
    if (read instanceof Promise) return read.then((request) => this.#claim(request, body));
    return this.#claim(read, body);
  }

  #claim(request: ClientRequest, body: Body): Soon<Prepared> {
    this.#request = request;
    const value = this.#incoming.request.headers.get(IDEMPOTENCY_KEY);
    return value === null ? this.#prepare(request, body) : this.#claimed(value, request, body);
  }

  /** With an `Idempotency-Key`: the first with its value goes on, all others get its answer. */
  async #claimed(value: string, request: ClientRequest, body: Body): Promise<Prepared> {
    const { idempotency } = this.#services;
    const earlier = await idempotency.open(this.#known, this.#incoming, value, body.text);
    if (!(earlier instanceof Answer)) this.#keeper = earlier;
    // It may have waited for another request of the same value, for as long as a vendor may take.
    if (this.#isLate) await this.#knownAgain();
    if (!(earlier instanceof Answer)) return this.#prepare(request, body);
    giveBack(this.#services, this.#known);
    body.release();
    return earlier;
  }

  #prepare(request: ClientRequest, body: Body): Soon<Prepared> {
    const asked = { request, body };
    const keeper = this.#keeper;
    const particular = this.#particular;
    return prepare(
      this.#services,
      this.#wire,
      this.#known,
      asked,
      this.#incoming,
      particular,
      keeper,
    );
  }

  get #known(): Caller {
    return this.#caller as Caller;
  }

  get #isLate(): boolean {
    return isLate(this.#services, this.#known);
  }

  async #knownAgain(): Promise<void> {
    const { face } = this.#particular;
    this.#caller = await identifyAgain(this.#services, this.#known, this.#incoming, face);
  }

  /** Throws what the client hears. */
  #refused(thrown: unknown): Soon<never> {
    this.#body?.release();
    const caller = this.#known;
    const fault = refuse(this.#services, caller, this.#request, thrown);
    const keeper = this.#keeper;
    if (!keeper) throw fault;
    return letGo(this.#services, keeper, fault, caller.allowance).then(() => {
      throw fault;
    });
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
