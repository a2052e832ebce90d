// Texts of every kind that somebody may send, and alphabets to make worse ones from.
import { readFileSync } from "node:fs";
import { PROSE } from "./prose.ts";

/** The same numbers for the same seed, from 0 up to below 1. */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

type Random = () => number;

const pick = <T>(random: Random, from: ArrayLike<T>) =>
  from[Math.floor(random() * from.length)] as T;

function some(random: Random, from: ArrayLike<string>, length: number): string {
  return Array.from({ length }, () => pick(random, from)).join("");
}

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i));
}

const SMALL = [..."abcdefghijklmnopqrstuvwxyz"];
const CAPITAL = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const DIGITS = [..."0123456789"];
const MARKS = [..."!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"];
const CYRILLIC = range(0x430, 0x44f);
const HANZI = range(0x4e00, 0x9fff);
const COMBINING = range(0x300, 0x36f);

/** What adversaries put together, letter by letter. */
export const ALPHABETS: Readonly<Record<string, readonly string[]>> = {
  letters: SMALL,
  words: [...SMALL, ...SMALL, " ", " ", " "],
  cased: [...SMALL, ...CAPITAL, " ", " ", "'"],
  names: [" ", "  ", "   ", ...CAPITAL, ...CAPITAL, ..."aeioulmnrs", ...SMALL, "."],
  contractions: ["'s", "'t", "'re", "'ve", "'ll", "'d", "'m", " I", "we", " ", ...SMALL],
  marks: MARKS,
  ascii: range(0x20, 0x7e),
  hex: [...DIGITS, ..."abcdef", " ", " ", "-"],
  blanks: [" ", " ", " ", "\n", "\t", "\r", "\u00a0", "\u3000", "x", "1", "."],
  cyrillic: CYRILLIC,
  cyrillicWords: [...CYRILLIC, ...CYRILLIC, " ", " ", "ё", "П", "А", "作", "а"],
  twoScripts: [...CYRILLIC, ...SMALL, " "],
  hanzi: HANZI,
  commonHanzi: [...PROSE.chinese],
  accents: [...range(0xc0, 0x17f), ...SMALL, " "],
  combining: [...COMBINING, ...SMALL, " "],
  compatible: [
    ...range(0xfb00, 0xfb06),
    ...range(0x3300, 0x33ff),
    ...range(0xfb50, 0xfdff),
    ...range(0xff01, 0xffee),
    ...range(0x1d15e, 0x1d164),
    ...range(0x1f200, 0x1f251),
    "½",
    "①",
    ..."ab ",
  ],
  firstPlane: range(0x80, 0xd7ff),
  jamo: [...range(0x1100, 0x11ff), ...range(0xac00, 0xac80)],
  hangul: range(0xac00, 0xd7a3),
  kana: [...range(0x3041, 0x30ff), "的", "日"],
  arabic: [...range(0x600, 0x6ff), " "],
  devanagari: [...range(0x900, 0x97f), " "],
  thai: range(0xe00, 0xe5b),
  emoji: ["😀", "👨", "👩", "👧", "\u200d", "❤", "\ufe0f", "🏽", "🇩🇪", " "],
};

const OTHER_LANGUAGES = {
  japanese: `昨日は駅前の小さな喫茶店で友達と会いました。雨が降っていたので、窓の外を眺めながら二時間も
話し込んでしまいました。来月は一緒に京都へ行く予定です。`,
  korean: `어제는 오랜만에 친구를 만나서 저녁을 먹었습니다. 비가 많이 와서 길이 막혔지만 즐거운 시간이었습니다.
다음 달에는 함께 제주도에 가기로 했습니다.`,
  arabic: `التقيت أمس بصديق قديم في المقهى القريب من المحطة، وتحدثنا طويلا عن العمل والأسرة. كان المطر يهطل
بغزارة ولم نرغب في الخروج.`,
  hindi: `कल शाम मैं अपने पुराने मित्र से मिला और हमने देर तक बातें कीं। बाहर तेज़ बारिश हो रही थी, इसलिए हम
चाय पीते रहे और पुराने दिनों को याद करते रहे।`,
  thai: `เมื่อวานนี้ฉันไปพบเพื่อนเก่าที่ร้านกาแฟใกล้สถานีรถไฟ ฝนตกหนักมากเราจึงนั่งคุยกันนานสองชั่วโมง`,
  hebrew: `אתמול פגשתי חבר ותיק בבית הקפה ליד התחנה. ירד גשם חזק, אז נשארנו לשבת ולדבר שעתיים.`,
  greek: `Χθες συνάντησα έναν παλιό φίλο στο καφενείο δίπλα στον σταθμό και μιλήσαμε για δύο ώρες.`,
  vietnamese: `Hôm qua tôi gặp một người bạn cũ ở quán cà phê gần nhà ga. Trời mưa to nên chúng tôi ngồi lại.`,
  ukrainian: `Учора ввечері я зустрів давнього друга біля вокзалу, і ми довго розмовляли про роботу й родину.`,
  polish: `Wczoraj spotkałem starego przyjaciela w kawiarni obok dworca i rozmawialiśmy przez dwie godziny.`,
};

const source = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

export const WRITTEN: Readonly<Record<string, string>> = {
  ...PROSE,
  ...OTHER_LANGUAGES,
  code: source("src/gateway/admitted-request.ts"),
  markdown: source("docs/billing.md"),
  json: source("package.json"),
};

function uuid(random: Random): string {
  const hex = (length: number) => some(random, "0123456789abcdef", length);
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}

function address(random: Random): string {
  const word = () => some(random, [...SMALL, ...DIGITS], 3 + Math.floor(random() * 9));
  return `https://${word()}.${word()}.example/${word()}/${word()}?${word()}=${word()}&id=${uuid(random)}`;
}

/** One grapheme with as many marks upon it as a joker likes. */
function zalgo(random: Random): string {
  const marked = () => pick(random, SMALL) + some(random, COMBINING, 1 + Math.floor(random() * 12));
  return Array.from({ length: 8 }, marked).join("");
}

function bytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}

/** Texts that chance makes, by kind. */
export const MADE: Readonly<Record<string, (random: Random) => string>> = {
  base64: (random) => bytes(random, 150).toString("base64"),
  hex: (random) => bytes(random, 100).toString("hex"),
  digits: (random) => some(random, DIGITS, 200),
  bytes: (random) => bytes(random, 200).toString("latin1"),
  brokenText: (random) => bytes(random, 200).toString(),
  units: (random) =>
    Array.from({ length: 80 }, () => String.fromCharCode(Math.floor(random() * 0x10000))).join(""),
  marks: (random) => some(random, MARKS, 200),
  uuids: (random) => Array.from({ length: 5 }, () => uuid(random)).join("\n"),
  addresses: (random) => Array.from({ length: 3 }, () => address(random)).join(" "),
  repeated: (random) => pick(random, [...range(0x20, 0x24f), "的", "я", "😀"]).repeat(150),
  blanks: (random) => some(random, [" ", "  ", "    ", "\n", "\t", " ".repeat(17)], 60),
  spaces: (random) =>
    `x${" ".repeat(Math.floor(random() * 300))}${pick(random, ["y", "1", ".", ""])}`,
  zalgo,
  names: (random) =>
    Array.from({ length: 30 }, () => pick(random, CAPITAL) + some(random, SMALL, 5)).join(""),
  jsonOf: (random) =>
    JSON.stringify({ [some(random, SMALL, 6)]: [random(), uuid(random), { a: null, "\n": "\\" }] }),
  shuffledProse: (random) => {
    const words = PROSE.english.split(/\s+/);
    return Array.from({ length: 40 }, () => pick(random, words)).join(
      pick(random, [" ", "", "\n"]),
    );
  },
  ...Object.fromEntries(
    Object.entries(ALPHABETS).map(([name, alphabet]) => {
      return [`any ${name}`, (random: Random) => some(random, alphabet, 60)];
    }),
  ),
};
