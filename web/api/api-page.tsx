import { useQuery } from "@tanstack/react-query";
import { FileJson } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { DocumentBar } from "../app/document-bar.tsx";
import { useSpeech } from "../i18n/language.tsx";
import { useResource } from "../lib/queries.ts";
import { meQuery } from "../lib/session.tsx";
import { NotLoaded } from "../material/not-loaded.tsx";
import { buttonClass } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Field, Input } from "../ui/field.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { PageSkeleton } from "../ui/skeleton.tsx";
import { SearchField } from "../ui/tables/search-field.tsx";
import { type Api, type Group, groupsOf, matching, placeOf } from "./description.ts";
import { OperationCard } from "./operation-card.tsx";

const DOCUMENT = "/openapi.json";

/** The description of the API, and a form for each call. */
export function ApiPage() {
  const { t } = useSpeech();
  const { data, error } = useResource<Api>(DOCUMENT);
  if (error && !data) return <NotLoaded error={error} />;
  return (
    <>
      <DocumentBar home="/docs" toConsole={t("api.toConsole")} />
      {data ? <Calls api={data} /> : <PageSkeleton />}
    </>
  );
}

function Calls({ api }: { readonly api: Api }) {
  const { t } = useSpeech();
  const [search, setSearch] = useState<string>();
  const [token, setToken] = useState("");
  const { data: me } = useQuery({ ...meQuery, retry: false });
  const all = useMemo(() => groupsOf(api), [api]);
  const groups = matching(all, search ?? "");
  const account = me?.accounts[0]?.id;
  // The place in the address was not there when the browser looked for it.
  useEffect(() => {
    if (location.hash !== "") document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
  return (
    <main className="mx-auto w-full max-w-7xl px-4 py-6 sm:px-8 sm:py-8">
      <PageHeader
        title={t("api.title")}
        description={t("api.description")}
        actions={
          <a href={DOCUMENT} className={buttonClass("plain")}>
            <FileJson size={15} />
            {t("api.file")}
          </a>
        }
      />
      <div className="flex flex-col gap-4">
        <Card title={t("api.callAs")}>
          <p className="mb-3 text-sm">
            {me ? t("api.asYou", { email: me.user.email }) : t("api.asNobody")}
          </p>
          <Field label={t("api.token")} hint={t("api.tokenHint")}>
            <Input mono type="password" autoComplete="off" value={token} onValueChange={setToken} />
          </Field>
        </Card>
        <SearchField label={t("api.search")} value={search} onChange={setSearch} />
        <Subjects groups={groups} />
        {groups.length === 0 && <EmptyState title={t("api.none")} />}
        {groups.map(({ name, description, operations }) => (
          <Card key={name} flush>
            <header id={placeOf(name)} className="scroll-mt-20 px-4 py-3">
              <h2 className="text-sm font-semibold">{name}</h2>
              {description && <p className="text-[13px] text-muted">{description}</p>}
            </header>
            {operations.map((operation) => (
              <OperationCard
                // Whoever signs in or out is another one, whose account stands in the forms.
                key={`${operation.method} ${operation.path} ${account}`}
                known={account === undefined ? {} : { account }}
                {...{ api, operation, token: token.trim() }}
              />
            ))}
          </Card>
        ))}
      </div>
    </main>
  );
}

function Subjects({ groups }: { readonly groups: readonly Group[] }) {
  const { t } = useSpeech();
  return (
    <nav aria-label={t("api.groups")} className="flex flex-wrap gap-2">
      {groups.map(({ name, operations }) => (
        <a key={name} href={`#${placeOf(name)}`} className={buttonClass("plain", "small")}>
          {name} <span className="text-muted">{operations.length}</span>
        </a>
      ))}
    </nav>
  );
}
