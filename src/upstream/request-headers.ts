import type { SentHeaders } from "../lib/route.ts";
import { passedBetas } from "../protocols/messages/request/betas.ts";
import type { VendorKey } from "./channels/credentials.ts";
import type { VendorAuth, VendorEndpoint } from "./vendors.ts";

/** Where each wire's own servers look for the key. */
const WIRE_AUTH: Readonly<Record<VendorEndpoint, VendorAuth>> = {
  responses: "bearer",
  chat: "bearer",
  embeddings: "bearer",
  messages: { header: "x-api-key" },
  gemini: { header: "x-goog-api-key" },
};

const MESSAGES_VERSION = "2023-06-01";

/** The client's headers that a vendor of this wire may see. */
export function passedHeaders(
  endpoint: VendorEndpoint,
  client: SentHeaders,
): Record<string, string> | undefined {
  if (endpoint !== "messages") return undefined;
  const betas = passedBetas(client.get("anthropic-beta"));
  return betas === undefined ? undefined : { "anthropic-beta": betas };
}

function keyHeader(auth: VendorAuth, endpoint: VendorEndpoint, key: VendorKey): [string, string] {
  const way = auth === "wire" ? WIRE_AUTH[endpoint] : auth;
  if (typeof way === "object") return [way.header, key.reveal()];
  return ["authorization", `Bearer ${key.reveal()}`];
}

/** The headers of any call to a vendor. */
export function vendorHeaders(
  auth: VendorAuth,
  endpoint: VendorEndpoint,
  key: VendorKey,
  own: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json",
    // Bun inflates but keeps the header; plain bytes leave nothing to contradict.
    "accept-encoding": "identity",
    "user-agent": "faregate",
  };
  if (endpoint === "messages") headers["anthropic-version"] = MESSAGES_VERSION;
  if (!key.empty) {
    const [name, value] = keyHeader(auth, endpoint, key);
    headers[name] = value;
  }
  return own ? Object.assign(headers, own) : headers;
}
