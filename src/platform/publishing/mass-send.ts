import { SEND_TO_ALL } from "../contract/publishing.ts";
import { type Endpoint, endpointsWith, type PlatformCall } from "../endpoint.ts";
import { PlatformError } from "../platform-error.ts";
import { mediaIdField } from "../protocol/fields.ts";
import { isJsonObject, type JsonObject, member, wireObject } from "../protocol/json.ts";
import type { Publishing } from "./publishing.ts";

const CLIENT_ID_BYTES_MAX = 64;

function clientMsgId(body: JsonObject): string | undefined {
  const id = member(body, "clientmsgid") ?? "";
  if (typeof id !== "string") throw new PlatformError(40035, "clientmsgid");
  if (Buffer.byteLength(id) > CLIENT_ID_BYTES_MAX) {
    throw new PlatformError(45067, "clientmsgid", "clientmsgid size out of limit");
  }
  if (id.includes("\u0000")) throw new PlatformError(40035, "clientmsgid");
  return id === "" ? undefined : id.toWellFormed();
}

async function sendAll(publishing: Publishing, call: PlatformCall): Promise<JsonObject> {
  const body = wireObject(call.json());
  if (member(body, "msgtype") !== "mpnews") {
    throw new PlatformError(40008, "msgtype", "invalid message type");
  }
  const news = member(body, "mpnews");
  if (!isJsonObject(news)) throw new PlatformError(41006, "mpnews");
  const sent = await publishing.massSend(call.account, mediaIdField(news), clientMsgId(body));
  return {
    errcode: 0,
    errmsg: "send job submission success",
    msg_id: sent.msgId,
    msg_data_id: sent.msgId,
  };
}

export function massSendEndpoints(publishing: Publishing): readonly Endpoint[] {
  return [endpointsWith(publishing, [7])(SEND_TO_ALL, sendAll, "mass_send")];
}
