/** What ends a path, or is read by some as a part of it and by others not. */
const DOUBTFUL = /[?#\\\s]/;

/**
 * Whether a text is an address of the web that paths can be put behind. The text itself is looked at:
 * a `?` or `#` with nothing behind it is not seen in what the address was read as, and would swallow
 * the path.
 */
export function isBareAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.username === "" && url.password === "" && !DOUBTFUL.test(text);
}
