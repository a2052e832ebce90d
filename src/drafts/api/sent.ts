import type { z } from "zod";
import type { AccountCall, Guards, Judged, Role } from "../../accounts/guards.ts";
import type { Answered, AnswerSchema, Operation } from "../../lib/contract.ts";
import type { Incoming, Route } from "../../lib/route.ts";
import { type Sent, sentBy } from "../../lib/serve-operation.ts";
import { type FormLimits, readForm } from "./read-form.ts";
import type { ConsoleDoorServices } from "./services.ts";

/**
 * What was sent. Bodies may carry pictures, so that they have bounds and words of their own; whoever sent one is
 * judged again once it is there.
 */
export function sentTo<Query extends z.ZodObject, Body extends z.ZodType>(
  operation: Operation<Query, Body>,
  incoming: Incoming,
  limits: FormLimits,
  { judgeAgain }: Judged,
): Sent<Query, Body> {
  const { body } = operation;
  const read = async (schema: z.ZodType) => {
    const form = await readForm(incoming, schema, limits);
    await judgeAgain();
    return form;
  };
  return {
    query: sentBy(operation, incoming).query,
    body: async () => (body ? await read(body) : undefined) as z.output<Body>,
  };
}

/** Who may call, and as what the call is counted where it is. */
type Entry = Role | { readonly least: Role; readonly counted: string };

/** Routes of the console whose bodies are those of drafts. */
export function accountRoutes({ calls, limits }: ConsoleDoorServices, guards: Guards) {
  return <Query extends z.ZodObject, Body extends z.ZodType, Answer extends AnswerSchema>(
    operation: Operation<Query, Body, Answer>,
    entry: Entry,
    handle: (call: AccountCall & Judged & Sent<Query, Body>) => Promise<Answered<Answer>>,
  ): Route => {
    const { least, counted } =
      typeof entry === "string" ? { least: entry, counted: undefined } : entry;
    const work = counted === undefined ? handle : calls.counted(counted, handle);
    return guards.account(operation, least, (call) =>
      work({ ...call, ...sentTo(operation, call.incoming, limits, call) }),
    );
  };
}
