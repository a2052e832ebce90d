import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from "react";
import { loaded } from "../lib/loaded.ts";
import { readSetting, writeSetting } from "../lib/settings.ts";
import {
  type Catalogue,
  type FirstAreas,
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

export interface Speech {
  readonly language: Language;
  /** For Intl. */
  readonly locale: string;
  readonly t: Translate;
  /** As `t`, where values are elements: a link or a mono id inside a sentence. */
  readonly rich: <Key extends MessageKey>(
    key: Key,
    ...values: Values<MessageAt<Key>, ReactNode>
  ) => ReactNode;
  /** Resolves when its words are shown; throws where they do not come. */
  readonly setLanguage: (language: Language) => Promise<void>;
}

const LOADERS: Readonly<Record<Language, () => Promise<FirstAreas>>> = {
  en: async () => (await loaded(() => import("./en/catalogue.ts"))).en,
  zh: async () => (await loaded(() => import("./zh/catalogue.ts"))).zh,
};

/** Words that come with the pages that say them. */
export type LaterWords = "api" | "drafts" | "material" | "operators" | "settings";

const LATER: Readonly<Record<Language, Record<LaterWords, () => Promise<Partial<Catalogue>>>>> = {
  en: {
    api: async () => (await loaded(() => import("./en/api-areas.ts"))).apiAreas,
    drafts: async () => (await loaded(() => import("./en/drafts/draft-areas.ts"))).draftAreas,
    material: async () =>
      (await loaded(() => import("./en/drafts/material-areas.ts"))).materialAreas,
    operators: async () => (await loaded(() => import("./en/operator-areas.ts"))).operatorAreas,
    settings: async () => ({ settings: (await loaded(() => import("./en/settings.ts"))).settings }),
  },
  zh: {
    api: async () => (await loaded(() => import("./zh/api-areas.ts"))).apiAreas,
    drafts: async () => (await loaded(() => import("./zh/drafts/draft-areas.ts"))).draftAreas,
    material: async () =>
      (await loaded(() => import("./zh/drafts/material-areas.ts"))).materialAreas,
    operators: async () => (await loaded(() => import("./zh/operator-areas.ts"))).operatorAreas,
    settings: async () => ({ settings: (await loaded(() => import("./zh/settings.ts"))).settings }),
  },
};

/** Languages and later words that were asked for in this tab, and what of these has come. */
const asked = new Set<Language>();
const wanted = new Set<LaterWords>();
const laterOf = new Map<Language, Partial<Catalogue>>();

async function loadLater(language: Language, later: LaterWords): Promise<void> {
  const areas = await LATER[language][later]();
  laterOf.set(language, { ...laterOf.get(language), ...areas });
}

const SpeechContext = createContext<Speech | undefined>(undefined);

/** What the visitor chose before, or else what the browser asks for. */
export function detectLanguage(): Language {
  const chosen = readSetting("language") ?? navigator.language;
  return chosen.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export async function loadCatalogue(language: Language): Promise<FirstAreas> {
  const isNew = !asked.has(language);
  asked.add(language);
  const later = [...wanted].map((one) => loadLater(language, one));
  try {
    const [catalogue] = await Promise.all([LOADERS[language](), ...later]);
    asked.add(language);
    return catalogue;
  } catch (thrown) {
    // Pages of the language that is shown must not wait for one that cannot be had.
    if (isNew) asked.delete(language);
    throw thrown;
  }
}

/** Whatever is shown with later words, such as the code of a page; both are there when it resolves. */
export async function withWords<Page>(later: LaterWords, page: Promise<Page>): Promise<Page> {
  wanted.add(later);
  await Promise.all([...asked].map((language) => loadLater(language, later)));
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
  let added: Partial<Catalogue> | undefined;
  const catalogue = () => {
    const later = laterOf.get(language);
    if (later !== added) whole = { ...first, ...later };
    added = later;
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

/** A language with the words that every visit has. */
export interface Spoken {
  readonly language: Language;
  readonly catalogue: FirstAreas;
}

interface ProviderProps {
  readonly initial: Spoken;
  readonly children: ReactNode;
}

export function SpeechProvider({ initial, children }: ProviderProps) {
  const [current, setCurrent] = useState(initial);
  const setLanguage = useCallback(async (language: Language) => {
    const catalogue = await loadCatalogue(language);
    writeSetting("language", language);
    setCurrent({ language, catalogue });
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
