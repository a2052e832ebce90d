import { systemClock } from "../../lib/clock.ts";

const SECOND_MS = 1_000;

/** The words behind a status, which nobody goes by. */
const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

let second = -1;
let dateLine = "";

function dateNow(): string {
  const now = Math.floor(systemClock() / SECOND_MS);
  if (now !== second) {
    second = now;
    dateLine = `date: ${new Date(now * SECOND_MS).toUTCString()}\r\n`;
  }
  return dateLine;
}

const ODD = /[^\t\x20-\x7e]/g;

/** What a field cannot have is not sent: whoever made it has been paid for the answer already. */
function plainValue(value: string): string {
  for (let i = 0; i < value.length; i++) {
    const char = value.charCodeAt(i);
    if (char < 32 || char > 126) return value.replace(ODD, "?");
  }
  return value;
}

/** The head of an answer but for how its body is framed. `fixed` are whole lines. */
export function headText(
  status: number,
  headers: Readonly<Record<string, string>>,
  fixed: string,
): string {
  let text = `HTTP/1.1 ${status} ${REASONS[status] ?? ""}\r\n`;
  for (const name in headers) text += `${name}: ${plainValue(headers[name] as string)}\r\n`;
  return text + fixed + dateNow();
}
