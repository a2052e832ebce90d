import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { PAGE } from "./contract.ts";
import { Fault } from "./faults.ts";
import { checkFields } from "./json/json-body.ts";
import { listBody } from "./listing.ts";

const page = z.object(PAGE);
const read = (query: string) => checkFields(page, Object.fromEntries(new URLSearchParams(query)));
const number = (row: number) => row;

describe("a page of a list", () => {
  test("is fifty from the top unless it is said", () => {
    expect(read("")).toEqual({ limit: 50 });
    expect(read("after=x_1&limit=200")).toEqual({ after: "x_1", limit: 200 });
  });

  test.each([
    "limit=0",
    "limit=201",
    "limit=-1",
    "limit=1.5",
    "limit=ten",
    `after=${"x".repeat(201)}`,
  ])("refuses %s at its field", (query) => {
    const [param = ""] = query.split("=");
    expect(() => read(query)).toThrow(Fault);
    try {
      read(query);
    } catch (thrown) {
      expect((thrown as Fault).param).toBe(param);
    }
  });

  test("names the last row it shows, if there are more", () => {
    expect(listBody([9, 8, 7], 2, String, number)).toEqual({
      object: "list",
      data: [9, 8],
      next: "8",
    });
    expect(listBody([9, 8], 2, String, number).next).toBeNull();
    expect(listBody([], 2, String, number)).toEqual({ object: "list", data: [], next: null });
  });
});
