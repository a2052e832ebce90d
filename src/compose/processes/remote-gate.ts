import { AsyncLocalStorage } from "node:async_hooks";
import { existsSync } from "node:fs";
import type { GateFacts, GateView } from "../../gateway/inner/gate-view.ts";
import type { CallModels } from "../../gateway/inner/model-calls.ts";
import { INNER_GATE } from "../../http/inner.ts";
import { newId } from "../../lib/ids.ts";
import type { Route } from "../../lib/route.ts";
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

/**
 * The gate, asked from its office: of several the one that has passed a request on, and for what nobody asked
 * the first that is there. What its vendors list is taken over into the routes of this process.
 */
export class RemoteGate implements GateView {
  readonly #sockets: readonly string[];
  readonly #routes: Routes;
  readonly #current = new AsyncLocalStorage<string>();

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
        const socket = this.#sockets[gate] ?? this.#first;
        return this.#current.run(socket, () => route.handle(incoming));
      },
    }));
  }

  get #first(): string {
    return this.#sockets.find((path) => existsSync(path)) ?? "";
  }

  get #socket(): string {
    return this.#current.getStore() ?? this.#first;
  }

  async #ask(method: "GET" | "POST", path: string, asked?: ChannelAsked): Promise<Response> {
    const body = asked ? JSON.stringify(asked) : null;
    const call = { method, url: `${ORIGIN}${path}`, headers: new Headers(), body };
    const caller = { requestId: newId("req_"), address: () => "" };
    const answer = await askInner(this.#socket, call, caller);
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

  async metrics(): Promise<string> {
    return (await this.#ask("GET", GATE_METRICS_PATH)).text();
  }

  async test(channel: string, model: string | undefined): Promise<ChannelTest | undefined> {
    const answer = await this.#ask("POST", TEST_PATH, { channel, model });
    return ((await answer.json()) as ChannelTest | null) ?? undefined;
  }

  async prove(channel: string): Promise<void> {
    await this.#ask("POST", PROVE_PATH, { channel });
  }

  /** Models, called as clients call them. */
  readonly call: CallModels = async (request, caller) => {
    const { method, url, headers, body, signal } = request;
    const answer = await askInner(this.#socket, { method, url, headers, body, signal }, caller);
    const fault = await faultOf(answer);
    if (fault) throw fault;
    return passedOn(answer, answer.body);
  };
}
