import { type FormEvent, useEffect, useRef, useState } from "react";
import { useSpeech } from "../i18n/language.tsx";
import { Badge, Notice } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { CodeBlock } from "../ui/code.tsx";
import { Field, Input, TextArea } from "../ui/field.tsx";
import { curlOf, type Operation, type Request, requestOf } from "./description.ts";

/** A page of more letters than this is slow to draw; whoever wants all of it takes the terminal. */
const SHOWN_CHARS_MAX = 100_000;

interface Heard {
  readonly status: number;
  readonly ms: number;
  readonly text: string;
  readonly cut: boolean;
}

function readable(text: string, contentType: string): string {
  if (!contentType.includes("json")) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function call(request: Request, signal: AbortSignal): Promise<Heard> {
  const startedMs = performance.now();
  const { method, url, headers, body } = request;
  const response = await fetch(url, {
    ...{ method, headers, signal },
    credentials: "authorization" in headers ? "omit" : "same-origin",
    ...(body !== undefined && { body }),
  });
  const text = readable(await response.text(), response.headers.get("content-type") ?? "");
  const ms = Math.round(performance.now() - startedMs);
  const cut = text.length > SHOWN_CHARS_MAX;
  return { status: response.status, ms, text: text.slice(0, SHOWN_CHARS_MAX), cut };
}

/** One call at a time; the next one and whoever leaves end it. */
function useCall() {
  const [state, setState] = useState<Heard | "busy" | "unreachable">();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const send = async (request: Request) => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    setState("busy");
    const heard = await call(request, own.signal).catch(() => "unreachable" as const);
    if (running.current === own) setState(own.signal.aborted ? undefined : heard);
  };
  return { state, send, cancel: () => running.current?.abort() };
}

function Answer({ heard }: { readonly heard: Heard }) {
  const { t } = useSpeech();
  const { status, ms, text, cut } = heard;
  return (
    <div aria-live="polite" className="flex flex-col gap-2">
      <p>
        <Badge tone={status < 400 ? "good" : "bad"}>{t("api.took", { status, ms })}</Badge>
      </p>
      {text !== "" && <CodeBlock label={t("api.answer")}>{text}</CodeBlock>}
      {cut && <p className="text-[13px] text-muted">{t("api.cut", { count: SHOWN_CHARS_MAX })}</p>}
    </div>
  );
}

interface TryItProps {
  readonly operation: Operation;
  /** What is known already, such as the account. */
  readonly known: Readonly<Record<string, string>>;
  readonly token: string;
}

export function TryIt({ operation, known, token }: TryItProps) {
  const { t } = useSpeech();
  const { parameters = [], requestBody } = operation;
  const json = requestBody?.content["application/json"];
  const [values, setValues] = useState(known);
  const [body, setBody] = useState(() => JSON.stringify(json?.example ?? {}, null, 2));
  const { state, send, cancel } = useCall();
  const request = requestOf(operation, values, json && body, token);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(request);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      {parameters.map(({ name, required = false, description }) => (
        <Field key={name} label={name} hint={description}>
          <Input
            mono
            required={required}
            value={values[name] ?? ""}
            onValueChange={(value) => setValues({ ...values, [name]: value })}
          />
        </Field>
      ))}
      {json && (
        <Field label={t("api.body")}>
          <TextArea mono rows={8} value={body} onChange={(event) => setBody(event.target.value)} />
        </Field>
      )}
      <div className="flex gap-2">
        <Button kind="primary" type="submit" busy={state === "busy"}>
          {t("api.send")}
        </Button>
        {state === "busy" && <Button onClick={cancel}>{t("api.cancel")}</Button>}
      </div>
      {state === "unreachable" && <Notice tone="bad">{t("api.unreachable")}</Notice>}
      {typeof state === "object" && <Answer heard={state} />}
      <CodeBlock label={t("api.inTerminal")}>{curlOf(request, location.origin)}</CodeBlock>
    </form>
  );
}
