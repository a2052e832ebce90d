import type { CanonEvent } from "../../canon.ts";
import type { JsonObject } from "../../fields.ts";
import { objectOf, textOf } from "../../optional.ts";
import { faultOfMessagesEvent } from "../faults.ts";
import { countsOutput, earlyUsage, laterUsage, readMessagesUsage } from "../usage.ts";
import {
  type AnswerState,
  closeBlock,
  closeMessage,
  growBlock,
  openBlock,
} from "./answer-blocks.ts";
import { readStopReason } from "./stop-reasons.ts";

function refuse(state: AnswerState, explanation: string): void {
  const parts = [{ type: "refusal", text: explanation } as const];
  state.out.push(
    { type: "item", item: { type: "message", role: "assistant", parts: [] } },
    { type: "refusal", delta: explanation },
    { type: "item_done", item: { type: "message", role: "assistant", parts } },
  );
}

const HANDLERS = new Map<unknown, (state: AnswerState, event: JsonObject) => void>([
  [
    "message_start",
    (state, event) => {
      const message = objectOf(event.message);
      const id = typeof message.id === "string" ? message.id : undefined;
      state.out.push({ type: "begin", id });
      state.usage = laterUsage(state.usage, message.usage);
      const usage = readMessagesUsage(state.usage);
      if (usage) state.out.push({ type: "usage", usage });
    },
  ],
  ["content_block_start", (state, event) => openBlock(state, objectOf(event.content_block))],
  ["content_block_delta", (state, event) => growBlock(state, objectOf(event.delta))],
  ["content_block_stop", closeBlock],
  [
    "message_delta",
    (state, event) => {
      state.usage = laterUsage(state.usage, event.usage);
      state.outputCounted ||= countsOutput(event.usage);
      const delta = objectOf(event.delta);
      if (typeof delta.stop_reason !== "string") return;
      const explanation = textOf(objectOf(delta.stop_details).explanation);
      state.stop = { status: readStopReason(delta.stop_reason, delta.stop_sequence), explanation };
    },
  ],
  ["message_stop", endAnswer],
  [
    "error",
    (state, event) => {
      state.over = true;
      const usage = readMessagesUsage(state.usage);
      state.out.push({ type: "failed", fault: faultOfMessagesEvent(event), usage });
    },
  ],
]);

function endAnswer(state: AnswerState): void {
  closeBlock(state);
  closeMessage(state);
  const { status, explanation } = state.stop ?? {
    status: { status: "completed" } as const,
    explanation: "",
  };
  if (explanation !== "" && status.reason === "content_filter") refuse(state, explanation);
  state.over = true;
  const read = state.outputCounted ? readMessagesUsage : earlyUsage;
  state.out.push({ type: "end", usage: read(state.usage), ...status });
}

/** The events of this wire → the events that all wires share. */
export class AnswerEvents {
  readonly #state: AnswerState = {
    out: [],
    usage: undefined,
    outputCounted: false,
    block: undefined,
    message: undefined,
    queries: new Map(),
    stop: undefined,
    over: false,
  };

  /** Whether the answer has ended, well or not. */
  get over(): boolean {
    return this.#state.over;
  }

  /** Whether the vendor has said why the answer ends. */
  get stopped(): boolean {
    return this.#state.stop !== undefined;
  }

  get counts(): JsonObject | undefined {
    return this.#state.usage;
  }

  read(event: JsonObject): void {
    if (!this.#state.over) HANDLERS.get(event.type)?.(this.#state, event);
  }

  /** What has been read since the last call. */
  take(): CanonEvent[] {
    return this.#state.out.splice(0);
  }
}
