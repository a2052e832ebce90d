import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { ownSecret } from "./secret-file.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** In front of what is sealed, so that another way of sealing can be told from this one. */
const VERSION = "v1.";

/** Keeps secrets that we must be able to read again, such as a vendor's key. */
export interface Vault {
  /** A different text each time. */
  seal(text: string): string;
  /** Throws when the text was sealed with another secret, or was changed. */
  open(sealed: string): string;
  /** A secret for one purpose, of which nothing about the others can be learnt. */
  derive(purpose: string): string;
}

function keyFor(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "faregate", purpose, KEY_BYTES));
}

export function createVault(secret: string): Vault {
  const key = keyFor(secret, "vault");
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce);
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return VERSION + Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString("base64url");
    },
    open(sealed) {
      const bytes = Buffer.from(sealed.slice(VERSION.length), "base64url");
      if (!sealed.startsWith(VERSION) || bytes.length < NONCE_BYTES + TAG_BYTES) {
        throw new Error("this text was not sealed by the vault");
      }
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      try {
        return Buffer.concat([text, decipher.final()]).toString("utf8");
      } catch (thrown) {
        throw new Error(
          "a stored secret cannot be opened: FAREGATE_SECRET, or the file secret.key, is not the " +
            "one it was stored with",
          { cause: thrown },
        );
      }
    },
    derive: (purpose) => keyFor(secret, purpose).toString("base64url"),
  };
}

/**
 * What was sealed; undefined where it cannot be opened, because somebody has accepted that the secret of before is lost.
 * With one that is merely wrong nothing is opened: whoever starts with it is refused.
 */
export function openedBy(vault: Pick<Vault, "open">, sealed: string): string | undefined {
  try {
    return vault.open(sealed);
  } catch {
    return undefined;
  }
}

/** The vault of the secret that is set, or of the folder's own, which is made at the first start. */
export function openVault(secret: string | undefined, folder: string): Vault {
  return createVault(secret ?? ownSecret(folder));
}
