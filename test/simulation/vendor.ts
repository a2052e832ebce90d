import {
  type Channel,
  plainChannel,
  type UpstreamCall,
} from "../../src/upstream/channels/channels.ts";
import { VendorKey } from "../../src/upstream/channels/credentials.ts";
import { sentText } from "../support/vendors/sent-text.ts";
import { refusalBody, type WireName } from "./frames.ts";
import { MODELS, type SimModel } from "./models.ts";
import { type Counts, type Script, statusOf } from "./scripts.ts";
import { type Step, stepsOf } from "./steps.ts";
import type { Moment, VirtualTime } from "./time.ts";

/** One call to a vendor as the vendor saw it: what it did and how much of it was read. */
export interface VendorCall {
  readonly channel: string;
  readonly bills: "abort" | "drain";
  readonly wire: WireName;
  readonly model: SimModel;
  readonly script: Script;
  readonly startedAtMs: number;
  /** The most output that the gateway asked for. */
  readonly maxOutput: number | undefined;
  /** What the gateway has read. */
  text: string;
  counts: Counts | undefined;
  isPartial: boolean;
  /** When it last read something. */
  readAtMs: number | undefined;
  ended: Moment | undefined;
  failed: Moment | undefined;
  /** The gateway hung up. */
  aborted: Moment | undefined;
  /** Nothing is left to read. */
  isOver: boolean;
}

interface ChannelPlan {
  readonly id: string;
  readonly wires: readonly WireName[];
  readonly bills: "abort" | "drain";
  readonly weight: number;
  readonly priority: number;
  readonly models: readonly SimModel[];
}

const [MAIN, SPARE] = MODELS;

const CHANNELS: readonly ChannelPlan[] = [
  { id: "one", wires: ["chat"], bills: "abort", weight: 3, priority: 1, models: [MAIN] },
  { id: "two", wires: ["responses"], bills: "drain", weight: 2, priority: 1, models: MODELS },
  { id: "three", wires: ["messages"], bills: "abort", weight: 2, priority: 1, models: MODELS },
  { id: "four", wires: ["gemini"], bills: "drain", weight: 2, priority: 1, models: [MAIN] },
  {
    id: "five",
    wires: ["responses", "chat"],
    bills: "abort",
    weight: 1,
    priority: 0,
    models: MODELS,
  },
  { id: "six", wires: ["messages"], bills: "drain", weight: 1, priority: 0, models: [SPARE] },
];

const KEYS_PER_CHANNEL = 4;

/** Gives each call its script. */
export interface Playbook {
  readonly models: readonly [SimModel, SimModel];
  readonly time: VirtualTime;
  scriptFor(requestId: string): Script;
  called(requestId: string, call: VendorCall): void;
}

/** The vendors that the scripts are played by. */
export function simulatedChannels(book: Playbook): Channel[] {
  return CHANNELS.map((plan) =>
    plainChannel({
      id: plan.id,
      vendor: plan.id,
      onDisconnect: plan.bills,
      weight: plan.weight,
      priority: plan.priority,
      endpoints: plan.wires,
      keys: Array.from(
        { length: KEYS_PER_CHANNEL },
        (_, i) => new VendorKey(`${plan.id}-key-${i}-secret`),
      ),
      models: plan.models.map(({ id, upstreamId }) => ({ id, upstreamId })),
      send: (call, _key, signal) => answer(book, plan, call, signal),
    }),
  );
}

function modelOf({ models }: Playbook, call: UpstreamCall): SimModel {
  const named = call.endpoint === "gemini" ? call.path : sentText(call);
  const model = models.find(({ upstreamId }) => named.includes(upstreamId));
  if (!model) throw new Error(`no model is named in ${call.path} ${sentText(call)}`);
  return model;
}

/** By whichever name the wire has for it. */
function maxOutputOf(call: UpstreamCall): number | undefined {
  const body = sentText(call);
  const match = /"max(?:_completion|_output)?_?[tT]okens":(\d+)|"maxOutputTokens":(\d+)/.exec(body);
  return match ? Number(match[1] ?? match[2]) : undefined;
}

async function answer(
  book: Playbook,
  plan: ChannelPlan,
  asked: UpstreamCall,
  signal: AbortSignal,
): Promise<Response> {
  const { time } = book;
  const script = book.scriptFor(asked.requestId);
  const wire = asked.endpoint as WireName;
  const call: VendorCall = {
    channel: plan.id,
    bills: plan.bills,
    wire,
    model: modelOf(book, asked),
    script,
    startedAtMs: time.clock(),
    maxOutput: maxOutputOf(asked),
    text: "",
    counts: undefined,
    isPartial: false,
    readAtMs: undefined,
    ended: undefined,
    failed: undefined,
    aborted: undefined,
    isOver: false,
  };
  const { promise: hungUp, reject } = Promise.withResolvers<never>();
  hungUp.catch(() => {});
  signal.addEventListener("abort", () => {
    call.aborted ??= time.now();
    reject(signal.reason);
  });
  book.called(asked.requestId, call);
  if (script.fault === "stall_before") await hungUp;
  await Promise.race([hungUp, time.sleep(script.headersMs)]);
  if (script.fault === "reset_before") {
    call.failed = time.now();
    call.isOver = true;
    throw new Error("ECONNRESET");
  }
  const status = statusOf(script.fault);
  if (status === undefined) {
    const steps = stepsOf(wire, asked.stream, script);
    return new Response(bodyOf(steps, call, book.time, signal), {
      headers: { "x-request-id": "v1" },
    });
  }
  const facts = { fails: true };
  const steps: Step[] = [
    { delayMs: 1, does: "send", bytes: Buffer.from(refusalBody()), facts: {} },
    { delayMs: 1, does: "close", facts },
  ];
  const headers: Record<string, string> =
    script.fault === "status_429_after" ? { "retry-after": "3" } : {};
  return new Response(bodyOf(steps, call, book.time, signal), { status, headers });
}

/** A body that is written only as it is read, so that what was written is what the gateway knows. */
function bodyOf(
  steps: readonly Step[],
  call: VendorCall,
  time: VirtualTime,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  let next = 0;
  const learn = ({ facts, does }: Step) => {
    const now = time.now();
    call.readAtMs = now.atMs;
    call.text += facts.says ?? "";
    if (facts.counts) {
      call.counts = facts.counts;
      call.isPartial = facts.isPartial ?? false;
    }
    if (facts.ends) call.ended ??= now;
    if (facts.fails) call.failed ??= now;
    if (does !== "send") call.isOver = true;
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        signal.addEventListener("abort", () => {
          if (!call.isOver) controller.error(signal.reason);
        });
      },
      async pull(controller) {
        const step = steps[next++] as Step;
        if (step.does === "stall") await new Promise(() => {});
        await time.sleep(step.delayMs);
        if (signal.aborted) return;
        learn(step);
        if (step.does === "close") controller.close();
        else if (step.does === "reset") controller.error(new Error("ECONNRESET"));
        else controller.enqueue(step.bytes as Uint8Array);
      },
    },
    { highWaterMark: 0 },
  );
}
