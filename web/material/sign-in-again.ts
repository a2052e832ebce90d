import { ApiError } from "../lib/api.ts";
import { MATERIAL_PATH } from "./address.ts";

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** To the door of the console, which leads back here. */
export function signInAgain(): void {
  const back = new URLSearchParams({ to: `${MATERIAL_PATH}${location.search}` });
  location.replace(`/console/sign-in?${back}`);
}
