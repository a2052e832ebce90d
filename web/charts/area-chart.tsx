import { useState } from "react";
import { ChartFrame, type ChartProps, SERIES_COLOURS } from "./chart-frame.tsx";
import { areaPath, linePath, linePoints } from "./lines.ts";
import { marksOf } from "./scale.ts";

/** One line for each series; a single one is filled down to the ground. */
export function AreaChart(props: ChartProps) {
  const { series, categories } = props;
  const [hovered, setHovered] = useState<number>();
  const marks = marksOf(series.flatMap(({ values }) => values));
  const max = marks.at(-1) ?? 1;
  return (
    <ChartFrame {...props} marks={marks} hovered={hovered} onHover={setHovered}>
      {(frame) => {
        // Points stand in the middle of their slots, so that hover and labels agree with them.
        const slot = frame.width / Math.max(1, categories.length);
        const inner = { ...frame, width: frame.width - slot };
        return (
          <g transform={`translate(${slot / 2} 0)`}>
            {series.map((one, index) => {
              const points = linePoints(one.values, max, inner);
              const colour = SERIES_COLOURS[index % SERIES_COLOURS.length];
              return (
                <g key={one.id}>
                  {series.length === 1 && (
                    <path d={areaPath(points, frame.height)} fill={colour} opacity={0.12} />
                  )}
                  <path d={linePath(points)} fill="none" stroke={colour} strokeWidth={2} />
                </g>
              );
            })}
          </g>
        );
      }}
    </ChartFrame>
  );
}
