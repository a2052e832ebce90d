/** What a vendor repeats that is no event. */
export const NOISES: Readonly<Record<string, string>> = {
  "blank lines": "\n",
  "blank lines with CR": "\r\n",
  "lone CR": "\r",
  comments: ":\n",
  "comments in events": ":\n\n",
  "names alone": "event: x\n\n",
  "lines of an event without an end": "id: 1\n",
  "empty data": "data:\n\n",
  "lines of data": "data: 1\n",
  "small events": 'data: {"type":"x"}\n\n',
};
