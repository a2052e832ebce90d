/** Only a path of the console: an address from outside must not lead anywhere else. */
export function safePath(to: string | undefined): string {
  return to && /^\/(?![/\\])/.test(to) ? to : "/";
}
