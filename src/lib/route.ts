/** One HTTP request on its way to the room that answers it. */
export interface Incoming {
  readonly request: Request;
  /** Also the id of the request's hold and receipt. */
  readonly requestId: string;
  readonly url: URL;
  /** Named pieces of the path, such as `id`. */
  readonly params: Readonly<Record<string, string>>;
  /** Nothing more is expected from the client: it may wait for as long as the answer takes. */
  keepOpen(): void;
  /** The caller's address, through trusted proxies. */
  address(): string;
}

/** A route as a room declares it. A fault that is thrown becomes the answer. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  handle(incoming: Incoming): Promise<Response>;
}
