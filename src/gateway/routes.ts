import type { z } from "zod";
import type { Answered, AnswerSchema, Operation } from "../lib/contract.ts";
import type { FaceOf, Incoming, Route, Sent, SocketRoute, Unrouted } from "../lib/route.ts";
import { responseOf } from "../lib/serve-operation.ts";
import type { PassWire } from "../protocols/wire.ts";
import { COMPLETE_CHAT } from "./contract/chat.ts";
import { CREATE_EMBEDDINGS } from "./contract/embeddings.ts";
import { geminiCalls } from "./contract/gemini.ts";
import { SHOW_GENERATION } from "./contract/generation.ts";
import { COUNT_MESSAGE_TOKENS, CREATE_MESSAGE } from "./contract/messages.ts";
import {
  LIST_GOOGLE_MODELS,
  LIST_MODELS,
  SHOW_GOOGLE_MODEL,
  SHOW_MODEL,
} from "./contract/models.ts";
import {
  COMPACT,
  COUNT_INPUT_TOKENS,
  CREATE_RESPONSE,
  DELETE_RESPONSE,
  LIST_INPUT_ITEMS,
  SHOW_RESPONSE,
} from "./contract/responses.ts";
import {
  ESTIMATE,
  SHOW_BILLED_USAGE,
  SHOW_CREDITS,
  SHOW_OWN_KEY,
  SHOW_SUBSCRIPTION,
} from "./contract/spending.ts";
import { faceAt, openFaces, plainPath } from "./faces.ts";
import { generate } from "./generate.ts";
import { showCredits, showGeneration, showKey } from "./routes/account-routes.ts";
import { showSubscription, showUsage } from "./routes/billing-routes.ts";
import { compact } from "./routes/compact-route.ts";
import { countInputTokens, countMessageTokens } from "./routes/count-tokens.ts";
import { estimate } from "./routes/estimate-route.ts";
import { callGemini } from "./routes/foreign-routes.ts";
import { listModels, showModel } from "./routes/model-routes.ts";
import { deleteResponse, listInputItems, showResponse } from "./routes/response-routes.ts";
import { unofferedFault } from "./routes/unoffered.ts";
import type { Services } from "./services.ts";
import { responsesSocket } from "./socket.ts";

type Handler = (services: Services, incoming: Incoming) => Promise<Response>;

/** Every route of the gateway. Tests are generated from this table. */
export function gatewayRoutes(services: Services): readonly Route[] {
  const { chat, responses, messages, embeddings } = services.wires;
  const at = (method: Route["method"], path: string, handler: Handler, face?: FaceOf): Route => ({
    method,
    path,
    pages: "allowed",
    ...(face && { face }),
    handle: (incoming) => handler(services, incoming),
  });
  /** The body is the wire's to read, and most answers are the wire's to write. */
  const route = (operation: Operation, handler: Handler, face?: FaceOf): Route => ({
    ...at(operation.method, operation.path, handler, face),
    operation,
  });
  /** What is answered here itself. */
  const own = <Answer extends AnswerSchema>(
    operation: Operation<z.ZodObject, z.ZodType, Answer>,
    handler: (services: Services, incoming: Incoming) => Promise<Answered<Answer>>,
    face?: FaceOf,
  ): Route =>
    route(
      operation,
      async (s, incoming) => responseOf(operation, await handler(s, incoming)),
      face,
    );
  /** What models are called by, also by those who have the connection themselves. */
  const call = (operation: Operation, wire: PassWire, face?: FaceOf): Route => {
    const answer = (incoming: Incoming<Sent>) => generate(services, wire, incoming);
    const handle = async (incoming: Incoming) => (await answer(incoming)).response();
    return { ...route(operation, (_, incoming) => handle(incoming), face), answer };
  };
  const faces = openFaces(services);
  const anthropic: FaceOf = () => faces.messages;
  const google: FaceOf = () => faces.gemini;
  const callers: FaceOf = (request) => faces[faceAt(request)];
  const gemini = (models: Parameters<typeof geminiCalls>[0], face: FaceOf): Route => ({
    ...at("POST", `${models}/:id`, callGemini, face),
    operations: geminiCalls(models),
  });
  return [
    call(CREATE_RESPONSE, responses),
    call(COMPLETE_CHAT, chat),
    call(CREATE_EMBEDDINGS, embeddings),
    call(CREATE_MESSAGE, messages, anthropic),
    own(COUNT_MESSAGE_TOKENS, countMessageTokens, anthropic),
    gemini("/v1beta/models", google),
    gemini("/v1/models", callers),
    route(LIST_GOOGLE_MODELS, listModels, google),
    route(SHOW_GOOGLE_MODEL, showModel, google),
    own(COUNT_INPUT_TOKENS, countInputTokens),
    route(COMPACT, compact),
    own(ESTIMATE, estimate),
    route(SHOW_RESPONSE, showResponse),
    own(DELETE_RESPONSE, deleteResponse),
    own(LIST_INPUT_ITEMS, listInputItems),
    route(LIST_MODELS, listModels, callers),
    route(SHOW_MODEL, showModel, callers),
    own(SHOW_OWN_KEY, showKey),
    own(SHOW_CREDITS, showCredits),
    own(SHOW_GENERATION, showGeneration),
    own(SHOW_SUBSCRIPTION, showSubscription),
    own(SHOW_BILLED_USAGE, showUsage),
  ];
}

export function gatewaySockets(services: Services): readonly SocketRoute[] {
  return [responsesSocket(services)];
}

/** What a client is told where none of the routes is, in its own words. */
export function gatewayUnrouted(services: Services): (request: Request, path: string) => Unrouted {
  const faces = openFaces(services);
  return (request, path) => {
    const face = faceAt(request);
    return { face: faces[face], fault: unofferedFault(face, plainPath(path)) };
  };
}
