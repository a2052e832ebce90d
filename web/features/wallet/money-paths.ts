/** Where everything is asked for that shows a balance. */
export function moneyPaths(path: (rest: string) => string): readonly string[] {
  return [...["/wallet", "/entries", "/orders", "/refunds", "/overview"].map(path), "/api/me"];
}
