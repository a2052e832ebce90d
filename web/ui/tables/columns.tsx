import { type ReactNode, useMemo } from "react";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { formatNumber } from "../../lib/format.ts";
import { moneyValue, timeValue } from "../../lib/sorting.ts";
import { Money } from "../money.tsx";
import { Time, type TimeProps } from "../time.tsx";
import type { Column } from "./table.tsx";

/** The columns of a table in the visitor's language; `about` is what else they depend on. */
export function useColumns<Row, About = undefined>(
  columnsOf: (speech: Speech, about: About) => readonly Column<Row>[],
  about?: About,
) {
  const speech = useSpeech();
  return useMemo(() => columnsOf(speech, about as About), [columnsOf, speech, about]);
}

type Look<Row> = Omit<Partial<Column<Row>>, "id" | "header">;

export function column<Row>(
  id: string,
  header: string,
  cell: Column<Row>["cell"],
  look?: Look<Row>,
): Column<Row> {
  return { id, header, cell, ...look };
}

// Columns that most tables have, which sort by what they show.

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
