import type { z } from "zod";
import type { AccountCall, Guards, Role } from "../../accounts/guards.ts";
import type { Answered, AnswerSchema, Operation } from "../../lib/contract.ts";
import type { Incoming, Route } from "../../lib/route.ts";
import { type Sent, sentBy } from "../../lib/serve-operation.ts";
import { readForm } from "./read-form.ts";

/** What was sent. Bodies may carry pictures, so that they have bounds and words of their own. */
export function sentTo<Query extends z.ZodObject, Body extends z.ZodType>(
  operation: Operation<Query, Body>,
  incoming: Incoming,
  bytesMax: number,
): Sent<Query, Body> {
  const { body } = operation;
  return {
    query: sentBy(operation, incoming).query,
    body: async () =>
      (body ? await readForm(incoming.request, body, bytesMax) : undefined) as z.output<Body>,
  };
}

/** Routes of the console whose bodies are those of drafts. */
export function accountRoutes(guards: Guards, bytesMax: number) {
  return <Query extends z.ZodObject, Body extends z.ZodType, Answer extends AnswerSchema>(
    operation: Operation<Query, Body, Answer>,
    least: Role,
    handle: (call: AccountCall & Sent<Query, Body>) => Promise<Answered<Answer>>,
  ): Route =>
    guards.account(operation, least, (call) =>
      handle({ ...call, ...sentTo(operation, call.incoming, bytesMax) }),
    );
}
