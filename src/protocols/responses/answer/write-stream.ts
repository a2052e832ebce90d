import { isLarge } from "../../../lib/yield-to-loop.ts";
import type { CanonEvent } from "../../canon.ts";
import type { JsonObject } from "../../fields.ts";
import { withoutLong } from "../../members/long-members.ts";
import { CallIds } from "../../translation/tool-names.ts";
import type { Usage } from "../../usage.ts";
import type { AnswerOptions, AnswerWriter, ClientRequest } from "../../wire.ts";
import { writeResponseUsage } from "../usage.ts";
import { readsRefusals, withoutRefusals } from "./output-item.ts";
import { beginResponse, echoOf, endResponse } from "./response-object.ts";
import { failResponse } from "./write-answer.ts";
import {
  closeItem,
  emit,
  fillItem,
  openItem,
  THINKING,
  type WriteState,
  writeAnnotation,
  writeArguments,
  writeRefusal,
  writeSummary,
  writeText,
} from "./write-stream-items.ts";

interface State extends WriteState {
  readonly echo: JsonObject;
  readonly options: AnswerOptions;
  readonly keepsRefusals: boolean;
  /** The response object at its beginning, once it has begun. */
  begun: JsonObject | undefined;
  usage: Usage | undefined;
}

type Handlers = {
  readonly [T in CanonEvent["type"]]: (
    state: State,
    event: Extract<CanonEvent, { readonly type: T }>,
  ) => void;
};

function begin(state: State, id: string | undefined): JsonObject {
  if (state.begun) return state.begun;
  state.begun = beginResponse(state.echo, state.options, id);
  const members = `"response":${JSON.stringify(state.begun)}`;
  emit(state, "response.created", members);
  emit(state, "response.in_progress", members);
  return state.begun;
}

/**
 * What the stream repeats of its request, which is not held itself: a long stream must not keep a large body in memory.
 * Nor its text, of which a long string of a large body is a part.
 */
function ownEcho(request: ClientRequest, { longEcho }: AnswerOptions): JsonObject {
  const echo = echoOf(request);
  if (!isLarge(request.json.text)) return echo;
  // What is long is put into its place once the rest is written.
  const short = longEcho ? withoutLong(echo, longEcho) : echo;
  return JSON.parse(JSON.stringify(short));
}

/** Items whose end depends on that of the whole answer: they may turn out to be cut short. */
const CUT_SHORT = ["message", "call"];

const HANDLERS: Handlers = {
  begin: (state, { id }) => {
    begin(state, id);
  },
  item: (state, { item }) => {
    begin(state, undefined);
    openItem(state, item);
  },
  text: (state, { delta, logprobs }) => writeText(state, delta, logprobs),
  refusal: (state, { delta }) => {
    if (state.keepsRefusals) writeRefusal(state, delta);
    else writeText(state, delta);
  },
  summary: (state, { delta, part }) => writeSummary(state, delta, part),
  thinking: (state, { delta }) => writeSummary(state, delta, THINKING),
  arguments: (state, { delta }) => writeArguments(state, delta),
  annotation: (state, { annotation }) => writeAnnotation(state, annotation),
  item_done: (state, { item }) => {
    fillItem(state, state.keepsRefusals ? item : withoutRefusals(item));
    if (!CUT_SHORT.includes(item.type)) closeItem(state, "completed");
  },
  usage: (state, { usage }) => {
    state.usage = usage;
  },
  end: (state, event) => {
    const begun = begin(state, undefined);
    closeItem(state, event.status);
    const usage = event.usage ?? state.usage;
    const response = endResponse(begun, { ...event, usage, output: state.output });
    emit(state, `response.${event.status}`, `"response":${JSON.stringify(response)}`);
    state.written += "data: [DONE]\n\n";
  },
  failed: (state, { fault, usage = state.usage }) => {
    const begun = state.begun ?? beginResponse(state.echo, state.options, undefined);
    const counts = usage ? writeResponseUsage(usage) : null;
    const response = { ...failResponse(begun, fault), output: state.output, usage: counts };
    emit(state, "response.failed", `"response":${JSON.stringify(response)}`);
  },
};

/** Writes an answer's events as a vendor of this wire would stream them. */
export class ResponsesWriter implements AnswerWriter {
  readonly #state: State;

  constructor(request: ClientRequest, options: AnswerOptions) {
    this.#state = {
      echo: ownEcho(request, options),
      options,
      keepsRefusals: readsRefusals(request.body),
      begun: undefined,
      usage: undefined,
      written: "",
      sequence: 0,
      output: [],
      callIds: new CallIds(),
      open: undefined,
    };
  }

  write(event: CanonEvent): string {
    const state = this.#state;
    const handle = HANDLERS[event.type] as (state: State, event: CanonEvent) => void;
    handle(state, event);
    const { written } = state;
    state.written = "";
    return written;
  }
}
