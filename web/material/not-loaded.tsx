import { useEffect } from "react";
import { NotLoaded as Base } from "../ui/not-loaded.tsx";
import { isSignedOut, signInAgain } from "./sign-in-again.ts";

/** What could not be loaded. Whoever is signed out by now is led to the door. */
export function NotLoaded({ error }: { readonly error: unknown }) {
  useEffect(() => {
    if (isSignedOut(error)) signInAgain();
  }, [error]);
  return (
    <main>
      <Base page error={error} retry={() => location.reload()} />
    </main>
  );
}
