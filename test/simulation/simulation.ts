import type { BudgetPeriod } from "../../src/accounts/keys/budget-window.ts";
import type { AdmissionRequest, RaiseRequest } from "../../src/admission/request.ts";
import { gatewayRoutes } from "../../src/gateway/routes.ts";
import type { Services } from "../../src/gateway/services.ts";
import type { Receipt } from "../../src/ledger/receipt.ts";
import {
  type CheckName,
  checkAllowance,
  checkLimit,
  checkRequest,
  checkSockets,
  type End,
  type Violation,
} from "./checks.ts";
import { Client } from "./client.ts";
import { type Customer, createCustomers } from "./customers.ts";
import { describeRequest } from "./describe.ts";
import { Dice } from "./dice.ts";
import { modelsOf } from "./models.ts";
import type { Story } from "./oracle.ts";
import { drawRequest } from "./planned-requests.ts";
import { type PlantedBug, withBug } from "./planted.ts";
import { drawScript } from "./scripts.ts";
import type { Books, SimStore } from "./store.ts";
import { TURN_MS, type VirtualTime } from "./time.ts";
import type { VendorCall } from "./vendor.ts";
import type { Weather } from "./weather.ts";
import { openServices, simulatedLimits } from "./world.ts";

/** No request has a reason to take this long, whatever happens to it. */
const REST_MS = 600_000;
/** A row of a refusal is written behind the answer, and not again where storage is out just then. */
const REFUSAL_ROW_MS = 1_000;
const VIOLATIONS_MAX = 5;

/** Where the books are kept, and on which time. */
export interface Testbed {
  readonly time: VirtualTime;
  readonly weather: Weather;
  readonly store: SimStore;
  /** Absent while the books can only be read when all is over. */
  readonly live?: Books;
  read(customers: ReadonlyMap<string, Customer>): Promise<Books>;
}

interface Request {
  readonly client: Client;
  readonly calls: VendorCall[];
  /** When it was given more money while it ran. */
  readonly grantedAtMs: number[];
  readonly dice: Dice;
}

export interface Report {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly receipts: readonly Receipt[];
  /** What has happened at all: ends of requests, faults of vendors, pairs of wires. */
  readonly seen: ReadonlySet<string>;
}

/** The receipts of a key by the window in which they were settled; where that is not known, none. */
function windowsOf(
  books: Books,
  receipts: readonly Receipt[],
  period: BudgetPeriod,
): readonly (readonly Receipt[])[] {
  if (period === "total") return [receipts];
  const settled = receipts.filter(({ requestId }) => books.end(requestId) !== undefined);
  const isLate = ({ requestId }: Receipt) => (books.end(requestId)?.atMs ?? 0) >= TURN_MS;
  return [settled.filter((receipt) => !isLate(receipt)), settled.filter(isLate)];
}

/** One run: requests of many clients against vendors and storage that do what the dice say. */
export class Simulation {
  readonly #testbed: Testbed;
  readonly #dice: Dice;
  readonly #limits = simulatedLimits();
  readonly #models: ReturnType<typeof modelsOf>;
  readonly #services: Services;
  readonly #requests = new Map<string, Request>();
  /** Those that nobody has looked at yet, since that is asked after every event. */
  readonly #unchecked = new Map<string, Request>();
  readonly #violations: Violation[] = [];
  /** Requests that ran alone where too little was left for them. */
  readonly #lone = new Set<string>();
  /** What a short answer to each costs at most. */
  readonly #short = new Map<string, bigint>();
  /** What the input of each account has lost the house, as far as it may be written, and as far as it is. */
  readonly #losing = new Map<string, bigint>();
  readonly #lost = new Map<string, bigint>();
  readonly #losses = new Set<string>();
  /** Requests that were charged after their client had been told otherwise: their money can be spent again. */
  readonly #givenBack = new Set<string>();

  constructor(seed: number, testbed: Testbed, bug?: PlantedBug) {
    this.#testbed = testbed;
    this.#dice = new Dice(seed);
    this.#models = modelsOf(seed);
    const { time } = testbed;
    this.#services = openServices({
      store: this.#watched(withBug(testbed.store, bug)),
      limits: this.#limits,
      dice: this.#dice.fork(),
      onProblem: (problem) => this.#report("no fault of ours", undefined, String(problem)),
      book: {
        models: this.#models,
        time,
        scriptFor: (id) => drawScript(this.#request(id).dice),
        called: (id, call) => void this.#request(id).calls.push(call),
      },
    });
  }

  /** Whatever a request is given is looked at as it is decided. */
  #watched(store: SimStore): SimStore {
    const { admission, ledger } = store;
    return {
      ...store,
      ledger: {
        ...ledger,
        settle: async (settlement) => {
          const { requestId, accountId, inputLoss } = settlement.receipt;
          // One that is settled again, as its answer was lost, has lost that before.
          const more = this.#losses.has(requestId) ? 0n : inputLoss;
          this.#losses.add(requestId);
          this.#losing.set(accountId, (this.#losing.get(accountId) ?? 0n) + more);
          const done = await ledger.settle(settlement);
          if (done === "done")
            this.#lost.set(accountId, (this.#lost.get(accountId) ?? 0n) + inputLoss);
          return done;
        },
        credit: async (credit) => {
          const isNew = await ledger.credit(credit);
          if (isNew && credit.charge) this.#givenBack.add(credit.charge.requestId);
          return isNew;
        },
      },
      admission: {
        admit: async (planned) => {
          if (planned.countRate) this.#asked(planned);
          const outcome = await admission.admit(planned);
          if (outcome.kind === "admitted" && outcome.held > 0n) this.#given(planned, outcome.lone);
          return outcome;
        },
        raise: async (planned) => {
          try {
            const outcome = await admission.raise(planned);
            if (outcome.kind === "granted") {
              this.#requests.get(planned.requestId)?.grantedAtMs.push(this.#testbed.time.clock());
              this.#given(planned, outcome.lone);
            }
            return outcome;
          } catch (thrown) {
            // Only the answer may have been lost, and nobody knows what it was.
            this.#lone.add(planned.requestId);
            throw thrown;
          }
        },
      },
    };
  }

  /** Beyond the loss of a day a request asks for all the input that its model can read. */
  #asked({ requestId, accountId, model, least, worst }: AdmissionRequest): void {
    if (worst === 0n || !this.#isBeyondLoss(this.#lost, accountId)) return;
    const asked = this.#models.find(({ id }) => id === model);
    const input = asked && (BigInt(asked.context) * asked.inputPico) / 1_000n;
    if (input !== undefined && least >= input) return;
    this.#report("limits hold", requestId, `${accountId} is not held at the context: ${least}`);
  }

  #isBeyondLoss(losses: ReadonlyMap<string, bigint>, accountId: string): boolean {
    const most = BigInt(Math.round(this.#limits.loss_account_day * 1e9));
    return (losses.get(accountId) ?? 0n) > most;
  }

  #given(
    { requestId, accountId, keyId, hard, loneLeast }: AdmissionRequest | RaiseRequest,
    lone: boolean,
  ): void {
    if (lone) this.#lone.add(requestId);
    this.#short.set(requestId, loneLeast);
    const { live } = this.#testbed;
    const overdraft = this.#requests.get(requestId)?.client.planned.customer.overdraft ?? 0n;
    const by = { overdraft, hard, loneMax: this.#limits.lone_max, short: loneLeast };
    const found = live ? checkAllowance(by, lone, live.scopes(accountId, keyId)) : [];
    for (const { check, message } of found) this.#report(check, requestId, message);
  }

  async run(count: number): Promise<Omit<Report, "seed">> {
    const { time, weather, store } = this.#testbed;
    const customers = await createCustomers(store, this.#dice);
    const lastMs = this.#arrive(count, customers);
    weather.plan(lastMs);
    const atRest = await time.run(lastMs + REST_MS, () => this.#checkEnded());
    if (!atRest) this.#report("comes to rest", undefined, "something still waits");
    const byId = new Map(customers.map((customer) => [customer.keyId, customer]));
    const books = this.#testbed.live ?? (await this.#testbed.read(this.#customers()));
    for (const [id, request] of this.#requests) this.#checkRequest(id, request, books, true);
    this.#checkBooks(books);
    this.#checkRest();
    this.#checkLimits(books, byId);
    const receipts = books.receipts();
    return { violations: this.#violations, receipts, seen: this.#seen(receipts) };
  }

  #seen(receipts: readonly Receipt[]): Set<string> {
    const seen = new Set(receipts.map(({ billingReason }) => billingReason as string));
    for (const { errorCode } of receipts) if (errorCode) seen.add(errorCode);
    for (const { client, calls } of this.#requests.values()) {
      for (const { script, wire } of calls) {
        seen.add(script.fault);
        seen.add(`${client.planned.wire} to ${wire}${client.planned.stream ? ", streamed" : ""}`);
      }
    }
    return seen;
  }

  /** Some come alone, some in crowds. Returns when the last one comes. */
  #arrive(count: number, customers: readonly Customer[]): number {
    const routes = gatewayRoutes(this.#services);
    const { time } = this.#testbed;
    let atMs = 0;
    for (let i = 0; i < count; i++) {
      atMs += this.#dice.chance(0.5) ? this.#dice.between(0, 20) : this.#dice.between(0, 1_500);
      const id = `req_${String(i).padStart(5, "0")}`;
      const planned = drawRequest(id, this.#dice.pick(customers), this.#dice);
      const dice = this.#dice.fork();
      time.after(atMs, () => {
        const client = new Client(planned, this.#services, time);
        const request = { client, calls: [], grantedAtMs: [], dice };
        this.#requests.set(id, request);
        this.#unchecked.set(id, request);
        client.onSuccess = () => this.#checkSuccess(id);
        client.run(routes).catch((thrown) => this.#report("no fault of ours", id, String(thrown)));
      });
    }
    return atMs;
  }

  #customers(): Map<string, Customer> {
    return new Map([...this.#requests].map(([id, { client }]) => [id, client.planned.customer]));
  }

  #request(id: string): Request {
    const request = this.#requests.get(id);
    if (!request) throw new Error(`a vendor was called for ${id}, which nobody sent`);
    return request;
  }

  #report(check: CheckName, requestId: string | undefined, message: string): void {
    if (this.#violations.length >= VIOLATIONS_MAX) return;
    const request = requestId === undefined ? undefined : this.#requests.get(requestId);
    const script = request ? describeRequest(request.client, request.calls) : "";
    this.#violations.push({ check, requestId, message: message + script });
  }

  #storyOf({ client, calls, grantedAtMs }: Request): Story {
    const fromMs = client.startedAtMs;
    const isGone = client.left !== undefined || client.stopped;
    const nowMs = this.#testbed.time.clock();
    const toMs = (isGone ? nowMs : (client.endedAtMs ?? nowMs)) + REFUSAL_ROW_MS;
    const { weather } = this.#testbed;
    const storageWasOut = weather.wasOut(fromMs, toMs);
    const replyWasLost = weather.lostReply(fromMs, toMs);
    const mayBeAtContext = this.#isBeyondLoss(this.#losing, client.planned.customer.accountId);
    const weathered = { storageWasOut, replyWasLost };
    return { client, calls, ...weathered, grantedAtMs, mayBeAtContext, limits: this.#limits };
  }

  /** An answer that was received in full has been settled before its last byte. */
  #checkSuccess(id: string): void {
    const { live } = this.#testbed;
    if (!live) return;
    const receipt = live.receipt(id);
    if (receipt && !live.isHeld(id)) return;
    this.#report("settled before the end", id, "the client has it all, the books have not");
  }

  /** Looks at every request that has come to its end since the last event. */
  #checkEnded(): void {
    const { live } = this.#testbed;
    if (!live) return;
    for (const [id, request] of this.#unchecked) {
      if (request.client.endedAtMs === undefined || live.isHeld(id)) continue;
      if (request.client.stopped && !request.client.left) continue;
      if (live.receipt(id)) this.#checkRequest(id, request, live, false);
    }
  }

  #checkRequest(id: string, request: Request, books: Books, final: boolean): void {
    const story = this.#storyOf(request);
    const open = final ? checkSockets(story, true) : [];
    for (const { check, message } of open) this.#report(check, id, message);
    if (!this.#unchecked.delete(id)) return;
    if (request.client.endedAtMs === undefined) {
      this.#report("comes to rest", id, "the client still waits");
    }
    if (books.isHeld(id)) this.#report("no open hold", id, "its hold is still open");
    const receipt = books.receipt(id);
    if (!receipt) {
      // Without storage there is no row of a refusal; whoever reached a vendor has one.
      const excused = story.calls.length === 0 && story.storageWasOut;
      if (!excused) this.#report("one receipt", id, "there is none");
      return;
    }
    for (const found of checkRequest(story, receipt)) this.#report(found.check, id, found.message);
    if (this.#testbed.live) this.#checkBooks(books);
  }

  #checkBooks(books: Books): void {
    for (const problem of books.problems()) this.#report("books add up", undefined, problem);
    const strangers = books.ids().filter((id) => !this.#requests.has(id));
    if (strangers.length === 0) return;
    this.#report("one receipt", undefined, `nobody sent ${strangers.join(", ")}`);
  }

  #checkRest(): void {
    const { admission, bodies, drains, watchdog, tasks } = this.#services;
    const left = {
      waiting: admission.waiting,
      bytes: bodies.bytesInFlight,
      drains: drains.running,
      watches: watchdog.size,
      tasks: tasks.size,
    };
    if (Object.values(left).every((count) => count === 0)) return;
    this.#report("comes to rest", undefined, `left over: ${JSON.stringify(left)}`);
  }

  #checkLimits(books: Books, customers: ReadonlyMap<string, Customer>): void {
    const receipts = Map.groupBy(books.receipts(), ({ keyId }) => keyId);
    const byAccount = Map.groupBy(books.receipts(), ({ accountId }) => accountId);
    const endOf = ({ requestId, charge }: Receipt): End => {
      const lone = this.#lone.has(requestId);
      const charged = this.#givenBack.has(requestId) ? 0n : charge.amount;
      return { charged, short: this.#short.get(requestId) ?? 0n, lone };
    };
    for (const { keyId, accountId, budgets, credited, overdraft, hard } of customers.values()) {
      const by = { overdraft, hard, loneMax: this.#limits.lone_max };
      const ofAccount = {
        ...{ id: accountId, kind: "balance" as const, max: credited, by },
        ends: (byAccount.get(accountId) ?? []).map(endOf),
      };
      const ofKey = budgets.flatMap(({ amount: max, period }) =>
        windowsOf(books, receipts.get(keyId) ?? [], period).map((settled) => {
          const id = `${keyId} (${period})`;
          return { id, kind: "budget" as const, max, by, ends: settled.map(endOf) };
        }),
      );
      const found = [ofAccount, ...ofKey].flatMap(checkLimit);
      for (const { check, message } of found) this.#report(check, undefined, message);
    }
  }
}
