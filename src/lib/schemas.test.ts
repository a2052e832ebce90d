import { expect, test } from "bun:test";
import { z as zod } from "zod";
import * as z from "./schemas.ts";

test("a schema is made when it is first asked something, and once", () => {
  let makings = 0;
  const shape = {
    get name() {
      makings++;
      return z.string();
    },
  };
  const person = z
    .strictObject(shape)
    .extend({ age: z.int().min(0).optional() })
    .nullable();
  const people = z.array(person).readonly().describe("Everybody.");
  expect(makings).toBe(0);
  expect(people.safeParse([{ name: "Ada", age: 36 }, null]).success).toBe(true);
  expect(people.safeParse([{ name: "Ada", age: -1 }]).success).toBe(false);
  expect(person.safeParse({ name: "Ada", aged: 36 }).success).toBe(false);
  expect(makings).toBe(1);
});

test("what cannot be made says so when it is asked", () => {
  const person = z.object({ name: z.string() });
  const aged = person.pick({ age: true } as never);
  expect(() => aged.parse({})).toThrow("age");
});

test("it is what zod would have made", () => {
  const make = (maker: Pick<typeof z, "strictObject" | "enum" | "string" | "union" | "iso">) => {
    const colour = maker.enum(["red", "blue"]).meta({ id: "Colour" });
    return maker.strictObject({
      colour,
      at: maker.iso.datetime().optional(),
      either: maker.union([colour, maker.string().max(3)]).default("red"),
    });
  };
  const waiting = make(z);
  expect(waiting).toBeInstanceOf(zod.ZodObject);
  expect("shape" in waiting).toBe(true);
  expect(Object.keys(waiting.shape)).toEqual(["colour", "at", "either"]);
  expect(waiting.shape.colour.options).toEqual(["red", "blue"]);
  expect(z.toJSONSchema(waiting)).toEqual(zod.toJSONSchema(make(zod)));
});
