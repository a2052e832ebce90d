import { dlopen } from "bun:ffi";

/** What Linux calls by these numbers, on every machine that Bun runs on. */
const F_DUPFD_CLOEXEC = 1030;
const SOL_SOCKET = 1;
const SO_REUSEADDR = 2;
const SO_REUSEPORT = 15;
const SHUT_RD = 0;
const OFF = new Int32Array([0]);
const ON = new Int32Array([1]);

/** What the library of the system is called, by who has written it. */
const LIBRARIES = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];
const CALLS = {
  fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
  setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
  shutdown: { args: ["i32", "i32"], returns: "i32" },
  close: { args: ["i32"], returns: "i32" },
} as const;

/** Undefined elsewhere than on Linux, which alone deals out the connections of a port that is shared. */
function systemCalls() {
  if (process.platform !== "linux") return undefined;
  for (const name of LIBRARIES) {
    try {
      return dlopen(name, CALLS).symbols;
    } catch {
      // That of another one, then.
    }
  }
  return undefined;
}

type Calls = NonNullable<ReturnType<typeof systemCalls>>;

interface Address {
  readonly hostname: string;
  readonly port: number;
}

/**
 * A socket on the port that takes no connection. Opened as one that shares with nobody, it is made one that shares with
 * whoever says so too: so gates come and go beside it, and a server that would have the port to itself does not get it.
 */
function keep({ fcntl, setsockopt, shutdown, close }: Calls, listening: number) {
  // Under a number that Bun does not close, and that no other program inherits.
  const kept = fcntl(listening, F_DUPFD_CLOEXEC, 0);
  if (kept < 0) return undefined;
  const set = (option: number, value: Int32Array) =>
    setsockopt(kept, SOL_SOCKET, option, value, value.byteLength) === 0;
  // Who allows that the address is used again leaves the port to everybody as long as nobody listens.
  const isKept = set(SO_REUSEADDR, OFF) && set(SO_REUSEPORT, ON) && shutdown(kept, SHUT_RD) === 0;
  const release = () => void close(kept);
  if (isKept) return release;
  release();
  return undefined;
}

function canShare(address: Address): boolean {
  try {
    void Bun.serve({ ...address, reusePort: true, fetch: () => new Response() }).stop(true);
    return true;
  } catch {
    return false;
  }
}

/**
 * Takes a port for the gates of one server, also for while none of them listens: the system lets no two servers have it,
 * under whichever name they call the host, and ends that with this process, however it ends. Throws where somebody has
 * it; returns the way to let it go. Where the system cannot do that, the port is only known to have been free.
 */
export function holdPort(address: Address): () => void {
  const socket = { data() {} };
  const listener = Bun.listen({ ...address, exclusive: true, socket });
  const calls = systemCalls();
  // What Bun's types do not know, Bun does.
  const { fd } = listener as unknown as { readonly fd: number };
  const release = calls && keep(calls, fd);
  listener.stop(true);
  if (release && canShare(address)) return release;
  release?.();
  return () => {};
}
