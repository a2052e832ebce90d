// A process that trusts the certificate of the tests, and calls one address by a proxy.

import { proxiedFetch } from "../../../src/lib/net/proxied-fetch.ts";
import { SafeFetchError } from "../../../src/lib/net/safe-fetch.ts";

const [address = "", proxy = "", size = "0"] = process.argv.slice(2);
const said = await proxiedFetch(
  address,
  { url: proxy, isOperators: false },
  { allowPrivate: true },
  {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: new Uint8Array(Number(size)).fill(7),
    ...{ bytesMax: 1_000, deadlineMs: 60_000 },
  },
).then(
  ({ bytes }) => new TextDecoder().decode(bytes),
  (thrown: unknown) => {
    if (!(thrown instanceof SafeFetchError)) throw thrown;
    return `${thrown.reason} ${thrown.sent} ${thrown.message}`;
  },
);
process.stdout.write(said);
