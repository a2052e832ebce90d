import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Vault } from "./vault.ts";

const CIPHER = "aes-256-gcm";
/** The first byte of what is sealed. Nothing that is kept unsealed begins with one of them. */
const BOUND = 2;
/** Of earlier days: it opens at every place. */
const UNBOUND = 1;
const PREFIX_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES;
const COUNT_MAX = 0xffff_ffff;

/** Seals many bytes often, where the vault seals a few now and then. */
export interface ByteSeal {
  /**
   * Bound to the place where the bytes are kept, so that whoever can write to the database cannot have
   * them read at a place of their own.
   */
  seal(bytes: Uint8Array, place: string): Uint8Array;
  /** Undefined where the bytes were sealed with another secret or for another place, or were changed. */
  open(sealed: Uint8Array, place: string): Uint8Array | undefined;
}

export function isSealed(bytes: Uint8Array): boolean {
  const known = bytes[0] === BOUND || bytes[0] === UNBOUND;
  return known && bytes.length >= HEAD_BYTES + TAG_BYTES;
}

export function isBound(sealed: Uint8Array): boolean {
  return sealed[0] === BOUND;
}

/** With the version in front, so that not even an empty place is bound to nothing. */
function bindingTo(place: string): Buffer {
  return Buffer.from(`${BOUND} ${place}`);
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
    seal(bytes, place) {
      const sealed = Buffer.allocUnsafe(HEAD_BYTES + bytes.length + TAG_BYTES);
      sealed[0] = BOUND;
      nonces.write(sealed);
      const cipher = createCipheriv(CIPHER, key, sealed.subarray(1, HEAD_BYTES));
      cipher.setAAD(bindingTo(place));
      sealed.set(cipher.update(bytes), HEAD_BYTES);
      cipher.final();
      sealed.set(cipher.getAuthTag(), HEAD_BYTES + bytes.length);
      return sealed;
    },
    open(sealed, place) {
      if (!isSealed(sealed)) return undefined;
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(1, HEAD_BYTES));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      if (isBound(sealed)) decipher.setAAD(bindingTo(place));
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
