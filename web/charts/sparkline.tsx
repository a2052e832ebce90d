import { areaPath, linePath, linePoints } from "./lines.ts";
import { niceMax } from "./scale.ts";

interface SparklineProps {
  readonly values: readonly number[];
  /** Says what the line shows, with its last value: nobody reads numbers off it. */
  readonly label: string;
  readonly width?: number;
  readonly height?: number;
}

const INSET = 1;

export function Sparkline({ values, label, width = 96, height = 28 }: SparklineProps) {
  const inner = { width: width - 2 * INSET, height: height - 2 * INSET };
  const points = linePoints(values, niceMax(values), inner);
  return (
    <svg width={width} height={height} role="img" aria-label={label} className="block">
      <g transform={`translate(${INSET} ${INSET})`}>
        <path d={areaPath(points, inner.height)} fill="var(--series-1)" opacity={0.12} />
        <path d={linePath(points)} fill="none" stroke="var(--series-1)" strokeWidth={1.5} />
      </g>
    </svg>
  );
}
