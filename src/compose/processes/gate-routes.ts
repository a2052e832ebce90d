import type { GateView } from "../../gateway/inner/gate-view.ts";
import type { Incoming, Route } from "../../lib/route.ts";

export const FACTS_PATH = "/inner/facts";
export const GATE_METRICS_PATH = "/inner/metrics";
export const TEST_PATH = "/inner/test";
export const PROVE_PATH = "/inner/prove";

/** Which channel is meant, and which of its models. */
export interface ChannelAsked {
  readonly channel: string;
  readonly model?: string | undefined;
}

async function asked({ request }: Incoming): Promise<ChannelAsked> {
  return (await request.json()) as ChannelAsked;
}

/** What a gate answers its office. */
export function gateRoutes(view: GateView): readonly Route[] {
  return [
    {
      method: "GET",
      path: FACTS_PATH,
      handle: async () => Response.json(await view.facts()),
    },
    {
      method: "GET",
      path: GATE_METRICS_PATH,
      handle: async () => new Response(await view.metrics()),
    },
    {
      method: "POST",
      path: TEST_PATH,
      async handle(incoming) {
        incoming.keepOpen();
        const { channel, model } = await asked(incoming);
        return Response.json((await view.test(channel, model)) ?? null);
      },
    },
    {
      method: "POST",
      path: PROVE_PATH,
      async handle(incoming) {
        await view.prove((await asked(incoming)).channel);
        return Response.json(null);
      },
    },
  ];
}
