import { type Frame, vendorWire, type WireName, wholeText } from "./frames.ts";
import type { Counts, Script } from "./scripts.ts";

/** What a vendor does next, once the gateway asks for more and some time has passed. */
export interface Step {
  readonly delayMs: number;
  readonly does: "send" | "close" | "reset" | "stall";
  readonly bytes?: Uint8Array;
  /** What the gateway knows once it has read this. */
  readonly facts: Omit<Frame, "text">;
}

const encoder = new TextEncoder();

function halfOf(usage: Counts): Counts {
  return { input: usage.input, output: Math.floor(usage.output / 2) };
}

/** Frames up to the piece at which the fault strikes, or all of them with the end. */
function spoken(wire: WireName, script: Script, pieces: number): Frame[] {
  const { opening, saying } = vendorWire(wire);
  const { usage, texts } = script;
  const frames = opening(usage);
  texts.slice(0, pieces).forEach((text, i) => {
    // Never more than at the end, so that no count goes down on its way.
    const output = usage && Math.min(usage.output, i + 1);
    frames.push(saying(text, usage && { input: usage.input, output: output ?? 0 }));
  });
  return frames;
}

function ended(wire: WireName, script: Script): Frame[] {
  const { closing, marker } = vendorWire(wire);
  const whole = wholeText(script);
  const { usage } = script;
  const last = closing(whole, usage);
  const twice = script.fault === "usage_twice" && usage;
  const before = twice ? closing(whole, halfOf(usage)) : [];
  const behind = twice ? last.filter(({ counts }) => counts !== undefined) : last;
  return [
    ...spoken(wire, script, script.texts.length),
    ...(before.length > 0 && behind.length > 0 ? [...before, ...behind] : last),
    ...(script.fault === "no_marker" ? [] : marker(whole, usage)),
  ];
}

interface Played {
  readonly frames: readonly Frame[];
  readonly last: Omit<Step, "delayMs">;
}

const CLOSE = { does: "close", facts: {} } as const;
const CUT = { does: "close", facts: { fails: true } } as const;

function playStream(wire: WireName, script: Script): Played {
  const { error, failedBody, markerOptional, marker } = vendorWire(wire);
  const said = spoken(wire, script, script.breaksAt);
  switch (script.fault) {
    case "error_body":
      return { frames: [{ text: failedBody(undefined).text }], last: CUT };
    case "error_first":
      return { frames: [error()], last: CLOSE };
    case "error_mid":
      return { frames: [...said, error()], last: CLOSE };
    case "failed_with_usage":
      return { frames: [...said, error(script.usage)], last: CLOSE };
    case "cut_in_character":
    case "no_end":
      return { frames: said, last: CUT };
    case "stall_headers":
      return { frames: [], last: { does: "stall", facts: {} } };
    case "stall_mid":
      return { frames: said, last: { does: "stall", facts: {} } };
    case "reset_mid":
      return { frames: said, last: { does: "reset", facts: { fails: true } } };
    case "garbage":
      return { frames: [...said, { text: "data: {oops\n\n", fails: true }], last: CLOSE };
    case "no_marker":
      return {
        frames: ended(wire, script),
        last: markerOptional ? { does: "close", facts: { ends: true } } : CUT,
      };
    default: {
      const endsByClosing = marker("", undefined).length === 0;
      const last = endsByClosing ? { does: "close", facts: { ends: true } } : CLOSE;
      return { frames: ended(wire, script), last: last as Played["last"] };
    }
  }
}

/** A frame may come torn in two; only the second half tells anything. */
function torn(frame: Frame, script: Script): Step[] {
  const { text, ...facts } = frame;
  const bytes = encoder.encode(text);
  const at = Math.floor(bytes.length * script.tornAt);
  const send = (part: Uint8Array, told: Step["facts"]): Step => ({
    delayMs: script.pauseMs,
    does: "send",
    bytes: part,
    facts: told,
  });
  if (at === 0) return [send(bytes, facts)];
  return [send(bytes.slice(0, at), {}), send(bytes.slice(at), facts)];
}

function streamSteps(wire: WireName, script: Script): Step[] {
  const { frames, last } = playStream(wire, script);
  const steps = frames.flatMap((frame) => torn(frame, script));
  if (script.fault === "cut_in_character") {
    const bytes = encoder.encode(vendorWire(wire).saying("数", undefined).text);
    const inside = bytes.findIndex((byte) => byte > 0x7f) + 1;
    const cut = { does: "send", bytes: bytes.slice(0, inside), facts: {} } as const;
    steps.push({ ...cut, delayMs: script.pauseMs });
  }
  return [...steps, { ...last, delayMs: script.pauseMs }];
}

function wholeSteps(wire: WireName, script: Script): Step[] {
  const { body, failedBody } = vendorWire(wire);
  const { fault, usage, pauseMs: delayMs } = script;
  const says = wholeText(script);
  const sent = (text: string, last: Omit<Step, "delayMs">, slices = 2): Step[] => {
    const bytes = encoder.encode(text);
    const size = Math.ceil(bytes.length / slices);
    const steps: Step[] = [];
    for (let from = 0; from < bytes.length; from += size) {
      steps.push({ delayMs, does: "send", bytes: bytes.slice(from, from + size), facts: {} });
    }
    return [...steps, { ...last, delayMs }];
  };
  const whole = body(says, usage);
  const half = whole.slice(0, Math.floor(whole.length / 2));
  switch (fault) {
    case "error_body":
    case "error_first":
    case "error_mid":
      return sent(failedBody(undefined).text, CUT);
    case "failed_with_usage": {
      const failed = failedBody(usage);
      const counts = failed.counts ? { counts: failed.counts } : {};
      return sent(failed.text, { does: "close", facts: { fails: true, ...counts } });
    }
    case "cut_in_character":
    case "no_end":
      return sent(half, CUT);
    case "garbage":
      return sent("<html>busy</html>", CUT);
    case "stall_headers":
      return [{ delayMs, does: "stall", facts: {} }];
    case "stall_mid":
      return sent(half, { does: "stall", facts: {} });
    case "reset_mid":
      return sent(half, { does: "reset", facts: { fails: true } });
    default: {
      const counts = usage ? { counts: usage } : {};
      const facts = { says, ends: true, ...counts };
      return sent(whole, { does: "close", facts }, fault === "drip" ? script.texts.length : 2);
    }
  }
}

export function stepsOf(wire: WireName, stream: boolean, script: Script): Step[] {
  return stream ? streamSteps(wire, script) : wholeSteps(wire, script);
}
