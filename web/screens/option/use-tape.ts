import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { exchangeNow } from '../../parts/live/clock.ts'
import type { IndexPoint } from '../../parts/live/live-index.ts'
import { option } from '../../parts/option/data.ts'
import { beginOf, silentMs } from './chart-frame.ts'

/** Four a second. */
const tickMs = 250
/** Ticks from before the screen was open. */
const pastTicks = 600
const ticksMax = 4_000
const againMs = 1_000

/**
 * The index from before the screen was open, and from while its socket was lost: read from the public tape, on which orders settle.
 * `since`: time of the first tick that the socket brought since then, 0 before it.
 */
export function useTape(symbol: string, since: number, orders: readonly WireOption[]): readonly IndexPoint[] {
  const begin = orders.length === 0 ? undefined : Math.min(...orders.map(beginOf))
  const query = useQuery({
    queryKey: ['option', 'line', symbol, begin],
    async queryFn() {
      const ticks = begin === undefined ? 0 : Math.ceil((exchangeNow() - begin) / tickMs) + pastTicks
      const { points } = await option.tapeLine({ symbol, limit: Math.min(ticksMax, Math.max(pastTicks, ticks)) })
      return points.map(([at, price]): IndexPoint => [at, Number(price)])
    },
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    // The tape is written a moment after the tick.
    refetchInterval: ({ state }) => ((state.data?.at(-1)?.[0] ?? 0) < since - silentMs ? againMs : false),
  })
  return query.data ?? none
}

const none: readonly IndexPoint[] = []
