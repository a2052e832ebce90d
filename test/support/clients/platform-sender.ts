// Software of strangers that talks to the platform over HTTP, as an integration does.
import { expect } from "bun:test";
import { picture } from "../samples/pictures.ts";

interface Credentials {
  readonly appid: string;
  readonly secret: string;
}

type Reply = Readonly<Record<string, unknown>>;

/** A sender with a token of this account. `url` is the server's, without a path. */
export async function platformSender(url: string, { appid, secret }: Credentials) {
  const base = `${url}/platform/cgi-bin`;
  const ask = async (path: string, init: RequestInit): Promise<Reply> => {
    const response = await fetch(`${base}${path}`, init);
    const answer = (await response.json()) as Reply;
    expect(answer.errcode ?? 0).toBe(0);
    return answer;
  };
  const post = (path: string, body: unknown) =>
    ask(path, { method: "POST", body: JSON.stringify(body) });
  const grant = { grant_type: "client_credential", appid, secret };
  const { access_token: token } = await post("/stable_token", grant);
  const call = (path: string, body: unknown) => post(`${path}?access_token=${token}`, body);
  const upload = async (path: string) => {
    const form = new FormData();
    const bytes = new Uint8Array(await picture("png"));
    form.append("media", new File([bytes], "cover.png", { type: "image/png" }));
    return ask(`${path}access_token=${token}`, { method: "POST", body: form });
  };
  const cover = String((await upload("/material/add_material?type=image&")).media_id);
  return {
    cover,
    /** The answer to a call with the account's token. */
    call,
    /** Where a picture of an article is shown. */
    bodyPicture: async () => String((await upload("/media/uploadimg?")).url),
    /** The media id of a new draft. */
    async add(...articles: readonly object[]): Promise<string> {
      const whole = articles.map((article) => ({ thumb_media_id: cover, ...article }));
      return String((await call("/draft/add", { articles: whole })).media_id);
    },
    count: async () =>
      Number((await ask(`/draft/count?access_token=${token}`, { method: "GET" })).total_count),
  };
}

/** What an attacker would put into an article; `reached` is where it would report to. */
export function hostileContent(reached: string): string {
  return [
    "<p>Visible words</p>",
    `<script>top.hacked = 1; fetch("${reached}?script")</script>`,
    `<img src="${reached}?pixel" onerror="top.hacked = 2; fetch('${reached}?onerror')">`,
    `<svg onload="top.hacked = 3"><a href="javascript:top.hacked=4"><text>x</text></a></svg>`,
    `<iframe src="${reached}?frame"></iframe>`,
    `<form action="${reached}?form"><button>send</button></form>`,
    `<style>@import "${reached}?style";</style>`,
    `<meta http-equiv="refresh" content="0;url=${reached}?refresh">`,
    `<a href="${reached}?link" target="_top">away</a>`,
  ].join("");
}
