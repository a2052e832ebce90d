import type { z } from "zod";
import type { Role } from "../../accounts/guards.ts";
import type { Answered, AnswerSchema, Operation } from "../../lib/contract.ts";
import { Fault } from "../../lib/faults.ts";
import type { Incoming, Route } from "../../lib/route.ts";
import { responseOf, type Sent } from "../../lib/serve-operation.ts";
import { checkRole, clientOf, judgeAgain, type KeyClient } from "./key-client.ts";
import { sentTo } from "./sent.ts";
import type { DoorServices } from "./services.ts";

/** A call with a key: whose it is, and what was sent. */
export interface KeyCall extends KeyClient {
  readonly incoming: Incoming;
}

/** `drf_…:retry` → its two halves; the platform's own ids have no colon. */
function readCall({ params: { id = "" } }: Incoming): {
  readonly id: string;
  readonly verb: string;
} {
  const at = id.lastIndexOf(":");
  return at < 0 ? { id, verb: "" } : { id: id.slice(0, at), verb: id.slice(at + 1) };
}

/** The id of a path whose methods take no verb. */
export function plainId({ incoming }: KeyCall): string {
  const { id, verb } = readCall(incoming);
  if (verb === "") return id;
  throw new Fault("method_not_allowed", "Use POST.", { headers: { allow: "POST" } });
}

/** What stands before the colon of a path that takes these verbs behind it. */
export function idBefore(verbs: readonly string[], { incoming }: KeyCall): string {
  const { id, verb } = readCall(incoming);
  if (verbs.includes(verb)) return id;
  const known = verbs.map((name) => `:${name}`).join(" and ");
  throw new Fault("unknown_url", `Unknown call; there are ${known}.`);
}

/**
 * Routes of a contract for whoever has a key that may at least so much. What is counted takes a while: once
 * all of it was sent, the connection is kept open for as long as it takes.
 */
export function keyRoutes(services: DoorServices, { isCounted = false } = {}) {
  return <Query extends z.ZodObject, Body extends z.ZodType, Answer extends AnswerSchema>(
    operation: Operation<Query, Body, Answer>,
    least: Role,
    answer: (call: KeyCall & Sent<Query, Body>) => Promise<Answered<Answer>>,
  ): Route => ({
    method: operation.method,
    path: operation.path,
    operation,
    async handle(incoming) {
      const client = await clientOf(services, incoming);
      checkRole(client, least);
      if (isCounted) services.calls.countKey(client);
      const sent = sentTo(operation, incoming, services.limits, {
        judgeAgain: () => judgeAgain(services, incoming, client),
      });
      const body = async () => {
        const form = await sent.body();
        if (isCounted) incoming.keepOpen();
        return form;
      };
      return responseOf(operation, await answer({ ...client, incoming, ...sent, body }));
    },
  });
}

/** One route for calls of one path that differ by the verb behind its colon; the first says which there are. */
export function verbRoute(first: Route, ...others: readonly Route[]): Route {
  const all = [first, ...others];
  return {
    method: first.method,
    path: first.path.slice(0, first.path.lastIndexOf(":")),
    operations: all.flatMap(({ operation }) => operation ?? []),
    handle(incoming) {
      const { verb } = readCall(incoming);
      const meant = all.find(({ path }) => path.endsWith(`:${verb}`)) ?? first;
      return meant.handle(incoming);
    },
  };
}
