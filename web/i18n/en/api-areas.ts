const api = {
  title: "API",
  description:
    "Every call that this gateway takes, with what it wants and what it answers. Try one here; it is a real call.",
  file: "openapi.json",
  search: "Search calls",
  none: "No call has all of these words.",
  toConsole: "Console",
  groups: "Calls by subject",
  callAs: "Call as",
  asYou: "{email}, signed in to the console",
  asNobody: "Nobody is signed in here; enter a key or a token.",
  token: "Key or token",
  tokenHint: "A gateway key for /v1, an operator's token for /api. It stays in this tab.",
  parameters: "Parameters",
  body: "Body",
  answer: "Answer",
  required: "required",
  defaultsTo: "{value} unless said",
  tryIt: "Try it",
  send: "Send",
  cancel: "Cancel",
  inTerminal: "In a terminal",
  took: "{status} in {ms} ms",
  unreachable: "The gateway could not be reached.",
  cut: "Only the first {count} characters are shown.",
} as const;

/** What only the description of the API says, which is a document of its own. */
export const apiAreas = { api } as const;
