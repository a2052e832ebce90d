import { type ReactNode, useMemo } from "react";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { formatNumber } from "../../lib/format.ts";
import { moneyValue, timeValue } from "../../lib/sorting.ts";
import { Money } from "../money.tsx";
import { Time, type TimeProps } from "../time.tsx";
import type { Column } from "./table.tsx";

/** The columns of a table in the visitor's language. */
export function useColumns<Row>(columnsOf: (speech: Speech) => readonly Column<Row>[]) {
  const speech = useSpeech();
  return useMemo(() => columnsOf(speech), [columnsOf, speech]);
}

// Columns that most tables have, which sort by what they show.

type Look<Row> = Pick<Partial<Column<Row>>, "align" | "wide">;

/** An amount in USD. */
export function moneyColumn<Row>(
  id: string,
  header: string,
  amountOf: (row: Row) => string,
  look?: Look<Row>,
): Column<Row> {
  const cell = (row: Row) => <Money amount={amountOf(row)} />;
  return { id, header, align: "right", sort: (row) => moneyValue(amountOf(row)), cell, ...look };
}

export function numberColumn<Row>(
  id: string,
  header: string,
  numberOf: (row: Row) => number,
  locale: string,
  look?: Look<Row>,
): Column<Row> {
  const cell = (row: Row) => formatNumber(numberOf(row), locale);
  return { id, header, align: "right", sort: numberOf, cell, ...look };
}

interface TimeLook<Row> extends Look<Row>, Pick<TimeProps, "as"> {
  /** Said where there is no such time. */
  readonly none?: ReactNode;
}

export function timeColumn<Row>(
  id: string,
  header: string,
  timeOf: (row: Row) => string | null,
  { as = "past", none, ...look }: TimeLook<Row> = {},
): Column<Row> {
  const cell = (row: Row) => {
    const at = timeOf(row);
    return at ? <Time at={at} as={as} /> : <span className="text-muted">{none}</span>;
  };
  return { id, header, sort: (row) => timeValue(timeOf(row)), cell, ...look };
}
