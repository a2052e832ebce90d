import { ownOrigin } from "../../compose/own-origin.ts";
import type { Config } from "../../config/config.ts";
import { mistake } from "../terminal/arguments.ts";

/** What is asked of the system for a port: to look up the host, and to listen there. */
const SYSCALLS = ["getaddrinfo", "listen"];

interface Refusal {
  readonly code?: string;
  readonly syscall?: string;
  /** Only of a socket in a folder, which nobody has set. */
  readonly path?: string;
}

/** Why a port cannot be listened on, in words that name the settings; anything else is given back as it is. */
export function portMistake({ host, port }: Pick<Config, "host" | "port">, thrown: unknown) {
  const { code, syscall = "", path } = (thrown ?? {}) as Refusal;
  if (code === "EADDRINUSE") return mistake("portInUse", { port, host });
  if (!SYSCALLS.includes(syscall) || path !== undefined) return thrown;
  const place = ownOrigin({ host }, port).replace("http://", "");
  return mistake("portRefused", { place, reason: (thrown as Error).message });
}
