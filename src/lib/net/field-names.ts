/** The characters that the name of a header may have, by RFC 9110 §5.6.2: 1 at the byte of each. */
export const IN_NAMES = new Uint8Array(256);
for (const char of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
  IN_NAMES[char.charCodeAt(0)] = 1;
