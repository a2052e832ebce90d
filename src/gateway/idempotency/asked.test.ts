import { describe, expect, test } from "bun:test";
import { Fault } from "../../lib/faults.ts";
import type { Incoming } from "../../lib/route.ts";
import type { Caller } from "../admitted-request.ts";
import { claimantOf } from "./asked.ts";

const CALLER = { requestId: "req_1", key: { id: "key_1", accountId: "acct_1" } } as Caller;

interface Asking {
  readonly path?: string;
  readonly text?: string;
  readonly headers?: Record<string, string>;
}

function incoming({ path = "/v1/responses", headers = {} }: Asking): Incoming {
  const request = new Request(`http://gateway.invalid${path}`, { method: "POST", headers });
  return { request, url: new URL(request.url) } as Incoming;
}

const claimant = (asking: Asking, value = "v") =>
  claimantOf(CALLER, incoming(asking), value, asking.text ?? "{}");

const fingerprint = async (asking: Asking) => (await claimant(asking)).fingerprint;

async function refusalOf(value: string): Promise<Fault> {
  try {
    await claimant({}, value);
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
  }
  throw new Error("it was not refused");
}

describe("what is asked", () => {
  test("is named by the key of ours and the value", async () => {
    expect(await claimant({}, " a value ")).toMatchObject({
      keyId: "key_1",
      accountId: "acct_1",
      requestId: "req_1",
      value: " a value ",
    });
  });

  test.each<[string, Asking]>([
    ["the body", { text: "{ }" }],
    ["the path", { path: "/v1/responses/compact" }],
    [
      "a feature that the vendor gets to see",
      { headers: { "anthropic-beta": "effort-2025-11-24" } },
    ],
    ["a fault of the embedded vendor", { headers: { "x-sandbox-fault": "delay_ms=1" } }],
  ])("is something else with %s", async (_what, asking) => {
    expect(await fingerprint(asking)).not.toBe(await fingerprint({}));
    expect(await fingerprint(asking)).toBe(await fingerprint(asking));
  });

  test.each<[string, Asking]>([
    ["a query", { path: "/v1/responses?beta=true" }],
    ["a version", { headers: { "anthropic-version": "2023-06-01" } }],
    ["a feature that no vendor gets to see", { headers: { "anthropic-beta": "other-2025-01-01" } }],
    ["another client", { headers: { "user-agent": "another" } }],
  ])("is the same with %s", async (_what, asking) => {
    expect(await fingerprint(asking)).toBe(await fingerprint({}));
  });

  test("cannot be made the same by moving text from one part to another", async () => {
    const headers = { "x-sandbox-fault": "a" };
    expect(await fingerprint({ headers, text: "b" })).not.toBe(await fingerprint({ text: "a\nb" }));
  });

  test("is what it would be at once where a body is so large that it is looked at in steps", async () => {
    for (const before of ["", "x"]) {
      const text = `${before}${"🦊".repeat(2 ** 20)}`;
      const whole = new Bun.CryptoHasher("sha256").update(`/v1/responses\n\n\n${text}`);
      expect(await fingerprint({ text })).toBe(whole.digest("hex"));
    }
  });
});

describe("a value of the header", () => {
  test("may have 1 to 255 printable characters", async () => {
    expect((await claimant({}, "~")).value).toBe("~");
    expect((await claimant({}, "x".repeat(255))).value).toHaveLength(255);
  });

  test.each([
    ["", /it is empty/],
    ["x".repeat(256), /it has 256 bytes/],
    ["a\tb", /printable ASCII/],
    ["a\u007f", /printable ASCII/],
    ["ü".repeat(300), /printable ASCII/],
  ])("is refused with the way to put it right: %p", async (value, told) => {
    const fault = await refusalOf(value);
    expect([fault.fault, fault.param]).toEqual(["invalid_value", "Idempotency-Key"]);
    expect(fault.message).toMatch(told);
    expect(fault.message).toContain("Send 1 to 255 printable ASCII characters");
  });
});
