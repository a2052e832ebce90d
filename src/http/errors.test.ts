import { describe, expect, test } from "bun:test";
import { Fault } from "../lib/faults.ts";
import type { FaultFace } from "../lib/route.ts";
import { faultAnswer } from "./errors.ts";

/** As it goes out. */
const faultResponse = (fault: Fault, requestId: string, face?: FaultFace) =>
  faultAnswer(fault, requestId, face).response();

describe("the answer to a fault", () => {
  test("is the contract's body with the fault's status", async () => {
    const response = faultResponse(
      new Fault("model_not_found", "No.", { param: "model" }),
      "req_1",
    );
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({
      error: {
        message: "No.",
        type: "invalid_request_error",
        code: "model_not_found",
        param: "model",
      },
    });
  });

  test("writes param as null where there is none", async () => {
    const text = await faultResponse(new Fault("budget_exceeded", "Spent."), "req_1").text();
    expect(text).toContain('"param":null');
    expect(text).toContain('"code":"400"');
  });

  test("carries the fault's facts as headers and says whether to try again", () => {
    const busy = new Fault("budget_busy", "x", { headers: { "retry-after": "2" } });
    expect(faultResponse(busy, "req_1").headers.get("retry-after")).toBe("2");
    expect(faultResponse(busy, "req_1").headers.has("x-should-retry")).toBe(false);
    const spent = faultResponse(new Fault("budget_exceeded", "x"), "req_1");
    expect(spent.headers.get("x-should-retry")).toBe("false");
    const upstream = faultResponse(new Fault("upstream_unavailable", "x"), "req_1");
    expect(upstream.headers.get("x-should-retry")).toBe("true");
  });

  test("speaks in the words of its face, under the face's name of the request's id", async () => {
    const face = {
      requestIdHeader: "request-id",
      body: (fault: Fault, requestId: string) => JSON.stringify({ said: fault.message, requestId }),
    };
    const response = faultResponse(new Fault("not_found", "Gone."), "req_7", face);
    expect(response.headers.get("request-id")).toBe("req_7");
    expect(await response.json()).toEqual({ said: "Gone.", requestId: "req_7" });
  });
});
