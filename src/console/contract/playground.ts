import { post } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";

/** The gateway reads it, as it reads those of programs. */
const body = z.looseObject({ model: z.string() });
const answer = { contentType: "text/event-stream" };

/** The endpoints of the gateway that the playground speaks, by their paths there. */
export const PLAYGROUND = {
  "/v1/responses": post(
    "/api/accounts/:account/playground/responses",
    "Calls a model like /v1/responses, with the caller's own key.",
    { body, example: { model: "gpt-5.2", input: "Say hello.", stream: true }, answer },
  ),
  "/v1/chat/completions": post(
    "/api/accounts/:account/playground/chat/completions",
    "Calls a model like /v1/chat/completions, with the caller's own key.",
    {
      body,
      example: { model: "gpt-5.2", messages: [{ role: "user", content: "Hello." }], stream: true },
      answer,
    },
  ),
};
