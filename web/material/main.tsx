import { mount } from "../app/mount.tsx";
import { Preferences } from "../app/preferences.tsx";
import { SessionProvider } from "../lib/session.tsx";
import { HelpContext } from "../ui/help-context.ts";
import { MaterialPage } from "./material-page.tsx";
import { NotLoaded } from "./not-loaded.tsx";
import { isSignedOut, signInAgain } from "./sign-in-again.ts";

function content(notMet: unknown) {
  if (isSignedOut(notMet)) {
    signInAgain();
    return undefined;
  }
  if (notMet !== undefined) return <NotLoaded error={notMet} />;
  return (
    <SessionProvider>
      <Preferences />
      <HelpContext value="/docs/platform#material-page">
        <MaterialPage />
      </HelpContext>
    </SessionProvider>
  );
}

void mount("material", content);
