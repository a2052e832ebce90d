/** The paths that the library has, by its calls; those that only a server makes have none. */
const KNOWN = new WeakMap<object, RegExp>();

function shapeOf(path: string): string {
  return path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:\w+/g, "[^/]+");
}

function knownPaths(calls: object): RegExp {
  const paths = Object.values(calls).flatMap((call) => {
    const { path } = call as { readonly path?: unknown };
    return typeof path === "string" ? [shapeOf(path)] : [];
  });
  return new RegExp(`^(?:${paths.join("|")})$`);
}

/** Whether one of the library's calls is at this path, below its own address. */
export function hasPath(calls: object, path: string): boolean {
  const known = KNOWN.get(calls) ?? knownPaths(calls);
  KNOWN.set(calls, known);
  return known.test(path);
}
