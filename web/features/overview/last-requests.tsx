import { useNavigate } from "@tanstack/react-router";
import type { RequestRow } from "../../../src/console/contract/requests.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { TextLink } from "../../lib/link.tsx";
import { rowsOf } from "../../lib/queries.ts";
import { usePlace } from "../../lib/session.tsx";
import { Card } from "../../ui/card.tsx";
import { DataTable } from "../../ui/tables/table.tsx";
import { useRequestColumns } from "../requests/request-columns.tsx";

const SHOWN = 5;

export function LastRequests({
  requests,
}: {
  readonly requests: readonly RequestRow[] | undefined;
}) {
  const { t } = useSpeech();
  const navigate = useNavigate();
  const place = usePlace();
  const columns = useRequestColumns();
  return (
    <Card
      flush
      title={t("overview.lastRequests")}
      action={
        <TextLink to="/requests" className="text-[13px]">
          {t("overview.allRequests")}
        </TextLink>
      }
    >
      <DataTable
        label={t("overview.lastRequests")}
        columns={columns}
        rows={rowsOf({ data: requests })}
        // The receipt has an address of its own, which can be passed on.
        onOpen={(row) =>
          void navigate({ to: place("/requests"), search: { request: row.id } as never })
        }
        skeletonRows={SHOWN}
        empty={null}
      />
    </Card>
  );
}
