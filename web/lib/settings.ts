// What this browser remembers. Storage may be forbidden or full: then nothing is remembered.

type Setting = "theme" | "language" | "account";

const name = (setting: Setting) => `faregate.${setting}`;

/** Nothing where it is forbidden. */
export function allowed<Found>(work: () => Found): Found | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

export function readSetting(setting: Setting): string | undefined {
  return allowed(() => localStorage.getItem(name(setting))) ?? undefined;
}

/** What is forbidden lasts as long as the page. */
export function writeSetting(setting: Setting, value: string | undefined): void {
  allowed(() => {
    if (value === undefined) localStorage.removeItem(name(setting));
    else localStorage.setItem(name(setting), value);
  });
}

/** The same for this tab only: two tabs may look at two accounts. */
export function readTabSetting(setting: Setting): string | undefined {
  return allowed(() => sessionStorage.getItem(name(setting))) ?? readSetting(setting);
}

export function writeTabSetting(setting: Setting, value: string): void {
  allowed(() => sessionStorage.setItem(name(setting), value));
  writeSetting(setting, value);
}
