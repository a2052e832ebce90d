import { useEffect, useRef, useState } from "react";
import { type Frame, type Series, stackedBars, stackTotals } from "./bars.ts";
import { labelEvery, marksOf, round } from "./scale.ts";

const COLOURS = 6;
const LEFT = 56;
const BOTTOM = 24;
const TOP = 8;
const LABEL_WIDTH = 72;
const LAST_LABEL_INSET = 20;

/** Of a series, by its place. */
const colourOf = (series: readonly Series[], place: number) =>
  series[place]?.isBad ? "var(--bad-fill)" : `var(--series-${(place % COLOURS) + 1})`;

/** How wide the chart may be; it follows its box, and asks again when that changes. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    const observer = new ResizeObserver(() => setWidth(box.clientWidth));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

interface ChartProps {
  /** What the chart shows, in a sentence; also the caption of its table. */
  readonly label: string;
  readonly categoryLabel: string;
  readonly categories: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  readonly height: number;
}

/** Bars by day, each made of its series, with what is under the pointer and a table of the same. */
export function StackedBars(props: ChartProps) {
  const { label, categories, series, height, format } = props;
  const { ref, width } = useWidth();
  const [hovered, setHovered] = useState<number>();
  const marks = marksOf(stackTotals(categories.length, series));
  const frame = { width: Math.max(0, width - LEFT - 8), height: height - BOTTOM - TOP };
  const slot = frame.width / Math.max(1, categories.length);
  const shown = labelEvery(categories.length, Math.max(2, Math.floor(frame.width / LABEL_WIDTH)));
  return (
    <figure className="relative min-w-0">
      <div ref={ref} style={{ height }}>
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true" className="block text-xs">
            <g transform={`translate(${LEFT} ${TOP})`}>
              <Grid frame={frame} marks={marks} format={format} />
              {hovered !== undefined && (
                <rect
                  x={slot * hovered}
                  width={slot}
                  height={frame.height}
                  className="fill-hover"
                />
              )}
              {stackedBars(categories.length, series, frame).map((bar) => (
                <rect
                  key={`${bar.category}-${bar.series}`}
                  x={bar.x}
                  y={bar.y}
                  width={bar.width}
                  height={bar.height}
                  rx={1.5}
                  fill={colourOf(series, bar.series)}
                />
              ))}
              {categories.map((category, index) => (
                <g key={category}>
                  {shown(index) && (
                    <text
                      x={round(Math.min(slot * (index + 0.5), frame.width - LAST_LABEL_INSET))}
                      y={frame.height + 17}
                      textAnchor="middle"
                      className="fill-muted"
                    >
                      {category}
                    </text>
                  )}
                  <rect
                    x={slot * index}
                    width={slot}
                    height={frame.height}
                    fill="transparent"
                    onPointerEnter={() => setHovered(index)}
                    onPointerLeave={() => setHovered(undefined)}
                  />
                </g>
              ))}
            </g>
          </svg>
        )}
      </div>
      {hovered !== undefined && <Legend {...props} index={hovered} left={LEFT + slot * hovered} />}
      <DataFallback {...props} />
      <figcaption className="sr-only">{label}</figcaption>
    </figure>
  );
}

interface GridProps extends Pick<ChartProps, "format"> {
  readonly frame: Frame;
  /** From 0 to the end of the axis. */
  readonly marks: readonly number[];
}

function Grid({ frame, marks, format }: GridProps) {
  const max = marks.at(-1) ?? 1;
  return marks.map((value) => {
    const y = round(frame.height * (1 - value / max));
    return (
      <g key={value}>
        <line x2={frame.width} y1={y} y2={y} className="stroke-line" />
        <text x={-8} y={y + 4} textAnchor="end" className="fill-muted tabular-nums">
          {format(value)}
        </text>
      </g>
    );
  });
}

function wordsAt(one: Series, index: number, format: (value: number) => string): string {
  return one.texts?.[index] ?? format(one.values[index] ?? 0);
}

/** What stands under the pointer. */
function Legend(props: ChartProps & { readonly index: number; readonly left: number }) {
  const { categories, series, format, index, left } = props;
  const rows = series.filter(({ values }) => (values[index] ?? 0) > 0);
  const right = index > categories.length / 2;
  return (
    <div
      className="pointer-events-none absolute top-2 z-10 max-w-64 rounded-md border border-line bg-surface px-2.5 py-1.5 text-xs shadow-high"
      style={{ left, transform: right ? "translateX(calc(-100% - 8px))" : "translateX(24px)" }}
    >
      <p className="mb-0.5 font-medium">{categories[index]}</p>
      {rows.map((one) => (
        <p key={one.id} className="flex items-center gap-1.5 whitespace-nowrap">
          <span
            className="size-2 rounded-sm"
            style={{ background: colourOf(series, series.indexOf(one)) }}
          />
          <span className="min-w-0 flex-1 truncate text-muted">{one.label}</span>
          <span className="tabular-nums">{wordsAt(one, index, format)}</span>
        </p>
      ))}
      {rows.length === 0 && <p className="text-muted tabular-nums">{format(0)}</p>}
    </div>
  );
}

/** The same numbers as a table, for those who do not see the picture. */
function DataFallback({ label, categoryLabel, categories, series, format }: ChartProps) {
  return (
    <div className="sr-only">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{categoryLabel}</th>
            {series.map((one) => (
              <th key={one.id} scope="col">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {categories.map((category, index) => (
            <tr key={category}>
              <th scope="row">{category}</th>
              {series.map((one) => (
                <td key={one.id}>{wordsAt(one, index, format)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
            style={{ background: colourOf(series, index) }}
          />
          <span className="truncate">{one.label}</span>
        </li>
      ))}
    </ul>
  );
}
