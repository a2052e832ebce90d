import { asFault, Fault } from "../lib/faults.ts";

/** On every answer of the console's API: nothing keeps it, guesses its type or frames it. */
const HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Answers with the headers of the API, whether the work succeeds or throws a fault. */
export async function withApiHeaders(work: () => Promise<Response>): Promise<Response> {
  let response: Response;
  try {
    response = await work();
  } catch (thrown) {
    const { fault, message, param, status, headers, facts } = asFault(thrown);
    // A bug is left as it is, so that the server logs it.
    if (status === 500) throw thrown;
    throw new Fault(fault, message, {
      param: param ?? undefined,
      headers: { ...HEADERS, ...headers },
      facts,
      cause: thrown,
    });
  }
  const isDocument = response.headers.has("content-security-policy");
  for (const [name, value] of Object.entries(HEADERS)) {
    // A document that is made for a frame of ours brings a policy of its own.
    if (!isDocument || !response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}
