import { describe, expect, test } from "bun:test";
import { Fault } from "../lib/faults.ts";
import { faultOfVendor, upstreamUnavailable } from "../protocols/faults.ts";
import { readGeminiFault } from "../protocols/gemini/faults.ts";
import { readMessagesFault } from "../protocols/messages/faults.ts";
import {
  type ReadFault,
  type RefusalKind,
  refusalOf,
  refusalOfAnswer,
  VendorRefusal,
} from "./refusal.ts";
import { retryAfterMs } from "./retry-after.ts";

const NOW_MS = Date.parse("2026-11-15T12:00:00Z");

function refuse(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
  read: ReadFault = faultOfVendor,
) {
  const answer = { status, headers: new Headers(headers), body };
  return refusalOfAnswer(answer, read, NOW_MS);
}

function saying(message: string, more: object = {}) {
  return { error: { message, ...more } };
}

describe("a refusal", () => {
  const cases: [string, number, unknown, RefusalKind, number][] = [
    ["a bad request", 400, saying("Bad image."), "client", 400],
    ["an unprocessable one", 422, saying("Extra inputs."), "client", 400],
    ["one too large", 413, saying("Too large."), "client", 400],
    ["a wrong key", 401, saying("Incorrect API key."), "credential", 503],
    ["a key without money", 402, saying("Insufficient Balance"), "credential", 503],
    ["a forbidden key", 403, saying("This organization has been disabled."), "credential", 503],
    [
      "an account that broke rules",
      403,
      saying("Account suspended: violation."),
      "credential",
      503,
    ],
    [
      "words that are not allowed",
      403,
      saying("Content violates usage guidelines."),
      "client",
      400,
    ],
    ["flagged words", 403, saying("Your chosen model: input was flagged."), "client", 400],
    ["a model that the key may not use", 403, saying("No access to model x."), "model", 503],
    ["a wrong key, as Google says it", 400, saying("API key not valid."), "credential", 503],
    ["a model that is not there", 404, saying("The model does not exist."), "model", 503],
    ["a timeout", 408, saying("Timeout."), "vendor", 503],
    ["a conflict", 409, saying("Conflict."), "vendor", 503],
    ["too early", 425, saying("Too early."), "vendor", 503],
    ["too many", 429, saying("Slow down."), "rate", 503],
    ["a server error", 500, saying("Oops."), "vendor", 503],
    ["a bad gateway", 502, undefined, "vendor", 503],
    ["an overload", 529, saying("Overloaded", { type: "overloaded_error" }), "vendor", 503],
    ["a redirect", 307, undefined, "vendor", 503],
    ["a success that is none", 204, undefined, "vendor", 503],
    ["an error in a list", 429, [saying("Quota.")], "rate", 503],
  ];

  test.each(cases)("of %s with %p", (_name, status, body, kind, clientStatus) => {
    const refusal = refuse(status, body);
    expect([refusal.kind, refusal.status, refusal.fault.status]).toEqual([
      kind,
      status,
      clientStatus,
    ]);
    expect(refusal.retryable).toBe(kind !== "client");
  });

  const google = {
    ...{ code: 400, status: "INVALID_ARGUMENT" },
    details: [{ reason: "API_KEY_INVALID", domain: "googleapis.com" }],
  };
  /** As xAI writes all of its errors. */
  const xai = (error: string) => ({ code: "Client specified an invalid argument", error });
  const owes = { code: "Arrearage", type: "Arrearage" };
  const schema = "Invalid schema: In context=('properties', 'invalid api key'), no type.";
  const flagged = { reasons: ["violence"], flagged_input: "my account, my project, an api key" };
  test.each<[string, number, unknown, RefusalKind]>([
    ["a wrong key by its name", 400, saying("Bad.", google), "credential"],
    ["an old one in a sentence", 400, saying("API key expired. Renew it."), "credential"],
    ["one in a list", 400, [saying("API key not valid. Pass one.")], "credential"],
    ["one of xAI's", 400, xai("Incorrect API key provided: xa***yz. Get one."), "credential"],
    ["an account that owes money", 400, saying("Access denied.", owes), "credential"],
    ["the same words further on", 400, xai("Bad: Incorrect API key provided: x."), "client"],
    ["a debt that is spoken of", 400, saying("Unknown member: Arrearage"), "client"],
    ["a member of the request that is called so", 400, saying(schema), "client"],
    ["the same unquoted", 400, saying("Unknown member: invalid api key"), "client"],
    ["what it flagged", 403, saying("Flagged.", { metadata: flagged }), "client"],
    ["the same in a sentence", 403, saying('Flagged: "my account".'), "client"],
    ["a project it doesn't let in", 403, saying("It isn't a project's safety."), "credential"],
    ["a model of that name", 403, saying("Flagged: `no model`."), "client"],
    ["a refusal without a form", 403, { detail: "Account suspended." }, "credential"],
    ["an empty purse that is quoted", 429, saying("Slow: 'insufficient_quota'."), "rate"],
  ])("is judged by the words of the vendor itself: %s", (_name, status, body, kind) => {
    expect(refuse(status, body)).toMatchObject({ kind, exhausted: false });
  });

  const LOW = "Your credit balance is too low to access the Anthropic API.";
  const precondition = { code: 400, status: "FAILED_PRECONDITION" };
  const location = "User location is not supported for the API use.";
  test.each<[string, ReadFault, unknown, RefusalKind]>([
    ["has no money", readMessagesFault, saying(LOW), "credential"],
    [
      "has reached its limit",
      readMessagesFault,
      saying("You have reached your specified API usage limits. Try on 2026-12-01 at 00:00 UTC."),
      "credential",
    ],
    ["is closed", readMessagesFault, saying("This organization has been disabled."), "credential"],
    ["may not be used from here", readGeminiFault, saying(location, precondition), "credential"],
    [
      "is not in order, whatever it is",
      readGeminiFault,
      saying("Precondition check failed.", precondition),
      "vendor",
    ],
  ])("that blames the request though our account %s goes elsewhere", (_name, read, body, kind) => {
    const refusal = refuse(400, body, {}, read);
    expect([refusal.kind, refusal.retryable, refusal.fault.status]).toEqual([kind, true, 503]);
    expect(refusal.fault.message).not.toContain("credit");
  });

  test.each<[string, ReadFault, string]>([
    ["quoted", readMessagesFault, `Unexpected text: "${LOW}"`],
    ["as the name of a member", readMessagesFault, `${LOW}: Extra inputs are not permitted`],
    ["on two lines", readMessagesFault, `${LOW}\n: Extra inputs are not permitted`],
    ["further on", readMessagesFault, `tools.0.${LOW}`],
    ["of a place", readGeminiFault, `Unknown name "${location}" at 'contents[0]'.`],
    ["of a key", readGeminiFault, `Unknown name "API key" at 'contents[0]'.`],
  ])("is the client's where the words of its request are said again, %s", (_name, read, said) => {
    const { kind, fault } = refuse(400, saying(said, { status: "INVALID_ARGUMENT" }), {}, read);
    expect([kind, fault.status, fault.message]).toEqual(["client", 400, said]);
  });

  test("keeps the vendor's words for the client's mistakes only", () => {
    expect(refuse(400, saying("Bad image.")).fault.message).toBe("Bad image.");
    expect(refuse(403, saying("Content violates usage guidelines.")).fault.message).toBe(
      "Content violates usage guidelines.",
    );
    expect(refuse(401, saying("Key of org 7.")).fault.message).not.toContain("org 7");
    expect(refuse(401, saying("Key of org 7.")).message).toBe("401 Key of org 7.");
  });

  test("keeps them where the error is nothing but a sentence", () => {
    const { fault, message } = refuse(400, xai("One text for each message."));
    expect([fault.message, message]).toEqual([
      "One text for each message.",
      "400 One text for each message.",
    ]);
    const key = refuse(400, xai("Incorrect API key provided: xa***yz."));
    expect([key.fault.status, key.message]).toEqual([
      503,
      "400 Incorrect API key provided: xa***yz.",
    ]);
  });

  test.each([
    "sk-proj-abc123def456",
    "gsk_abc123def456",
    "xai-abc123def456",
    "AIzaSyAbc123Def456",
    "fw_abc123def456",
  ])("does not show operators the key in %p", (key) => {
    const { message } = refuse(401, saying(`Wrong: ${key} is no key.`));
    expect(message).toBe("401 Wrong: … is no key.");
  });

  test("nor what follows the word Bearer", () => {
    const { message } = refuse(401, saying("Wrong: Bearer abc123def456 is no key."));
    expect(message).toBe("401 Wrong: Bearer … is no key.");
  });

  test.each([413, 429])("for its size alone (%p) says so, and nothing of our account", (status) => {
    const said = "Request too large for m in organization org-7 on tokens per min (TPM): Limit 3.";
    const { kind, tooLarge, retryable, fault } = refuse(status, saying(said));
    expect([kind, tooLarge, retryable, fault.status]).toEqual(["rate", true, true, 400]);
    expect(fault.message).toMatch(/more tokens.*within a minute/);
    expect(fault.message).not.toContain("org-7");
  });

  test.each([
    [413, "Request too large.", "client"],
    [429, "Rate limit reached for m on tokens per min (TPM): Limit 3, Used 2.", "rate"],
    [400, "Request too large for m on tokens per min (TPM).", "client"],
  ])("with %p and %p is not for that", (status, said, kind) => {
    expect(refuse(status, saying(said))).toMatchObject({ kind, tooLarge: false });
  });

  test("carries the vendor's wish to wait to the client", () => {
    const { fault, retryAfterMs: ms } = refuse(429, saying("no"), { "retry-after": "17" });
    expect([fault.headers["retry-after"], ms]).toEqual(["17", 17_000]);
    expect(refuse(429, saying("no")).retryAfterMs).toBeUndefined();
    expect(refuse(429, saying("no")).fault.headers["retry-after"]).toBe("1");
  });

  test.each([
    ["insufficient_quota", true],
    ["rate_limit_exceeded", false],
  ])("with the code %p tells an empty purse from haste: %p", (code, exhausted) => {
    expect(refuse(429, saying("no", { code })).exhausted).toBe(exhausted);
  });
});

describe("whatever was thrown", () => {
  test("is as it is, a fault that blames someone, or nobody's", () => {
    const refusal = refuse(500, undefined);
    expect(refusalOf(refusal)).toBe(refusal);
    expect(refusalOf(upstreamUnavailable(new Error("cut")))?.kind).toBe("vendor");
    expect(refusalOf(upstreamUnavailable(new Error("cut")))?.message).toContain("cut");
    expect(refusalOf(new Fault("upstream_rejected", "Bad."))?.kind).toBe("client");
    expect(refusalOf(new Fault("storage_unavailable", "Down."))).toBeUndefined();
    expect(refusalOf(new TypeError("ours"))).toBeUndefined();
  });

  test("never counts as ours to retry once it is the client's", () => {
    const refusal = refusalOf(new Fault("context_length_exceeded", "Too long."));
    expect(refusal).toBeInstanceOf(VendorRefusal);
    expect(refusal?.retryable).toBe(false);
  });
});

describe("how long to wait", () => {
  const google = (retryDelay: string) => ({
    error: { details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay }] },
  });
  const cases: [string, Record<string, string>, unknown, number | undefined][] = [
    ["seconds", { "retry-after": "3" }, undefined, 3_000],
    ["parts of them", { "retry-after": "0.5" }, undefined, 500],
    [
      "milliseconds before seconds",
      { "retry-after-ms": "120", "retry-after": "3" },
      undefined,
      120,
    ],
    ["a date", { "retry-after": "Sun, 15 Nov 2026 12:00:30 GMT" }, undefined, 30_000],
    ["a date that is past", { "retry-after": "Sun, 15 Nov 2026 11:00:00 GMT" }, undefined, 0],
    [
      "a date by the vendor's own clock",
      { "retry-after": "Sun, 15 Nov 2026 14:00:30 GMT", date: "Sun, 15 Nov 2026 14:00:00 GMT" },
      undefined,
      30_000,
    ],
    ["Google's body", {}, google("34.5s"), 34_500],
    ["the same in a list", {}, [google("2s")], 2_000],
    ["the reset of a limit", { "x-ratelimit-reset-requests": "6m0s" }, undefined, 360_000],
    ["a short one", { "x-ratelimit-reset-tokens": "12ms" }, undefined, 12],
    [
      "the limit that is used up",
      {
        "x-ratelimit-remaining-requests": "5",
        "x-ratelimit-reset-requests": "9m",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "1.5s",
      },
      undefined,
      1_500,
    ],
    ["nothing", {}, { error: {} }, undefined],
    ["nonsense", { "retry-after": "soon", "x-ratelimit-reset-tokens": "later" }, null, undefined],
    ["a negative number", { "retry-after-ms": "-5" }, undefined, undefined],
    ["emptiness", { "retry-after": "", "retry-after-ms": "" }, undefined, undefined],
  ];

  test.each(cases)("is read from %s", (_name, headers, body, expected) => {
    expect(retryAfterMs(new Headers(headers), body, NOW_MS)).toBe(expected as number);
  });
});
