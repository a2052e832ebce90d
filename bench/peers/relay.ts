// The bare relay of `npm run bench`: the least that a metering relay on Bun can do.
import { freePort } from "../children.ts";
import { chatServer, type Peer } from "./peer.ts";

export const relay: Peer = {
  id: "relay",
  title: "bare relay",
  books: "a counter in memory",
  async install() {
    return { version: "of this project", runtime: `Bun ${Bun.version}` };
  },
  async start({ children, vendorUrl }) {
    const port = freePort();
    const env = { PORT: String(port), UPSTREAM_URL: vendorUrl };
    const child = await children.start("relay", ["bench/bare-relay.ts"], port, env, "/healthz");
    return chatServer(children, child);
  },
};
