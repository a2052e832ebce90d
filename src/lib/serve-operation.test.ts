import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { choiceParameter, get, post, Reply } from "./contract.ts";
import type { Incoming } from "./route.ts";
import { responseOf, sentBy } from "./serve-operation.ts";

const MAKE = post("/api/things", "Makes a thing.", {
  status: 201,
  answer: z.strictObject({ id: z.string() }),
});

describe("an answer by its contract", () => {
  test("has the status of the contract, and no cache keeps it", async () => {
    const response = responseOf(MAKE, { id: "a" });
    expect([response.status, await response.json()]).toEqual([201, { id: "a" }]);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("brings each cookie as a header of its own", () => {
    const cookies = ["a=1; Expires=Mon, 16 Nov 2026 09:00:00 GMT", "b=2; Path=/"];
    const { headers } = responseOf(MAKE, new Reply({ id: "a" }, { cookies }));
    expect(headers.getSetCookie()).toEqual(cookies);
  });

  test("has no body where the status says that there is none", async () => {
    const response = responseOf(MAKE, new Reply({ id: "a" }, { status: 204, cookies: ["a=1"] }));
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(response.headers.getSetCookie()).toEqual(["a=1"]);
  });
});

describe("a choice in an address", () => {
  const LIST = get("/api/things", "Lists things.", {
    query: z.object({ by: choiceParameter(["day", "key"]).optional() }),
    answer: z.strictObject({}),
  });
  const asked = (by: string) =>
    sentBy(LIST, { url: new URL(`http://c.test/?by=${by}`) } as Incoming);

  test("is one of those there are", () => {
    expect(asked("key").query()).toEqual({ by: "key" });
    expect(asked("x".repeat(300)).query).toThrow("'by' must be one of day, key.");
  });

  test("that is longer than any parameter is refused for its length", () => {
    expect(asked("x".repeat(301)).query).toThrow("'by' is longer than 300 characters.");
  });
});
