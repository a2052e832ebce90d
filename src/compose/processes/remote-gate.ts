import type { GateFacts, GateView } from "../../gateway/gate-view.ts";
import type { CallModels } from "../../gateway/model-calls.ts";
import { newId } from "../../lib/ids.ts";
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

/** The gate, asked from its office. What its vendors list is taken over into the routes of this process. */
export class RemoteGate implements GateView {
  readonly #socket: string;
  readonly #routes: Routes;

  constructor(socket: string, routes: Routes) {
    this.#socket = socket;
    this.#routes = routes;
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
