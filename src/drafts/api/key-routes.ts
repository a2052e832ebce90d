import type { Role } from "../../accounts/guards.ts";
import { Fault } from "../../lib/faults.ts";
import type { Incoming, Route } from "../../lib/route.ts";
import { checkRole, clientOf, type KeyClient } from "./key-client.ts";
import type { DoorServices } from "./services.ts";

type Answer = (client: KeyClient, incoming: Incoming) => Promise<unknown>;

/** `drf_…:retry` → its two halves; the platform's own ids have no colon. */
export function readCall(piece: string): { readonly id: string; readonly verb: string } {
  const at = piece.lastIndexOf(":");
  return at < 0 ? { id: piece, verb: "" } : { id: piece.slice(0, at), verb: piece.slice(at + 1) };
}

/** A path that takes a verb behind a colon, asked for one that it does not know. */
export function unknownVerb(verbs: readonly string[]): Fault {
  const known = verbs.map((verb) => `:${verb}`).join(" and ");
  return new Fault("unknown_url", `Unknown call; there are ${known}.`);
}

/** Routes whose answer is JSON, for whoever has a key that may at least so much. */
export function keyRoutes(services: DoorServices) {
  return (method: Route["method"], path: string, least: Role, answer: Answer): Route => ({
    method,
    path,
    async handle(incoming) {
      const client = await clientOf(services, incoming);
      checkRole(client, least);
      return Response.json(await answer(client, incoming));
    },
  });
}

/** The same for calls that are counted. */
export function countedRoutes(services: DoorServices) {
  const route = keyRoutes(services);
  return (method: Route["method"], path: string, least: Role, answer: Answer): Route =>
    route(method, path, least, async (client, incoming) => {
      services.calls.countKey(client);
      return answer(client, incoming);
    });
}
