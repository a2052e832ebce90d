import type { Incoming } from "../../lib/route.ts";
import { asCompaction, readCompactRequest } from "../../protocols/responses/request/compact.ts";
import type { Wire } from "../../protocols/wire.ts";
import { generate } from "../generate.ts";
import type { Services } from "../services.ts";

/** Makes a conversation shorter: the model writes its summary, priced like any other answer. */
export async function compact(services: Services, incoming: Incoming): Promise<Response> {
  const wire: Wire = {
    ...services.wires.responses,
    readRequest: (body, text) => readCompactRequest(body, text, services.limits),
  };
  return (await generate(services, wire, incoming, { reshape: asCompaction })).response();
}
