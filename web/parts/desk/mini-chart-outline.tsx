import { Skeleton } from '../ui/skeleton.tsx'

/** The place of the small chart before its file and its candles are there. As high as the chart. */
export function MiniChartOutline() {
  return (
    <div className="flex flex-col gap-1 px-4 pt-3">
      <Skeleton className="h-7 rounded-chip" />
      <div style={{ aspectRatio: '358 / 112' }} className="skeleton w-full" />
    </div>
  )
}
