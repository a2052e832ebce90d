import { useSpeech } from "../i18n/language.tsx";
import { type Api, membersOf, resolve, type Schema, typeWords } from "./description.ts";

/** Deeper ones are told by their names: a schema may lead back to itself. */
const DEPTH_MAX = 4;

interface MemberProps {
  readonly api: Api;
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly depth: number;
}

function Member({ api, name, schema, required, depth }: MemberProps) {
  const { t } = useSpeech();
  const { schema: found } = resolve(api, schema);
  const words = schema.description ?? found.description;
  const { default: usual } = found;
  return (
    <li className="border-line border-l pl-3">
      <p className="flex flex-wrap items-baseline gap-x-2 text-[13px]">
        <code className="font-mono font-medium">{name}</code>
        <code className="font-mono text-muted [overflow-wrap:anywhere]">
          {typeWords(api, schema)}
        </code>
        {required && <span className="text-warn">{t("api.required")}</span>}
        {usual !== undefined && (
          <span className="text-muted">
            {t("api.defaultsTo", { value: JSON.stringify(usual) })}
          </span>
        )}
      </p>
      {words && <p className="text-[13px] text-muted">{words}</p>}
      {depth < DEPTH_MAX && <Members api={api} schema={schema} depth={depth + 1} />}
    </li>
  );
}

interface MembersProps {
  readonly api: Api;
  readonly schema: Schema;
  readonly depth?: number;
}

/** What an object is made of. */
export function Members({ api, schema, depth = 0 }: MembersProps) {
  const members = membersOf(api, schema);
  if (members.length === 0) return null;
  const { required = [] } = resolve(api, schema).schema;
  return (
    <ul className="mt-1.5 flex flex-col gap-1.5">
      {members.map(([name, member]) => (
        <Member
          key={name}
          {...{ api, name, depth, schema: member, required: required.includes(name) }}
        />
      ))}
    </ul>
  );
}
