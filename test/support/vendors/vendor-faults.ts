// What vendors say that is wrong: refusals, errors inside an answer, counts that cannot be.
import type { Counts, VendorWireName } from "./vendor-bytes.ts";
import { CUTS, ENCODINGS } from "./vendor-cuts.ts";
import {
  ANSWERED,
  BOTH,
  begun,
  brokenAfterText,
  CLIENT_WORDS,
  COUNTS,
  complaint,
  DOWN,
  events,
  LAST_KEY,
  type Outcome,
  REJECTED,
  STREAM,
  sendStream,
  TEXT,
  TEXTS,
  UNAVAILABLE,
  VENDOR_WORDS,
  type VendorFault,
  WHOLE,
  wholeText,
} from "./vendor-play.ts";

/** A refusal by status in the wire's own words. */
function refusal(
  status: number,
  outcome: Outcome,
  headers: Record<string, string> = {},
  suffix = "",
): VendorFault {
  const culprit = outcome === REJECTED ? "client" : "vendor";
  const words = culprit === "client" ? CLIENT_WORDS : VENDOR_WORDS;
  return {
    name: `says ${status}${suffix}`,
    streams: BOTH,
    script: (wire) => (call, reply) => {
      const body = wire.errorBody(complaint(words, wire.keyOf(call)), culprit);
      const key = wire.keyOf(call);
      reply.whole(status, JSON.stringify(body), { "www-authenticate": key, ...headers });
    },
    outcome: () => outcome,
  };
}

const REFUSALS: readonly VendorFault[] = [
  refusal(400, REJECTED),
  refusal(413, REJECTED),
  refusal(422, REJECTED),
  ...[401, 402, 403].map((status) => refusal(status, LAST_KEY)),
  ...[404, 408, 409, 429].map((status) => refusal(status, UNAVAILABLE)),
  ...[500, 502, 503, 504, 529].map((status) => refusal(status, DOWN)),
  refusal(
    429,
    { kind: "refused", status: 503, retryAfter: "77" },
    { "retry-after": "77" },
    " with retry-after",
  ),
  refusal(
    503,
    { kind: "refused", status: 503, retryAfter: "78" },
    { "retry-after": "78" },
    " with retry-after",
  ),
  refusal(302, UNAVAILABLE, { location: "/elsewhere/chat/completions" }, " to go elsewhere"),
  refusal(307, UNAVAILABLE, { location: "/elsewhere/chat/completions" }, " to go elsewhere"),
  {
    name: "says 500 in HTML",
    streams: BOTH,
    script: () => (_call, reply) =>
      reply.whole(500, "<html>down</html>", { "content-type": "text/html" }),
    outcome: () => DOWN,
  },
];

/** Where the words of an error say its status (too much to do), it is what that status is. */
const AS_IT_SAYS: Readonly<Record<VendorWireName, Outcome>> = {
  chat: UNAVAILABLE,
  responses: UNAVAILABLE,
  messages: DOWN,
  gemini: DOWN,
};

const ERRORS_INSIDE: readonly VendorFault[] = [
  {
    name: "says 200 with an error for a body",
    streams: BOTH,
    script: (wire) => (call, reply) => {
      const message = complaint(VENDOR_WORDS, wire.keyOf(call));
      reply.whole(200, JSON.stringify(wire.errorBody(message, "vendor")));
    },
    outcome: ({ name }) => AS_IT_SAYS[name],
  },
  {
    name: "says 200 with an error for a body that blames the request",
    streams: WHOLE,
    script: (wire) => (call, reply) => {
      const message = complaint(CLIENT_WORDS, wire.keyOf(call));
      reply.whole(200, JSON.stringify(wire.errorBody(message, "client")));
    },
    outcome: () => REJECTED,
  },
  {
    name: "fails with its first event",
    streams: STREAM,
    script: (wire) => (call, reply) =>
      sendStream(reply, [wire.errorEvent(complaint(VENDOR_WORDS, wire.keyOf(call)), "vendor")]),
    outcome: ({ name }) => AS_IT_SAYS[name],
  },
  {
    name: "blames the request with its first event",
    streams: STREAM,
    script: (wire) => (call, reply) =>
      sendStream(reply, [wire.errorEvent(complaint(CLIENT_WORDS, wire.keyOf(call)), "client")]),
    outcome: () => REJECTED,
  },
  {
    name: "fails in the middle",
    streams: STREAM,
    // The connection stays open: whoever heard the failure has to hang up.
    script: (wire) => (call, reply) => {
      const failure = wire.errorEvent(complaint(VENDOR_WORDS, wire.keyOf(call)), "vendor");
      return sendStream(reply, [...begun(wire), failure]);
    },
    outcome: brokenAfterText,
  },
];

/** An answer whose counts are as given, and not believed. */
function counting(name: string, counts: Counts | undefined): VendorFault {
  return {
    name,
    streams: BOTH,
    script: (wire, stream) => async (_call, reply) => {
      if (!stream) reply.whole(200, wholeText(wire, counts));
      else {
        await sendStream(reply, events(wire, counts));
        reply.end();
      }
    },
    outcome: () => {
      const clamped = counts !== undefined;
      return { kind: "answered", text: TEXT, counted: undefined, clamped };
    },
  };
}

const MISCOUNTS: readonly VendorFault[] = [
  {
    ...counting("does not count", undefined),
    script: (wire, stream) => async (_call, reply) => {
      if (!stream) reply.whole(200, JSON.stringify(wire.whole(TEXT, undefined)));
      else {
        const none = wire.opening(undefined);
        const rest = [...wire.ending(TEXT, undefined), wire.marker(TEXT, undefined)];
        await sendStream(reply, [...none, ...TEXTS.map((text) => wire.delta(text)), ...rest]);
        reply.end();
      }
    },
  },
  counting("counts below zero", { input: -5, output: -7 }),
  counting("counts beyond reason", { input: 4e15, output: 9e15 }),
  {
    name: "counts twice",
    streams: STREAM,
    script: (wire) => async (_call, reply) => {
      const early = { input: 50, output: 300 };
      const all = events(wire);
      // The whole ending once with other counts, and then as it is meant.
      const first = [...wire.opening(early), ...TEXTS.map((text) => wire.delta(text))];
      const before = wire.needsMarker ? [] : wire.ending(TEXT, early).slice(-1);
      const rest = all.slice(wire.opening(COUNTS).length + TEXTS.length);
      await sendStream(reply, [...first, ...before, ...rest, wire.marker(TEXT, COUNTS)]);
      reply.end();
    },
    // One wire counts its input in the first event and only there.
    outcome: (wire) => ({
      ...ANSWERED,
      counted: { input: wire.name === "messages" ? 50 : COUNTS.input, output: COUNTS.output },
    }),
  },
];

export const FAULTS: readonly VendorFault[] = [
  ...REFUSALS,
  ...ERRORS_INSIDE,
  ...MISCOUNTS,
  ...CUTS,
  ...ENCODINGS,
];
