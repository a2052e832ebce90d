import { AsyncLocalStorage } from "node:async_hooks";
import type { GateFacts, GateHealth, GateView } from "../../gateway/inner/gate-view.ts";
import type { CallModels } from "../../gateway/inner/model-calls.ts";
import { INNER_GATE } from "../../http/inner.ts";
import { newId } from "../../lib/ids.ts";
import type { Route } from "../../lib/route.ts";
import type { ChannelCounts, ChannelStatus } from "../../upstream/channels/channel-state.ts";
import type { ChannelTest } from "../../upstream/channels/channel-test.ts";
import type { Routes } from "../../upstream/routing.ts";
import {
  type ChannelAsked,
  FACTS_PATH,
  GATE_METRICS_PATH,
  PROVE_PATH,
  TEST_PATH,
} from "./gate-routes.ts";
import { askInner, faultOf, passedOn } from "./inner-call.ts";

/** Any name: the socket says where it goes. */
const ORIGIN = "http://localhost";

/** Where all gates are asked, one that says nothing for so long is left out. */
const ANSWER_MS = 5_000;

const TOWARDS_WORST = ["ok", "untried", "failing", "trial", "cooled", "refused"];

function sumOf(counts: readonly ChannelCounts[]): ChannelCounts {
  return {
    attempts: counts.reduce((sum, { attempts }) => sum + attempts, 0),
    failures: counts.reduce((sum, { failures }) => sum + failures, 0),
  };
}

/** Each channel once, as the gate knows it that has fared worst with it. Calls of all gates are added up. */
function worstOf(channels: readonly ChannelStatus[]): readonly ChannelStatus[] {
  const rank = ({ state }: ChannelStatus) => TOWARDS_WORST.indexOf(state);
  return Object.values(Object.groupBy(channels, ({ id }) => id)).flatMap((each = []) => {
    const worst = each.toSorted((one, other) => rank(other) - rank(one))[0];
    if (!worst || each.length === 1) return each;
    const recent = sumOf(each.map((status) => status.recent));
    return [{ ...worst, recent, totals: sumOf(each.map(({ totals }) => totals)) }];
  });
}

/** Whether somebody listens: the socket of one that was killed is still there. */
async function isOpen(path: string): Promise<boolean> {
  try {
    const socket = await Bun.connect({ unix: path, socket: { data() {} } });
    socket.end();
    return true;
  } catch {
    return false;
  }
}

/** What is asked of a gate beside the requests of clients. */
interface Question {
  readonly asked?: ChannelAsked;
  /** Which of them; where it is not said, the one that has to do with what runs here. */
  readonly socket?: string;
  readonly signal?: AbortSignal;
}

/**
 * The gate, asked from its office: of several the one that has passed a request on, and for what nobody asked
 * the first that answers. What its vendors list is taken over into the routes of this process.
 */
export class RemoteGate implements GateView {
  readonly #sockets: readonly string[];
  readonly #routes: Routes;
  readonly #current = new AsyncLocalStorage<string | undefined>();

  constructor(sockets: readonly string[], routes: Routes) {
    this.#sockets = sockets;
    this.#routes = routes;
  }

  /** These routes, which ask the gate that has passed their request on. */
  asked(routes: readonly Route[]): readonly Route[] {
    return routes.map((route) => ({
      ...route,
      handle: (incoming) => {
        const gate = Number(incoming.request.headers.get(INNER_GATE) ?? 0);
        return this.#current.run(this.#sockets[gate], () => route.handle(incoming));
      },
    }));
  }

  async #first(): Promise<string> {
    for (const path of this.#sockets) if (await isOpen(path)) return path;
    throw new Error("no gate answers");
  }

  async #socket(): Promise<string> {
    return this.#current.getStore() ?? (await this.#first());
  }

  async #ask(
    method: "GET" | "POST",
    path: string,
    { asked, socket, signal }: Question = {},
  ): Promise<Response> {
    const body = asked ? JSON.stringify(asked) : null;
    const call = { method, url: `${ORIGIN}${path}`, headers: new Headers(), body, signal };
    const caller = { requestId: newId("req_"), address: () => "" };
    const answer = await askInner(socket ?? (await this.#socket()), call, caller);
    const fault = await faultOf(answer);
    if (fault) throw fault;
    return answer;
  }

  async facts(): Promise<GateFacts> {
    const answer = await this.#ask("GET", FACTS_PATH);
    const facts = (await answer.json()) as GateFacts;
    for (const { channel } of this.#routes.states) {
      const listed = facts.listed[channel.id];
      if (listed && !Bun.deepEquals(listed, this.#routes.listed.get(channel.id))) {
        this.#routes.learn(channel, listed);
      }
    }
    return facts;
  }

  async health(): Promise<GateHealth> {
    const told = await Promise.allSettled(this.#sockets.map((socket) => this.#factsAt(socket)));
    const heard = told.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    if (heard.length === 0) throw new Error("no gate answers");
    const count = (name: keyof GateHealth["recent"]) =>
      heard.reduce((sum, { recent }) => sum + recent[name], 0);
    return {
      channels: worstOf(heard.flatMap(({ channels }) => channels)),
      storage: heard.find(({ storage }) => storage)?.storage ?? null,
      recent: {
        requests: count("requests"),
        failures: count("failures"),
        unavailable: count("unavailable"),
      },
    };
  }

  async #factsAt(socket: string): Promise<GateFacts> {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await this.#ask("GET", FACTS_PATH, { socket, signal });
    return (await answer.json()) as GateFacts;
  }

  async metrics(): Promise<string> {
    return (await this.#ask("GET", GATE_METRICS_PATH)).text();
  }

  async test(channel: string, model: string | undefined): Promise<ChannelTest | undefined> {
    const answer = await this.#ask("POST", TEST_PATH, { asked: { channel, model } });
    return ((await answer.json()) as ChannelTest | null) ?? undefined;
  }

  async prove(channel: string): Promise<void> {
    await this.#ask("POST", PROVE_PATH, { asked: { channel } });
  }

  /** Models, called as clients call them. */
  readonly call: CallModels = async (request, caller) => {
    const { method, url, headers, body, signal } = request;
    const socket = await this.#socket();
    const answer = await askInner(socket, { method, url, headers, body, signal }, caller);
    const fault = await faultOf(answer);
    if (fault) throw fault;
    return passedOn(answer, answer.body);
  };
}
