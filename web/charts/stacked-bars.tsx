import { useState } from "react";
import { stackedBars, stackTotals } from "./bars.ts";
import { ChartFrame, type ChartProps, SERIES_COLOURS } from "./chart-frame.tsx";
import { marksOf } from "./scale.ts";

/** Bars by day, each made of its series. */
export function StackedBars(props: ChartProps) {
  const { categories, series } = props;
  const [hovered, setHovered] = useState<number>();
  const marks = marksOf(stackTotals(categories.length, series));
  return (
    <ChartFrame {...props} marks={marks} hovered={hovered} onHover={setHovered}>
      {(frame) =>
        stackedBars(categories.length, series, frame).map((bar) => (
          <rect
            key={`${bar.category}-${bar.series}`}
            x={bar.x}
            y={bar.y}
            width={bar.width}
            height={bar.height}
            rx={1.5}
            fill={SERIES_COLOURS[bar.series % SERIES_COLOURS.length]}
          />
        ))
      }
    </ChartFrame>
  );
}

/** The colours of the series, by name. One series needs none: the chart's title says it. */
export function SeriesLegend({ series }: Pick<ChartProps, "series">) {
  if (series.length < 2) return null;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-[13px] text-muted">
      {series.map((one, index) => (
        <li key={one.id} className="flex min-w-0 items-center gap-1.5">
          <span
            aria-hidden="true"
            className="size-2.5 shrink-0 rounded-sm"
            style={{ background: SERIES_COLOURS[index % SERIES_COLOURS.length] }}
          />
          <span className="truncate">{one.label}</span>
        </li>
      ))}
    </ul>
  );
}
