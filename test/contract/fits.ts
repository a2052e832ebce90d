// Whether an answer is what its operation says.
import { expect } from "bun:test";
import type { z } from "zod";
import { FAULT_BODY, type Operation } from "../../src/lib/contract.ts";
import { REFUSAL } from "../../src/platform/contract/platform-call.ts";

export const nameOf = ({ method, path }: Pick<Operation, "method" | "path">) => `${method} ${path}`;

/** Whether it is on the platform's own wire, where a refusal has the status of an answer. */
export const isPlatform = ({ path }: Operation) => /^\/platform\/(?:cgi-bin|channels)\//.test(path);

/** Says what is wrong with a value rather than that something is. What a schema would leave out is wrong too. */
export function expectFits(of: string, schema: z.ZodType, value: unknown): void {
  const { data, error } = schema.safeParse(value);
  if (error) expect({ of, problem: error.issues, value }).toEqual({ of, problem: [], value });
  expect({ of, value: data }).toEqual({ of, value });
}

export function expectFault(operation: Operation, text: string): void {
  const common = isPlatform(operation) ? REFUSAL : FAULT_BODY;
  expectFits(nameOf(operation), operation.fault ?? common, JSON.parse(text));
}

/** A type such as `image/*` has every kind of picture. */
export function expectType(of: string, { headers }: Response, contentType: string): void {
  const escaped = RegExp.escape(contentType).replaceAll(RegExp.escape("*"), "[a-z+]+");
  const fitting = expect.stringMatching(new RegExp(`^${escaped}(?:;|$)`));
  expect([of, headers.get("content-type")]).toEqual([of, fitting]);
}
