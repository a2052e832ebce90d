// A few small calls to each configured vendor, on each of its wires, whose answers are compared with their shapes.
import type { Model } from "../../catalogue/models.ts";
import type { Limits } from "../../config/config.ts";
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/faults.ts";
import { JsonText } from "../../protocols/bytes/splice.ts";
import type { JsonObject } from "../../protocols/fields.ts";
import type { Wires } from "../../protocols/wires.ts";
import { answerOf, cheapest, refusalIn, type Trial, writtenFor } from "../channels/channel-test.ts";
import type { Channel } from "../channels/channels.ts";
import { forOperators, type VendorKey } from "../channels/credentials.ts";
import { LIST_BYTES_MAX, namesIn } from "../channels/fetched-models.ts";
import { type VendorRefusal, wordsOfVendor } from "../refusal.ts";
import type { Route, Routes } from "../routing.ts";
import { fetchedAnswer } from "../transport/fetched-call.ts";
import type { VendorEndpoint } from "../vendors.ts";
import { compare, type Differences, type LiveCallName, shapeOf } from "./shapes.ts";

/** The deadline of each call, unless the settings have a shorter one for answers. */
const WITHIN_MS = 60_000;
/** Models that think need some of it for that. */
export const LIVE_OUTPUT_TOKENS = 512;
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
/** The statuses of vendors without a list of models. */
const UNLISTED = [404, 405, 501];

const TOOL = {
  type: "function",
  function: {
    name: "report",
    description: "Reports one word.",
    parameters: {
      type: "object",
      properties: { word: { type: "string" } },
      required: ["word"],
      additionalProperties: false,
    },
  },
};
const CALLS = ["whole", "stream", "tool"] as const;

/** The result of one call. */
export interface LiveCall extends Differences {
  readonly channel: string;
  readonly wire: VendorEndpoint;
  /** Undefined if the channel serves no model on this wire, so that nothing could be sent. */
  readonly call: LiveCallName | undefined;
  /** Our id of the model; undefined for the list of models. */
  readonly model: string | undefined;
  /** The reason why there is no answer or why the gateway cannot read it. It holds no key. */
  readonly failure: string | undefined;
}

/** The calls that a vendor bills, told before they are made. */
export interface LivePlan {
  readonly calls: number;
  readonly channels: readonly string[];
}

interface LiveParts {
  readonly routes: Routes;
  readonly wires: Wires;
  readonly limits: Limits;
  readonly clock: Clock;
  onPlan(plan: LivePlan): void;
}

interface Outcome {
  readonly told: LiveCall;
  readonly refusal: VendorRefusal | undefined;
}

const ALIKE: Differences = { lacks: [], other: [], more: [] };
const UNSENT = { ...ALIKE, call: undefined, model: undefined, failure: undefined };

/** The data of a stream's events, as one array. */
function eventsIn(text: string, key: VendorKey): unknown[] {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.startsWith("data:"));
  const data = lines.map((line) => line.slice("data:".length).trim());
  return data.filter((each) => each !== "" && each !== "[DONE]").map((each) => key.parse(each));
}

/** A vendor's words on one line, without the key and without anything that moves a terminal's cursor. */
function clean(text: string, key: VendorKey): string {
  return forOperators(key.hide(text)).replaceAll(/\p{Cc}+/gu, " ");
}

/** Vendors choose the names of members, so a name is shown as carefully as an error. */
function shown({ lacks, other, more }: Differences, key: VendorKey): Differences {
  const cleaned = (paths: readonly string[]) => paths.map((path) => clean(path, key));
  return { lacks, other: cleaned(other), more: cleaned(more) };
}

function said(model: Model, endpoint: VendorEndpoint, call: LiveCallName): JsonObject {
  if (endpoint === "embeddings") return { model: model.id, input: "ok" };
  const content = call === "tool" ? 'Call the tool `report` with the word "ok".' : "Reply with ok.";
  return {
    model: model.id,
    messages: [{ role: "user", content }],
    max_completion_tokens: LIVE_OUTPUT_TOKENS,
    ...(call === "tool" ? { tools: [TOOL] } : {}),
    ...(call === "stream" ? { stream: true } : {}),
  };
}

/** The cheapest model of a channel on a wire. */
function routeFor(routes: Routes, channel: Channel, endpoint: VendorEndpoint, nowMs: number) {
  const served = routes.modelsOf(channel.id).filter((model) => {
    const route = routes.routeOn(channel.id, model);
    return route?.endpoints.includes(endpoint);
  });
  const model = cheapest(served, nowMs);
  const route = model && routes.routeOn(channel.id, model);
  return model && route ? { model, route } : undefined;
}

/** Makes the calls of one installation. */
class LiveCheck {
  readonly #parts: LiveParts;
  readonly #withinMs: number;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    this.#withinMs = Math.min(WITHIN_MS, parts.limits.upstream_answer_ms);
  }

  async #ask(
    key: VendorKey,
    about: Pick<LiveCall, "channel" | "wire" | "model"> & { readonly call: LiveCallName },
    trial: Omit<Trial, "check">,
    read: (text: string) => { answer: unknown; fails?: () => void },
  ): Promise<Outcome> {
    let differences = ALIKE;
    const check = (text: string) => {
      const { answer, fails } = read(text);
      const shape = shapeOf(about.wire, about.call);
      if (shape) differences = shown(compare(answer, shape), key);
      try {
        fails?.();
      } catch (thrown) {
        throw thrown instanceof Fault ? new Error(wordsOfVendor(thrown) ?? thrown.message) : thrown;
      }
    };
    const { clock } = this.#parts;
    const refusal = await refusalIn({ key }, { ...trial, check }, clock, this.#withinMs);
    const failure = refusal && clean(refusal.message, key);
    return { told: { ...about, ...differences, failure }, refusal };
  }

  /** Asks for the list of models, which no vendor bills. Returns undefined where there is none. */
  async list(channel: Channel, wire: VendorEndpoint): Promise<Outcome | undefined> {
    const [key] = channel.keys;
    const list = channel.list;
    if (!list || !key) return undefined;
    const about = { channel: channel.id, wire, call: "models", model: undefined } as const;
    const trial = {
      send: (_: unknown, signal: AbortSignal) => list(key, signal).then(fetchedAnswer),
      bytesMax: LIST_BYTES_MAX,
    };
    const outcome = await this.#ask(key, about, trial, (text) => {
      const body = key.parse(text);
      const names = namesIn(body);
      if (names && channel.models === "fetch") this.#parts.routes.learn(channel, names);
      // Some vendors send the array alone.
      return { answer: Array.isArray(body) ? { data: body } : body };
    });
    if (UNLISTED.includes(outcome.refusal?.status ?? 0)) return undefined;
    // Each vendor says something else of its models, and only their names are read.
    return { ...outcome, told: { ...outcome.told, more: [] } };
  }

  async #call(
    channel: Channel,
    key: VendorKey,
    planned: Planned,
    name: LiveCallName,
  ): Promise<Outcome> {
    const { model, route, wire } = planned;
    const about = { channel: channel.id, wire, call: name, model: model.id };
    const asked = said(model, wire, name);
    const { call, translation } = writtenFor(route, model, wire, asked, this.#parts.wires);
    const trial = {
      send: (_: unknown, signal: AbortSignal) => answerOf(channel.call(call, key), signal),
      bytesMax: ANSWER_BYTES_MAX,
    };
    const options = { model: model.id, echo: {} };
    return this.#ask(key, about, trial, (text) => {
      if (!call.stream) {
        const fails = () => {
          const { failure } = translation.readResult(JSON.parse(text), new JsonText(text), options);
          if (failure) throw failure;
        };
        return { answer: key.parse(text), fails };
      }
      const fails = () => {
        const filter = translation.openStream(options);
        filter.push(new TextEncoder().encode(text));
        if (!filter.ended && !filter.failure) filter.close();
        if (filter.failure) throw filter.failure;
      };
      return { answer: eventsIn(text, key), fails };
    });
  }

  /** One after another. A refused key or a vendor that is away ends it, since the others would fail alike. */
  async calls(channel: Channel, planned: readonly Planned[]): Promise<LiveCall[]> {
    const told: LiveCall[] = [];
    const [key] = channel.keys;
    if (!key) return told;
    for (const each of planned) {
      for (const name of each.calls) {
        const { told: one, refusal } = await this.#call(channel, key, each, name);
        told.push(one);
        if (refusal && isOver(refusal)) return told;
      }
    }
    return told;
  }

  plan(channel: Channel): { planned: Planned[]; unserved: LiveCall[] } {
    const { routes, clock } = this.#parts;
    const planned: Planned[] = [];
    const unserved: LiveCall[] = [];
    for (const wire of channel.endpoints) {
      const found = routeFor(routes, channel, wire, clock());
      const calls = CALLS.filter((call) => shapeOf(wire, call));
      if (found) planned.push({ ...found, wire, calls });
      else unserved.push({ channel: channel.id, wire, ...UNSENT });
    }
    return { planned, unserved };
  }
}

interface Planned {
  readonly model: Model;
  readonly route: Route;
  readonly wire: VendorEndpoint;
  readonly calls: readonly LiveCallName[];
}

function isOver({ kind }: VendorRefusal): boolean {
  return kind === "credential" || kind === "unreachable";
}

/**
 * Calls each channel on each of its wires with its first key and the cheapest model there: a whole answer, a stream and a
 * call of a tool. The list of models comes first, and a channel that refuses it gets no further call.
 */
export async function checkLive(
  channels: readonly Channel[],
  parts: LiveParts,
): Promise<readonly LiveCall[]> {
  const check = new LiveCheck(parts);
  const listed = await Promise.all(
    channels.map(async (channel) => {
      const [wire] = channel.endpoints;
      return { channel, list: wire && (await check.list(channel, wire)) };
    }),
  );
  const plans = listed.map(({ channel, list }) => {
    const over = list?.refusal && isOver(list.refusal);
    const { planned, unserved } = over ? { planned: [], unserved: [] } : check.plan(channel);
    return { channel, list, planned, unserved };
  });
  const billed = plans.filter(({ channel, planned }) => !channel.embedded && planned.length > 0);
  parts.onPlan({
    calls: billed.flatMap(({ planned }) => planned.flatMap(({ calls }) => calls)).length,
    channels: billed.map(({ channel }) => channel.id),
  });
  const told = await Promise.all(
    plans.map(async ({ channel, list, planned, unserved }) => [
      ...(list ? [list.told] : []),
      ...(await check.calls(channel, planned)),
      ...unserved,
    ]),
  );
  return told.flat();
}
