/** The live index of a market, with its history while a screen was open. It decides orders of Second, not the trades. */
import type { Decimal } from '@candor/core/money/brand.ts'
import type { IndexUpdate } from '@candor/core/protocol/wire/stream.ts'
import { useSyncExternalStore } from 'react'
import { Live, stream } from '../../app/stream.ts'
import { noteTime } from './clock.ts'

/** Time and price, for drawing only. */
export type IndexPoint = readonly [at: number, price: number]

export type LiveIndex = {
  readonly price: Decimal | undefined
  /** Time of the last tick. */
  readonly at: number
  readonly isGood: boolean
  /** False from a lost socket until the next tick. */
  readonly isLive: boolean
  readonly points: readonly IndexPoint[]
  /** Time of the first tick since the socket was lost, or since the screen was opened; 0 before it. What lies before is in the tape. */
  readonly since: number
}

const keptMs = 1_200_000
const none: LiveIndex = { price: undefined, at: 0, isGood: true, isLive: false, points: [], since: 0 }
const indexes = new Map<string, Live<LiveIndex>>()

export function useLiveIndex(symbol: string): LiveIndex {
  let live = indexes.get(symbol)
  if (live === undefined) {
    live = new Live(
      none,
      (put) => follow(symbol, put),
      () => 200,
    )
    indexes.set(symbol, live)
  }
  return useSyncExternalStore(live.subscribe, live.read)
}

function follow(symbol: string, put: (change: (before: LiveIndex) => LiveIndex) => void): () => void {
  const leave = stream().subscribe(`${symbol.toLowerCase()}@index` as `${string}@index`, (update: IndexUpdate) => {
    noteTime(update.E)
    put((before) => taken(before, update))
  })
  const leaveState = stream().onState((state) => {
    if (state !== 'open') put((before) => ({ ...before, isLive: false }))
  })
  return () => {
    leave()
    leaveState()
    put((before) => ({ ...before, isLive: false }))
  }
}

function taken(before: LiveIndex, update: IndexUpdate): LiveIndex {
  const points = before.points.filter(([at]) => at > update.E - keptMs && at < update.E)
  return {
    price: update.p,
    at: update.E,
    isGood: update.isGood,
    isLive: true,
    points: [...points, [update.E, Number(update.p)]],
    since: before.isLive ? before.since : update.E,
  }
}
