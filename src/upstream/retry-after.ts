import { isObject } from "../protocols/fields.ts";
import type { AnswerHeaders } from "./transport/vendor-answer.ts";

/** "6m0s", "1.5s", "12ms": the way Go writes durations, which most vendors have taken over. */
const DURATION =
  /^(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/;
const UNITS_MS = [3_600_000, 60_000, 1_000, 1];

function durationMs(text: string | null | undefined): number | undefined {
  const parts = text ? DURATION.exec(text.trim()) : null;
  if (!parts || parts[0] === "") return undefined;
  return UNITS_MS.reduce((sum, unit, at) => sum + Number(parts[at + 1] ?? 0) * unit, 0);
}

function secondsMs(text: string | null): number | undefined {
  if (text === null || text.trim() === "") return undefined;
  const seconds = Number(text);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined;
}

function momentMs(text: string | null, nowMs: number): number | undefined {
  const atMs = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/** By the vendor's own clock, which its moments are told by too. */
function sentAtMs(headers: AnswerHeaders): number | undefined {
  const atMs = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** The later reset of the limits that are used up, or of all where none says what is left. */
function resetMs(headers: AnswerHeaders): number | undefined {
  const resets = ["requests", "tokens"].flatMap((name) => {
    const left = headers.get(`x-ratelimit-remaining-${name}`);
    if (left !== null && Number(left) > 0) return [];
    return durationMs(headers.get(`x-ratelimit-reset-${name}`)) ?? [];
  });
  return resets.length === 0 ? undefined : Math.max(...resets);
}

/** Gemini says it in the body. */
function retryInfoMs(body: unknown): number | undefined {
  const outer = Array.isArray(body) ? body[0] : body;
  const error = isObject(outer) && isObject(outer.error) ? outer.error : {};
  const details = Array.isArray(error.details) ? error.details : [];
  const info = details.find(
    (each) => isObject(each) && String(each["@type"]).endsWith("RetryInfo"),
  );
  return isObject(info) ? durationMs(String(info.retryDelay)) : undefined;
}

/** How long a vendor asks to be left alone, by whichever way it says so. */
export function retryAfterMs(
  headers: AnswerHeaders,
  body: unknown,
  nowMs: number,
): number | undefined {
  const exact = headers.get("retry-after-ms");
  const exactMs = exact === null || exact === "" ? Number.NaN : Number(exact);
  if (exactMs >= 0) return exactMs;
  const after = headers.get("retry-after");
  return (
    secondsMs(after) ??
    momentMs(after, sentAtMs(headers) ?? nowMs) ??
    retryInfoMs(body) ??
    resetMs(headers) ??
    durationMs(headers.get("x-ratelimit-reset"))
  );
}
