// What this browser remembers. Storage may be forbidden or full: then nothing is remembered.

type Setting = "theme" | "language" | "account";

const name = (setting: Setting) => `faregate.${setting}`;

export function readSetting(setting: Setting): string | undefined {
  try {
    return localStorage.getItem(name(setting)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeSetting(setting: Setting, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(name(setting));
    else localStorage.setItem(name(setting), value);
  } catch {
    // The choice then lasts as long as the page.
  }
}

/** The same for this tab only: two tabs may look at two accounts. */
export function readTabSetting(setting: Setting): string | undefined {
  try {
    return sessionStorage.getItem(name(setting)) ?? readSetting(setting);
  } catch {
    return undefined;
  }
}

export function writeTabSetting(setting: Setting, value: string): void {
  try {
    sessionStorage.setItem(name(setting), value);
  } catch {
    // As above.
  }
  writeSetting(setting, value);
}
