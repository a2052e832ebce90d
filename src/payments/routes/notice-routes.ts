import { readBoundedText } from "../../lib/bodies/bounded-body.ts";
import { asFault } from "../../lib/faults.ts";
import type { Incoming, Route } from "../../lib/route.ts";
import type { Notices } from "../notices.ts";
import { EPAY_NOTIFY_PATH, STRIPE_WEBHOOK_PATH } from "../payments.ts";

/**
 * More than any notice of a provider has. A Stripe event carries its whole object: some with many lines and all of their
 * metadata have more than other callers without a key may send.
 */
const NOTICE_BYTES_MAX = 256 * 1024;

interface NoticeParts {
  readonly notices: Notices;
  /** How long a notice may take to come: anybody may send one. */
  readonly formMs: number;
}

function textOf(incoming: Incoming, withinMs: number): Promise<string> {
  const bytesMax = NOTICE_BYTES_MAX;
  return readBoundedText(incoming, { bytesMax, openBytesMax: bytesMax, withinMs });
}

async function takeStripe({ notices, formMs }: NoticeParts, incoming: Incoming): Promise<Response> {
  const body = await textOf(incoming, formMs);
  const outcome = await notices.stripe(body, incoming.request.headers.get("stripe-signature"));
  return Response.json({ received: true, outcome });
}

/** The interface knows two answers, as plain text; everything but the first makes it ask again. */
async function takeEpay({ notices, formMs }: NoticeParts, incoming: Incoming): Promise<Response> {
  const { request, url } = incoming;
  try {
    const params = new URLSearchParams(url.search);
    if (request.method === "POST") {
      for (const [name, value] of new URLSearchParams(await textOf(incoming, formMs))) {
        params.append(name, value);
      }
    }
    await notices.epay(params);
    return new Response("success");
  } catch (thrown) {
    const { status } = asFault(thrown);
    // A bug or a database that is away: the caller logs it, and the service sends the notice again.
    if (status >= 500) throw thrown;
    return new Response("fail", { status });
  }
}

/** Guards without a lock: what comes in is believed by its signature alone. */
export function noticeRoutes(parts: NoticeParts): readonly Route[] {
  return [
    {
      method: "POST",
      path: STRIPE_WEBHOOK_PATH,
      handle: (incoming) => takeStripe(parts, incoming),
    },
    { method: "GET", path: EPAY_NOTIFY_PATH, handle: (incoming) => takeEpay(parts, incoming) },
    { method: "POST", path: EPAY_NOTIFY_PATH, handle: (incoming) => takeEpay(parts, incoming) },
  ];
}
