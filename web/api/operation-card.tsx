import { type SyntheticEvent, useState } from "react";
import { useSpeech } from "../i18n/language.tsx";
import { Badge, type Tone } from "../ui/badge.tsx";
import { CodeBlock } from "../ui/code.tsx";
import { type Api, type Operation, placeOf } from "./description.ts";
import { Members } from "./members.tsx";
import { TryIt } from "./try-it.tsx";

const TONES: Readonly<Record<string, Tone>> = { GET: "good", POST: "accent", DELETE: "bad" };

function Parameters({ api, operation }: { readonly api: Api; readonly operation: Operation }) {
  const { t } = useSpeech();
  const { parameters = [] } = operation;
  if (parameters.length === 0) return null;
  const properties = Object.fromEntries(
    parameters.map(({ name, schema, description }) => [
      name,
      description === undefined ? schema : { ...schema, description },
    ]),
  );
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  return (
    <section>
      <h3 className="text-[13px] font-semibold">{t("api.parameters")}</h3>
      <Members api={api} schema={{ properties, required }} />
    </section>
  );
}

interface MediaProps {
  readonly api: Api;
  readonly title: string;
  readonly content: Operation["responses"][string]["content"];
}

function Media({ api, title, content = {} }: MediaProps) {
  return Object.entries(content).map(([type, { schema, example }]) => (
    <section key={type}>
      <h3 className="text-[13px] font-semibold">
        {title} <code className="font-mono font-normal text-muted">{type}</code>
      </h3>
      {schema && <Members api={api} schema={schema} />}
      {example !== undefined && (
        <div className="mt-2">
          <CodeBlock label={title}>{JSON.stringify(example, null, 2)}</CodeBlock>
        </div>
      )}
    </section>
  ));
}

interface OperationCardProps {
  readonly api: Api;
  readonly operation: Operation;
  readonly known: Readonly<Record<string, string>>;
  readonly token: string;
}

/** One call in a line; opened, what it wants and answers, and a form to try it. */
export function OperationCard({ api, operation, known, token }: OperationCardProps) {
  const { t } = useSpeech();
  const { method, path, summary, description, requestBody, responses } = operation;
  const id = placeOf(`${method} ${path}`);
  const [open, setOpen] = useState(() => location.hash === `#${id}`);
  const toggle = (event: SyntheticEvent<HTMLDetailsElement>) => {
    const { open: opened } = event.currentTarget;
    setOpen(opened);
    if (opened) history.replaceState(history.state, "", `#${id}`);
  };
  return (
    <details id={id} open={open} onToggle={toggle} className="scroll-mt-20 border-line border-t">
      <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2.5 hover:bg-hover">
        <Badge tone={TONES[method] ?? "warn"}>{method}</Badge>
        <code className="min-w-0 font-mono text-[13px] [overflow-wrap:anywhere]">{path}</code>
        <span className="text-[13px] text-muted">{summary}</span>
      </summary>
      {open && (
        <div className="grid gap-6 px-4 pt-1 pb-5 lg:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-4">
            {description && <p className="text-sm text-muted">{description}</p>}
            <Parameters api={api} operation={operation} />
            <Media api={api} title={t("api.body")} content={requestBody?.content} />
            {Object.entries(responses).map(([status, { content }]) => (
              <Media key={status} {...{ api, content, title: `${t("api.answer")} ${status}` }} />
            ))}
          </div>
          <section className="min-w-0">
            <h3 className="mb-2 text-[13px] font-semibold">{t("api.tryIt")}</h3>
            <TryIt operation={operation} known={known} token={token} />
          </section>
        </div>
      )}
    </details>
  );
}
