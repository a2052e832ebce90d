import { told } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { APPID, OK, platformGet, platformPost, seconds } from "./platform-call.ts";

const addresses = z.looseObject({
  ip_list: told(z.array(z.string()), "Addresses.", ["127.0.0.1"]),
});

export const CLEAR_QUOTA = platformPost("/cgi-bin/clear_quota", {
  summary: "Resets the daily quota.",
  body: z.looseObject({ appid: APPID }),
  answer: OK,
});
export const SHOW_QUOTA = platformPost("/cgi-bin/openapi/quota/get", {
  summary: "Shows the use and the quota of a call today.",
  body: z.looseObject({
    cgi_path: told(z.string(), "The path of the call.", "/cgi-bin/draft/add"),
  }),
  answer: OK.extend({
    quota: z.looseObject({
      daily_limit: told(z.int(), "By the day.", 1_000),
      used: told(z.int(), "Today.", 1),
      remain: told(z.int(), "Today.", 999),
    }),
  }),
});
export const SHOW_CALL = platformPost("/cgi-bin/openapi/rid/get", {
  summary: "Shows a call by the `rid` of its error.",
  body: z.looseObject({
    rid: told(z.string(), "The path of the call.", "6919a3c0-1a2b3c4d-5e6f7a8b"),
  }),
  answer: OK.extend({
    request: z.looseObject({
      invoke_time: seconds("When it came."),
      cost_in_ms: told(z.number(), "How long it took.", 3),
      request_url: told(z.string(), "As in the call.", "http://127.0.0.1:8080/platform/…"),
      request_body: told(z.string(), "What was sent.", "{}"),
      response_body: told(z.string(), "What was answered.", '{"errcode":40007,"errmsg":"…"}'),
      client_ip: told(z.string(), "The caller's address.", "127.0.0.1"),
    }),
  }),
});
export const LIST_API_ADDRESSES = platformGet("/cgi-bin/get_api_domain_ip", {
  summary: "Lists the platform's addresses.",
  answer: addresses,
});
export const LIST_CALLBACK_ADDRESSES = platformGet("/cgi-bin/getcallbackip", {
  summary: "Lists the addresses that events come from.",
  answer: addresses,
});
export const GIVE_CARD = platformPost("/channels/ec/service/product/getcardinfo", {
  summary: "Shows a product's card for the text of an article.",
  body: z.looseObject({
    product_id: told(z.string(), "Digits.", "10000123456789"),
    article_type: z.enum(["news", "newspic"]),
    card_type: told(z.int(), "0 to 2 in articles, 1 to 3 with pictures.", 1),
  }),
  answer: OK.extend({
    product_key: told(z.string(), "For `product_info` of an article.", "k3Y"),
    DOM: told(z.string(), "For its text.", "<mp-common-product></mp-common-product>"),
  }),
});
