import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Vault } from "./vault.ts";

const CIPHER = "aes-256-gcm";
/** The first byte of what is sealed so. Nothing that is kept unsealed begins with it. */
const VERSION = 1;
const PREFIX_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES;
const COUNT_MAX = 0xffff_ffff;

/** Seals many bytes often, where the vault seals a few now and then. */
export interface ByteSeal {
  seal(bytes: Uint8Array): Uint8Array;
  /** Undefined where the bytes were sealed with another secret, or were changed. */
  open(sealed: Uint8Array): Uint8Array | undefined;
}

export function isSealed(bytes: Uint8Array): boolean {
  return bytes[0] === VERSION && bytes.length >= HEAD_BYTES + TAG_BYTES;
}

/**
 * Nonces that never come again: drawn once for each process and then counted. Drawing each would cost a
 * third of the sealing, and with billions of bodies two could be the same.
 */
class Nonces {
  readonly #prefix = Buffer.alloc(PREFIX_BYTES);
  #count = COUNT_MAX;

  /** Writes the next one into its place behind the version. */
  write(into: Buffer): void {
    if (this.#count === COUNT_MAX) {
      randomBytes(PREFIX_BYTES).copy(this.#prefix);
      this.#count = 0;
    }
    this.#prefix.copy(into, 1);
    into.writeUInt32BE(this.#count, 1 + PREFIX_BYTES);
    this.#count += 1;
  }
}

/** With a key of its own for each purpose, made of the vault's secret. */
export function createByteSeal(vault: Pick<Vault, "derive">, purpose: string): ByteSeal {
  const key = Buffer.from(vault.derive(purpose), "base64url");
  const nonces = new Nonces();
  return {
    seal(bytes) {
      const sealed = Buffer.allocUnsafe(HEAD_BYTES + bytes.length + TAG_BYTES);
      sealed[0] = VERSION;
      nonces.write(sealed);
      const cipher = createCipheriv(CIPHER, key, sealed.subarray(1, HEAD_BYTES));
      sealed.set(cipher.update(bytes), HEAD_BYTES);
      cipher.final();
      sealed.set(cipher.getAuthTag(), HEAD_BYTES + bytes.length);
      return sealed;
    },
    open(sealed) {
      if (!isSealed(sealed)) return undefined;
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(1, HEAD_BYTES));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const bytes = decipher.update(sealed.subarray(HEAD_BYTES, -TAG_BYTES));
      try {
        decipher.final();
        return bytes;
      } catch {
        return undefined;
      }
    },
  };
}
