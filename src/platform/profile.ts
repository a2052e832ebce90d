import type { PlatformProfile } from "../config/platform.ts";
import { codePoints, widthUnits } from "../wechat/measure.ts";

/** What the platform makes of the same bytes, by profile. */
export interface ProfileRules {
  /** `\uXXXX` in a body stays six characters, as on the live platform. */
  readonly keepsEscapes: boolean;
  /** Answers carry what the live platform adds: `\/`, `item`, times and addresses. */
  readonly talkative: boolean;
  /** How yes and no may be written in an article: as 0 and 1, as booleans too, or as text too. */
  readonly flags: "numbers" | "booleans" | "any";
  /** How the lengths of title, author and digest are counted. */
  measure(text: string): number;
  readonly titleMax: number;
  readonly authorMax: number;
  readonly digestMax: number;
  readonly sourceUrlBytesMax: number;
  readonly contentBytesMax: number;
  readonly visibleCharsMax: number;
  /** The text of an image message; beyond it the content counts as invalid. */
  readonly imageTextCharsMax: number;
  readonly articlesMax: number;
}

const KIB = 1024;
const NONE = Number.POSITIVE_INFINITY;
/** The document has no number; nobody sends so many. */
const ARTICLES_SANE = 100;

export const PROFILE_RULES: Readonly<Record<PlatformProfile, ProfileRules>> = {
  doc: {
    keepsEscapes: false,
    talkative: false,
    flags: "numbers",
    measure: codePoints,
    titleMax: 32,
    authorMax: 16,
    digestMax: 128,
    sourceUrlBytesMax: KIB,
    // The document also says 2 KB, which neither of these two could ever reach.
    contentBytesMax: KIB * KIB,
    visibleCharsMax: 20_000,
    imageTextCharsMax: NONE,
    articlesMax: ARTICLES_SANE,
  },
  live: {
    keepsEscapes: true,
    talkative: true,
    flags: "booleans",
    measure: widthUnits,
    titleMax: 128,
    authorMax: 16,
    digestMax: 240,
    sourceUrlBytesMax: KIB,
    contentBytesMax: 680 * KIB,
    visibleCharsMax: NONE,
    imageTextCharsMax: 1_000,
    articlesMax: 8,
  },
  lenient: {
    keepsEscapes: false,
    talkative: false,
    flags: "any",
    measure: codePoints,
    titleMax: NONE,
    authorMax: NONE,
    digestMax: NONE,
    sourceUrlBytesMax: NONE,
    contentBytesMax: KIB * KIB,
    visibleCharsMax: NONE,
    imageTextCharsMax: NONE,
    articlesMax: ARTICLES_SANE,
  },
};
