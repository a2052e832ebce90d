import { isRecord } from "../json.ts";
import { namedValueIn } from "./mentions.ts";

const SUBJECT_CHARS_MAX = 400;
const TITLE_CHARS_MAX = 32;
const SHORT_CHARS_MAX = 40;
const MEMBERS = ["title", "digest", "markdown"];

/** What somebody says before the subject, and what may follow it. */
const ENGLISH_LEAD =
  /^\s*(?:please\s+)?(?:write|draft|compose|create)\s+(?:me\s+)?(?:(?:a|an|the|some)\s+)?(?:[\w-]+\s+){0,3}?(?:about|on)\s+/i;
const CHINESE_LEAD = /^\s*(?:请|帮我|请帮我)?(?:写|撰写|创作)?(?:一篇|一则|篇)?(?:关于|介绍|讲述)/;
const CHINESE_TAIL = /的?(?:公众号)?(?:文章|推文|短文|随笔)?[。.!！]*$/;

function isChinese(text: string): boolean {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = text.match(/\p{Script=Latin}+/gu)?.length ?? 0;
  return han > words;
}

/** The first sentence of the brief, without the words that only ask for it. */
function subjectOf(message: string): string {
  const [sentence = ""] = message
    .slice(0, SUBJECT_CHARS_MAX)
    .trim()
    .split(/[\n。！？!?]|\.\s/u);
  const bare = sentence.replace(ENGLISH_LEAD, "").replace(CHINESE_LEAD, "");
  return bare.replace(CHINESE_TAIL, "").replace(/[\s.,;:，；：]+$/u, "") || "Faregate";
}

/** Whole words, as many as fit, without one that only leads to the next. */
function fitted(text: string, charsMax: number): string {
  const all = [...text];
  if (all.length <= charsMax) return text;
  const cut = all.slice(0, charsMax).join("");
  const space = cut.lastIndexOf(" ");
  const words = space > charsMax / 2 ? cut.slice(0, space) : cut;
  return words.replace(
    /(?:[\s,;:]+(?:a|an|and|at|by|for|from|in|of|on|or|the|to|with))*[\s,;:]*$/i,
    "",
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function english(subject: string) {
  const digest = `A short sample about ${fitted(subject, SHORT_CHARS_MAX)}: why it matters, what to look at, and where to go on.`;
  const markdown = `This is a sample about **${subject}**, written by the sandbox model. It says nothing
that you could not have guessed, but it has every part that an article usually has, so that you can see how a
theme dresses them.

## Why it matters

Whoever reads about ${subject} wants two things: a picture of the whole, and one detail worth keeping. A good
article gives the first in a paragraph and saves the second for the end.

> A sample is a promise: the next text comes from a model that knows its subject.

## What to look at

1. Begin with what everybody can see.
2. Go on with what only those notice who stay a while.
3. End with a question.

| part      | what it is for        | length     |
| --------- | --------------------- | ---------- |
| beginning | to be read on         | short      |
| middle    | to be believed        | as needed  |
| end       | to be passed on       | one line   |

## Where to go on

Name another model, and the same brief becomes an article of its own:

\`\`\`sh
faregate draft new --brief "${subject.replace(/["\\`$]/g, "")}" --model MODEL
\`\`\`
`;
  return { digest, markdown, cover_idea: `A quiet picture of ${subject}.` };
}

function chinese(subject: string) {
  const digest = `一篇关于${fitted(subject, SHORT_CHARS_MAX)}的示例：为什么值得写、该看什么、接下来做什么。`;
  const markdown = `这是一篇由沙盒模型写的示例，主题是**${subject}**。它没有独到的见解，但文章常见的部分样样都有，方便你看看不同主题的排版效果。

## 为什么值得写

读到“${subject}”的人，想要的不过两样：一个整体的印象，和一个记得住的细节。好文章用一段话给出前者，把后者留到最后。

> 示例只是一个约定：下一篇，会由真正懂行的模型来写。

## 该看什么

1. 先写人人都看得见的。
2. 再写停下脚步才看得见的。
3. 最后留下一个问题。

| 部分 | 作用       | 篇幅     |
| ---- | ---------- | -------- |
| 开头 | 让人读下去 | 短       |
| 中段 | 让人信服   | 视需要   |
| 结尾 | 让人转发   | 一句话   |

## 接下来

换一个模型，同样的要求就会变成一篇真正的文章：

\`\`\`sh
faregate draft new --brief "${subject.replace(/["\\`$]/g, "")}" --model MODEL
\`\`\`
`;
  return { digest, markdown, cover_idea: `一幅关于${subject}的安静画面。` };
}

/**
 * Where a schema asks for an article, a whole one with all its usual parts, so that the way from a
 * brief to a draft can be tried without a vendor. Undefined for every other schema.
 */
export function sampleArticle(schema: unknown, message: string): unknown {
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
  if (!MEMBERS.every((name) => name in properties)) return undefined;
  const subject = subjectOf(message);
  const wanted = namedValueIn(message, "title");
  const article = isChinese(message) ? chinese(subject) : english(subject);
  const title = wanted || capital(fitted(subject, TITLE_CHARS_MAX));
  const whole = new Map(Object.entries({ ...article, title }));
  return Object.fromEntries(Object.keys(properties).map((name) => [name, whole.get(name) ?? ""]));
}
