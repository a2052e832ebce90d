// Bodies as they were sealed before a seal was bound to its place.
import { createCipheriv, randomBytes } from "node:crypto";
import type { Vault } from "../../../src/lib/secrets/vault.ts";

const VERSION = 1;

export function sealedAsBefore(vault: Vault, purpose: string, bytes: Uint8Array): Uint8Array {
  const nonce = randomBytes(12);
  const key = Buffer.from(vault.derive(purpose), "base64url");
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([Buffer.from([VERSION]), nonce, sealed, cipher.getAuthTag()]);
}
