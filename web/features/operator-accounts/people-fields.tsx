import { Plus, X } from "lucide-react";
import { useSpeech } from "../../i18n/language.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Input } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { ROLES } from "../team/roles.ts";
import { badPeople, type PersonForm } from "./people-form.ts";

const PEOPLE_MAX = 10;

interface PeopleFieldsProps {
  readonly people: readonly PersonForm[];
  readonly problem: string | undefined;
  readonly onChange: (people: readonly PersonForm[]) => void;
}

/** Whom a new account is for, a line for each. */
export function PeopleFields({ people, problem, onChange }: PeopleFieldsProps) {
  const { t } = useSpeech();
  const bad = problem === undefined ? [] : badPeople(people);
  const put = (place: number, change: Partial<PersonForm>) =>
    onChange(people.map((person, at) => (at === place ? { ...person, ...change } : person)));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 flex w-full items-baseline justify-between text-[13px] font-medium">
        {t("operatorAccounts.invitePeople")}
        <span className="font-normal text-muted">{t("words.optional")}</span>
      </legend>
      {people.map(({ email, role }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
        <div key={place} className="flex items-center gap-2">
          <Input
            type="email"
            maxLength={254}
            aria-label={t("operatorAccounts.emailOf", { count: place + 1 })}
            aria-invalid={bad.includes(place)}
            placeholder={t("team.emailPlaceholder")}
            value={email}
            onValueChange={(value) => put(place, { email: value })}
          />
          <Select
            className="w-32 shrink-0"
            label={t("operatorAccounts.roleOf", { count: place + 1 })}
            value={role}
            choices={ROLES.map((value) => ({ value, label: t(`team.role_${value}`) }))}
            onChange={(value) => put(place, { role: value })}
          />
          {people.length > 1 && (
            <IconButton
              label={t("operatorAccounts.removeLine", { count: place + 1 })}
              onClick={() => onChange(people.filter((_, at) => at !== place))}
            >
              <X size={15} />
            </IconButton>
          )}
        </div>
      ))}
      {problem !== undefined && (
        <p role="alert" className="text-[13px] text-bad">
          {problem}
        </p>
      )}
      {people.length < PEOPLE_MAX && (
        <Button
          kind="quiet"
          size="small"
          className="self-start"
          onClick={() => onChange([...people, { email: "", role: "member" }])}
        >
          <Plus size={14} />
          {t("operatorAccounts.oneMore")}
        </Button>
      )}
      <p className="text-[13px] text-muted">{t("operatorAccounts.inviteHint")}</p>
    </fieldset>
  );
}
