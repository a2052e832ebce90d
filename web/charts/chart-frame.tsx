import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Frame, Series } from "./bars.ts";
import { labelEvery, round } from "./scale.ts";

export const SERIES_COLOURS = Array.from({ length: 6 }, (_, index) => `var(--series-${index + 1})`);

const LEFT = 56;
const BOTTOM = 24;
const TOP = 8;
const LABEL_WIDTH = 72;
const LAST_LABEL_INSET = 20;

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

export interface ChartProps {
  /** What the chart shows, in a sentence; also the caption of its table. */
  readonly label: string;
  readonly categoryLabel: string;
  readonly categories: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  readonly height?: number;
}

interface ChartFrameProps extends ChartProps {
  /** From 0 to the end of the axis. */
  readonly marks: readonly number[];
  readonly children: (frame: Frame) => ReactNode;
  readonly hovered: number | undefined;
  readonly onHover: (index: number | undefined) => void;
}

/** Axes, grid, hover and the table behind every chart. */
export function ChartFrame(props: ChartFrameProps) {
  const { label, categories, height = 200, marks, format, children, hovered, onHover } = props;
  const { ref, width } = useWidth();
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
              {children(frame)}
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
                    onPointerEnter={() => onHover(index)}
                    onPointerLeave={() => onHover(undefined)}
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

function Grid({
  frame,
  marks,
  format,
}: {
  frame: Frame;
  marks: readonly number[];
  format: (v: number) => string;
}) {
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
            style={{ background: SERIES_COLOURS[series.indexOf(one) % SERIES_COLOURS.length] }}
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
