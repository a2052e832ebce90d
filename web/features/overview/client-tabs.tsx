import { ExternalLink } from "lucide-react";
import { useState } from "react";
import type { Model } from "../../../src/console/contract/models.ts";
import type { Page } from "../../../src/lib/contract.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { TextLink } from "../../lib/link.tsx";
import { useResource } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Code, CodeBlock } from "../../ui/code.tsx";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import {
  CLIENTS,
  type Client,
  type Connection,
  cherryLink,
  modelFor,
  SECRET_PLACE,
  snippetsOf,
  talkingModels,
} from "./snippets.ts";

interface ClientTabsProps {
  readonly address: string;
  readonly secret: string | undefined;
  /** The models that the key may call; all where it is not said. */
  readonly only?: readonly string[] | null;
}

/** Snippets that run as they are, for the clients that people use. */
export function ClientTabs({ address, secret, only = null }: ClientTabsProps) {
  const { t } = useSpeech();
  const { path } = useSession();
  const { data } = useResource<Page<Model>>(path("/models"));
  const [client, setClient] = useState<Client>("curl");
  const [chosen, setChosen] = useState<string>();
  if (!data) return <Skeleton className="h-72 w-full" />;
  const models = talkingModels(data.data).filter((id) => only === null || only.includes(id));
  const model = modelFor(client, models, chosen);
  if (model === undefined) return <NoModel />;
  const connection = { address, secret: secret ?? SECRET_PLACE, model };
  return (
    <div className="w-full min-w-0">
      <Field label={t("overview.model")} className="mb-3 max-w-72">
        <Select
          className="font-mono text-[13px]"
          value={model}
          choices={models.map((id) => ({ value: id, label: id }))}
          onChange={setChosen}
        />
      </Field>
      <Tabs
        label={t("overview.clients")}
        value={client}
        onChange={(next) => setClient(CLIENTS.find((known) => known === next) ?? "curl")}
        tabs={CLIENTS.map((value) => ({
          value,
          label: t(`overview.client_${value}`),
          content: <Snippets client={value} connection={connection} />,
        }))}
      />
      {!secret && (
        <p className="mt-2 text-[13px] text-muted">
          {t("overview.placeHint", { place: SECRET_PLACE })}
        </p>
      )}
    </div>
  );
}

interface SnippetsProps {
  readonly client: Client;
  readonly connection: Connection;
}

function Snippets({ client, connection }: SnippetsProps) {
  const { t } = useSpeech();
  if (client === "cherry") return <CherrySettings connection={connection} />;
  return (
    <div className="flex flex-col gap-3">
      {snippetsOf(client, connection).map(({ file, text }) => (
        <div key={file ?? "command"} className="min-w-0">
          {file && <p className="mb-1 font-mono text-xs text-muted">{file}</p>}
          <CodeBlock label={file ?? t(`overview.client_${client}`)}>{text}</CodeBlock>
        </div>
      ))}
    </div>
  );
}

function CherrySettings({ connection }: { readonly connection: Connection }) {
  const { t } = useSpeech();
  const settings = [
    [t("overview.cherryType"), "OpenAI"],
    [t("overview.cherryHost"), connection.address],
    [t("overview.cherryKey"), connection.secret],
    [t("overview.model"), connection.model],
  ] as const;
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-sm text-muted">{t("overview.cherryHint")}</p>
      <dl className="grid w-full grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 rounded-lg border border-line bg-sunken px-3.5 py-2 text-sm">
        {settings.map(([label, value]) => (
          <div key={label} className="col-span-2 grid grid-cols-subgrid items-center">
            <dt className="text-[13px] text-muted">{label}</dt>
            <dd className="flex min-w-0">
              <Code>{value}</Code>
            </dd>
          </div>
        ))}
      </dl>
      {connection.secret !== SECRET_PLACE && (
        <a href={cherryLink(connection)} className={buttonClass()}>
          <ExternalLink size={15} />
          {t("overview.cherryOpen")}
        </a>
      )}
    </div>
  );
}

/** Who can change that is led there, and everybody else is told who can. */
function NoModel() {
  const { t, rich } = useSpeech();
  const { me } = useSession();
  if (!me.operator) return <p className="text-sm text-muted">{t("overview.noModel")}</p>;
  const link = (
    <TextLink to="/operator/channels" search={{ new: "1" }}>
      {t("overview.noModelLink")}
    </TextLink>
  );
  return <p className="text-sm text-muted">{rich("overview.noModelOperator", { link })}</p>;
}
