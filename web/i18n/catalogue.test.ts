import { describe, expect, test } from "bun:test";
import { apiAreas as enApi } from "./en/api-areas.ts";
import { en as enFirst } from "./en/catalogue.ts";
import { draftAreas as enDrafts } from "./en/drafts/draft-areas.ts";
import { materialAreas as enMaterial } from "./en/drafts/material-areas.ts";
import { operatorAreas as enOperators } from "./en/operator-areas.ts";
import { settings as enSettings } from "./en/settings.ts";
import { type Area, formOf, type Message, piecesOf } from "./messages.ts";
import { apiAreas as zhApi } from "./zh/api-areas.ts";
import { zh as zhFirst } from "./zh/catalogue.ts";
import { draftAreas as zhDrafts } from "./zh/drafts/draft-areas.ts";
import { materialAreas as zhMaterial } from "./zh/drafts/material-areas.ts";
import { operatorAreas as zhOperators } from "./zh/operator-areas.ts";
import { settings as zhSettings } from "./zh/settings.ts";

const en = {
  ...enFirst,
  ...enApi,
  ...enDrafts,
  ...enMaterial,
  ...enOperators,
  settings: enSettings,
};
const zh = {
  ...zhFirst,
  ...zhApi,
  ...zhDrafts,
  ...zhMaterial,
  ...zhOperators,
  settings: zhSettings,
};

const textsOf = (message: Message) =>
  typeof message === "string" ? [message] : Object.values(message);
const namesIn = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "").sort();
const areas = (catalogue: object): [string, Area][] => Object.entries(catalogue);

describe("the catalogues", () => {
  test("have the same areas and keys", () => {
    const keys = (catalogue: object) =>
      areas(catalogue).flatMap(([name, area]) => Object.keys(area).map((key) => `${name}.${key}`));
    expect(keys(zh).sort()).toEqual(keys(en).sort());
  });

  test("use the same placeholders in every language", () => {
    const problems: string[] = [];
    const chinese = new Map(areas(zh));
    for (const [name, area] of areas(en)) {
      for (const [key, message] of Object.entries(area)) {
        const wanted = namesIn(textsOf(message).at(-1) ?? "").join();
        for (const text of textsOf(chinese.get(name)?.[key] ?? "")) {
          if (namesIn(text).join() !== wanted) problems.push(`${name}.${key}: ${text}`);
        }
      }
    }
    expect(problems).toEqual([]);
  });

  test("say nothing in English in Chinese, and use its punctuation", () => {
    const problems = areas(zh).flatMap(([name, area]) =>
      Object.entries(area).flatMap(([key, message]) =>
        textsOf(message)
          .filter((text) => text === "" || /[\u4e00-\u9fff]\s*[,.!?;:](?:\s|$)/.test(text))
          .map((text) => `${name}.${key}: ${text}`),
      ),
    );
    expect(problems).toEqual([]);
  });
});

describe("a message", () => {
  test("takes the form of its count", () => {
    const keys = { one: "{count} key", other: "{count} keys" };
    expect(formOf(keys, "en", 1)).toBe("{count} key");
    expect(formOf(keys, "en", 0)).toBe("{count} keys");
    expect(formOf({ other: "{count} 个密钥" }, "zh", 1)).toBe("{count} 个密钥");
  });

  test("takes values of any kind, and shows a missing one by its name", () => {
    const link = { href: "/console" };
    expect(piecesOf("Go to {page}, {name}.", { page: link })).toEqual([
      "Go to ",
      link,
      ", ",
      "{name}",
      ".",
    ]);
  });
});
