// Requests to the draft box as literal text, so that no code of the project decides what is sent.
import { expect } from "bun:test";
import type { PlatformHouse, WireAnswer } from "../houses/platform-house.ts";

export const ADD = "/cgi-bin/draft/add";
export const GOOD =
  '{"articles":[{"title":"标题","author":"麦多多","digest":"摘要",' +
  '"content":"<section><p style=\\"color:#222\\">正文</p></section>","thumb_media_id":"THUMB"}]}';
const RID = "rid: [0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}$";
export const HINT = " hint: \\[\\w{6}\\d{6,7}-\\d\\] ";

/** One article with these members, the rest of it good. */
export function articleWith(members: string): string {
  return `{"articles":[{"title":"t","content":"c","thumb_media_id":"THUMB"${members}}]}`;
}

export function expectRefusal(answer: WireAnswer, errcode: number, message?: string): void {
  expect({ status: answer.status, type: answer.type, errcode: answer.body.errcode }).toEqual({
    status: 200,
    type: "application/json",
    errcode,
  });
  if (message !== undefined) expect(answer.body.errmsg).toMatch(new RegExp(`^${message}`));
  expect(answer.body.errmsg).toMatch(new RegExp(RID));
}

export async function boxCount(house: PlatformHouse): Promise<number> {
  return house.platform.box.count(house.appid);
}

export async function added(house: PlatformHouse, body = GOOD): Promise<string> {
  const answer = await house.post(ADD, body);
  expect(answer.body).toEqual({ media_id: expect.any(String) });
  return String(answer.body.media_id);
}

/** The first article of a draft as it is read back. */
export async function readBack(
  house: PlatformHouse,
  mediaId: string,
): Promise<Record<string, unknown>> {
  const answer = await house.post("/cgi-bin/draft/get", `{"media_id":"${mediaId}"}`);
  const [item] = answer.body.news_item as Record<string, unknown>[];
  return item ?? {};
}
