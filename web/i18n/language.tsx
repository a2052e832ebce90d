import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from "react";
import { readSetting, writeSetting } from "../lib/settings.ts";
import {
  type Catalogue,
  type FirstAreas,
  type LaterAreas,
  type MessageAt,
  type MessageKey,
  messageAt,
} from "./catalogue.ts";
import { formOf, type Language, LOCALES, piecesOf, type Values } from "./messages.ts";

/** Turns a key into words: `t("keys.created", { name })`. */
export type Translate = <Key extends MessageKey>(
  key: Key,
  ...values: Values<MessageAt<Key>, string | number>
) => string;

interface Speech {
  readonly language: Language;
  /** For Intl. */
  readonly locale: string;
  readonly t: Translate;
  /** As `t`, where values are elements: a link or a mono id inside a sentence. */
  readonly rich: <Key extends MessageKey>(
    key: Key,
    ...values: Values<MessageAt<Key>, ReactNode>
  ) => ReactNode;
  readonly setLanguage: (language: Language) => void;
}

const LOADERS: Readonly<Record<Language, () => Promise<FirstAreas>>> = {
  en: async () => (await import("./en/catalogue.ts")).en,
  zh: async () => (await import("./zh/catalogue.ts")).zh,
};

const LATER: Readonly<Record<Language, () => Promise<LaterAreas>>> = {
  en: async () => (await import("./en/later.ts")).later,
  zh: async () => (await import("./zh/later.ts")).later,
};

/** Languages that were asked for in this tab, and what has come of their later areas. */
const asked = new Set<Language>();
const laterOf = new Map<Language, LaterAreas>();
let isLaterWanted = false;

async function loadLater(language: Language): Promise<void> {
  laterOf.set(language, await LATER[language]());
}

const SpeechContext = createContext<Speech | undefined>(undefined);

/** What the visitor chose before, or else what the browser asks for. */
export function detectLanguage(): Language {
  const chosen = readSetting("language") ?? navigator.language;
  return chosen.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export async function loadCatalogue(language: Language): Promise<FirstAreas> {
  asked.add(language);
  const later = isLaterWanted ? loadLater(language) : undefined;
  const catalogue = await LOADERS[language]();
  await later;
  return catalogue;
}

/** Whatever is shown with words of later areas, such as the code of a page; both are there when it resolves. */
export async function withLaterWords<Page>(page: Promise<Page>): Promise<Page> {
  isLaterWanted = true;
  await Promise.all([...asked].map(loadLater));
  return page;
}

export function useSpeech(): Speech {
  const speech = use(SpeechContext);
  if (!speech) throw new Error("SpeechProvider is missing");
  return speech;
}

function speechOf(language: Language, first: FirstAreas): Omit<Speech, "setLanguage"> {
  const number = new Intl.NumberFormat(LOCALES[language]);
  let whole: Partial<Catalogue> = first;
  const catalogue = () => {
    const later = laterOf.get(language);
    if (later && whole === first) whole = { ...first, ...later };
    return whole;
  };
  const shown = (value: unknown) => (typeof value === "number" ? number.format(value) : value);
  const pieces = <Value,>(key: MessageKey, values: Readonly<Record<string, Value>> = {}) =>
    piecesOf(formOf(messageAt(catalogue(), key), language, values.count), values).map(shown);
  return {
    language,
    locale: LOCALES[language],
    t: (key, ...values) => pieces(key, ...values).join(""),
    rich: (key, ...values) =>
      // The pieces of one sentence never change places.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above.
      pieces(key, ...values).map((piece, index) => <span key={index}>{piece as ReactNode}</span>),
  };
}

interface ProviderProps {
  readonly initial: { readonly language: Language; readonly catalogue: FirstAreas };
  readonly children: ReactNode;
}

export function SpeechProvider({ initial, children }: ProviderProps) {
  const [current, setCurrent] = useState(initial);
  const setLanguage = useCallback((language: Language) => {
    writeSetting("language", language);
    void loadCatalogue(language).then((catalogue) => setCurrent({ language, catalogue }));
  }, []);
  useEffect(() => {
    document.documentElement.lang = LOCALES[current.language];
  }, [current.language]);
  const speech = useMemo(
    () => ({ ...speechOf(current.language, current.catalogue), setLanguage }),
    [current, setLanguage],
  );
  return <SpeechContext value={speech}>{children}</SpeechContext>;
}
