import { describe, expect, test } from "bun:test";
import { asFault, FAULTS, Fault, type FaultName } from "./faults.ts";

const names = Object.keys(FAULTS) as FaultName[];

describe("the table of faults", () => {
  test.each(names)(
    "%s has exactly four fields on the wire, its code a non-empty string",
    (name) => {
      const wire = new Fault(name, "words", { param: "model" }).toJson();
      expect(Object.keys(wire).sort()).toEqual(["code", "message", "param", "type"]);
      expect(wire.code).not.toBe("");
      expect(wire.type).toMatch(/^[a-z_]+$/);
      expect(wire.param).toBe("model");
    },
  );

  test("a key or a budget is refused in the words of the contract", () => {
    const key = new Fault("invalid_api_key", "no");
    expect([key.status, key.type, key.code]).toEqual([
      401,
      "invalid_request_error",
      "invalid_api_key",
    ]);
    const budget = new Fault("budget_exceeded", "no");
    expect([budget.status, budget.type, budget.code, budget.param, budget.retry]).toEqual([
      400,
      "budget_exceeded",
      "400",
      null,
      false,
    ]);
  });

  test.each(names)("%s says whether the same request can succeed later", (name) => {
    const { status, retry } = new Fault(name, "words");
    const passing: FaultName[] = ["idempotency_busy", "push_busy", "request_too_slow"];
    if (status === 429) expect(retry).toBeUndefined();
    else if (status < 500) expect(retry).toBe(passing.includes(name));
  });

  test("facts stand beside the four fields, for those who ask for them", () => {
    const fault = new Fault("preflight_failed", "no", { facts: { problems: [] } });
    expect(fault.toJson()).toEqual({
      message: "no",
      type: "invalid_request_error",
      code: "preflight_failed",
      param: null,
      problems: [],
    } as ReturnType<Fault["toJson"]>);
  });

  test("only statuses of the contract and of HTTP's own errors occur", () => {
    const statuses = new Set(names.map((name) => FAULTS[name].status));
    const own = [401, 403, 404, 405, 408, 409, 413, 415] as const;
    expect([...statuses].sort()).toEqual([400, ...own, 429, 500, 502, 503]);
  });
});

describe("asFault", () => {
  test("gives a fault back as it is", () => {
    const fault = new Fault("not_found", "gone");
    expect(asFault(fault)).toBe(fault);
  });

  test("tells nothing of what a bug said, but keeps it as the cause", () => {
    const bug = new Error("select * from secrets");
    const fault = asFault(bug);
    expect(fault.status).toBe(500);
    expect(fault.cause).toBe(bug);
    expect(JSON.stringify(fault.toJson())).not.toContain("secrets");
  });
});
