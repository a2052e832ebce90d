import { isLoopback } from "../lib/net/private-address.ts";
import { type Environment, oneOf } from "./environment.ts";

/** How closely the platform keeps to its document, or to what the real one was seen to do. */
const PLATFORM_PROFILES = ["doc", "live", "lenient"] as const;
export type PlatformProfile = (typeof PLATFORM_PROFILES)[number];

/** `host` is what is listened on: what only a developer should reach is off for the world. */
export function readPlatform(env: Environment, host: string) {
  const controls = oneOf(env, "FAREGATE_PLATFORM_CONTROLS", ["auto", "on", "off"]);
  return {
    on: oneOf(env, "FAREGATE_PLATFORM", ["on", "off"]) === "on",
    profile: oneOf(env, "FAREGATE_PLATFORM_PROFILE", PLATFORM_PROFILES),
    /** Whether there are the material page and the test controls. */
    controls: controls === "auto" ? isLoopback(host) : controls === "on",
  };
}
