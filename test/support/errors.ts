import { expect } from "bun:test";
import { Fault } from "../../src/lib/faults.ts";
import { failureOf } from "../store/samples.ts";

export interface ErrorFields {
  readonly message: string;
  readonly type: string;
  readonly code: string;
  readonly param: string | null;
}

export interface ExpectedError {
  readonly status: number;
  readonly type?: string;
  readonly code: string;
  readonly param?: string | null;
  readonly message?: RegExp;
}

/** The error of an answer, whose body must have exactly the four fields, and a request id. */
export async function readError(response: Response): Promise<ErrorFields> {
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("x-request-id")).toMatch(/^req_[0-9a-z]{26}$/);
  const body = (await response.json()) as { error: ErrorFields };
  expect(Object.keys(body)).toEqual(["error"]);
  expect(Object.keys(body.error).sort()).toEqual(["code", "message", "param", "type"]);
  expect(body.error.message).toBeString();
  expect(body.error.message).not.toBe("");
  expect(body.error.code).toBeString();
  expect(body.error.code).not.toBe("");
  expect(body.error.param === null || typeof body.error.param === "string").toBe(true);
  return body.error;
}

/** The answer is this error and no other. */
export async function expectError(
  response: Response,
  expected: ExpectedError,
): Promise<ErrorFields> {
  const error = await readError(response);
  const { status, type = "invalid_request_error", code, param = null, message } = expected;
  const { type: gotType, code: gotCode, param: gotParam } = error;
  const got = { status: response.status, type: gotType, code: gotCode, param: gotParam };
  expect(got).toEqual({ status, type, code, param });
  if (message) expect(error.message).toMatch(message);
  return error;
}

/** The fault that some work ends with; anything else is a failure of the test. */
export async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const thrown = await failureOf(work);
  if (!(thrown instanceof Fault)) throw thrown;
  return thrown;
}
