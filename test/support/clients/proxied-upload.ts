// A process that trusts the certificate of the tests, and uploads one picture to a platform by a proxy.
import { PlatformHttp } from "../../../src/drafts/platform-api/platform-http.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { proxiedFetch } from "../../../src/lib/net/proxied-fetch.ts";

const [platformUrl = "", proxy = "", bytes = "0"] = process.argv.slice(2);
const limits = {
  ...{ draft_call_ms: 60_000, draft_upload_ms: 60_000 },
  draft_answer_bytes_max: 10_000,
};
const wire = new PlatformHttp(
  (address, call) =>
    proxiedFetch(
      address,
      { url: call.proxy ?? "", isOperators: false },
      { allowPrivate: true },
      call,
    ),
  limits,
  systemClock,
);
const reply = await wire.call({
  ...{ platformUrl, proxy, path: "/cgi-bin/media/uploadimg", secrets: ["t0ken"] },
  query: { access_token: "t0ken" },
  file: {
    bytes: new Uint8Array(Number(bytes)).fill(7),
    ...{ name: "picture.png", contentType: "image/png" },
  },
  read: (answer) => answer,
});
process.stdout.write(JSON.stringify(reply));
