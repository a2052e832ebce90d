// A process that trusts the certificate of the tests, and calls one address by a proxy.
import { proxiedFetch } from "../../src/lib/proxied-fetch.ts";

const [address = "", proxy = "", bytes = "0"] = process.argv.slice(2);
const answer = await proxiedFetch(
  address,
  { url: proxy, isOperators: false },
  { allowPrivate: true, exemptOrigins: [] },
  {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: new Uint8Array(Number(bytes)).fill(7),
    ...{ bytesMax: 1_000, deadlineMs: 60_000 },
  },
);
process.stdout.write(new TextDecoder().decode(answer.bytes));
