import { told } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { APPID, FLAG, OK, open, platformGet, platformPost } from "./platform-call.ts";

const GRANT = told(z.literal("client_credential"), "Always this.");
const SECRET = told(z.string(), "The account's.", "0123456789abcdef0123456789abcdef");
const LIFE = told(z.int(), "In seconds.", 7_200);
const token = z.looseObject({
  access_token: told(z.string(), "For the other calls.", "86_abcdefghijkl"),
  expires_in: LIFE,
});
const COMPONENT = told(z.string(), "The AppID of the third party.", "wxfedcba9876543210");
const REFRESH = told(z.string(), "Given with the authorisation.", "refreshtoken@@@abcdefghijkl");

export const GET_TOKEN = open(
  platformGet("/cgi-bin/token", {
    summary: "Issues a token; the former one ends soon after.",
    query: z.object({ grant_type: GRANT, appid: APPID, secret: SECRET }),
    answer: token,
  }),
);
export const GET_STABLE_TOKEN = open(
  platformPost("/cgi-bin/stable_token", {
    summary: "Issues the current token; asking again does not end it.",
    body: z.looseObject({
      grant_type: GRANT,
      appid: APPID,
      secret: SECRET,
      force_refresh: FLAG.describe("Whether a new one is made.").optional(),
    }),
    answer: token,
  }),
);
export const CLEAR_QUOTA_BY_SECRET = open(
  platformPost("/cgi-bin/clear_quota/v2", {
    summary: "Resets the daily quota, by AppID and secret, also in the query.",
    body: z.looseObject({ appid: APPID, appsecret: SECRET }),
    answer: OK,
  }),
);
export const GET_COMPONENT_TOKEN = open(
  platformPost("/cgi-bin/component/api_component_token", {
    summary: "Issues a third party's own token; any third party is believed.",
    body: z.looseObject({
      component_appid: COMPONENT,
      component_appsecret: SECRET,
      component_verify_ticket: told(z.string(), "The platform's last one.", "ticket@@@abc"),
    }),
    answer: z.looseObject({
      component_access_token: told(z.string(), "For the call below.", "86_mnopqrstuvwx"),
      expires_in: LIFE,
    }),
  }),
);
export const GET_AUTHORIZER_TOKEN = open(
  platformPost("/cgi-bin/component/api_authorizer_token", {
    summary: "Issues a token of an account for a third party.",
    query: z.object({
      component_access_token: told(z.string(), "The third party's; `access_token` is read too."),
    }),
    body: z.looseObject({
      component_appid: COMPONENT,
      authorizer_appid: APPID,
      authorizer_refresh_token: REFRESH,
    }),
    answer: z.looseObject({
      authorizer_access_token: told(z.string(), "For the other calls.", "86_abcdefghijkl"),
      expires_in: LIFE,
      authorizer_refresh_token: REFRESH,
    }),
  }),
);
