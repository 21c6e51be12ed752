/** Live mark and index prices and the current funding rate of perp markets. */
import type { WireMark } from '@candor/core/protocol/wire/perp.ts'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { kept, Live, stream } from '../../app/stream.ts'
import { perpDesk } from './desk-api.ts'

const lives = new Map<string, Live<WireMark | undefined>>()
let asked: Promise<readonly WireMark[]> | undefined

/**
 * A perp market's mark price, at most twice a second, because a whole ticket is worked out again with each; undefined until the first
 * one.
 */
export function useMark(symbol: string): WireMark | undefined {
  const live = liveOf(symbol)
  return useSyncExternalStore(live.subscribe, live.read)
}

/** Calls the listener with each new mark price of a perp market, for code outside React. */
export function watchMark(symbol: string, listener: (mark: WireMark) => void): () => void {
  const live = liveOf(symbol)
  return live.subscribe(() => {
    const mark = live.read()
    if (mark !== undefined) listener(mark)
  })
}

/** The mark prices of several perp markets, for sums over positions. Renders again when one of them changes. */
export function useMarkOf(symbols: readonly string[]): (symbol: string) => WireMark | undefined {
  const key = [...new Set(symbols)].sort().join()
  const followed = useMemo(() => (key === '' ? [] : key.split(',').map(liveOf)), [key])
  const subscribe = useCallback(
    (listener: () => void) => {
      const leaves = followed.map((live) => live.subscribe(listener))
      return () => leaves.forEach((leave) => leave())
    },
    [followed],
  )
  useSyncExternalStore(subscribe, () => followed.map((live) => live.read()?.time ?? 0).join())
  return (symbol) => liveOf(symbol).read()
}

function liveOf(symbol: string): Live<WireMark | undefined> {
  return kept(
    lives,
    symbol,
    () =>
      new Live<WireMark | undefined>(
        undefined,
        (put) => follow(symbol, put),
        () => 500,
      ),
  )
}

function follow(symbol: string, put: (change: (before: WireMark | undefined) => WireMark | undefined) => void): () => void {
  const newer = (mark: WireMark): void => put((before) => (before !== undefined && before.time > mark.time ? before : mark))
  const load = async (): Promise<void> => {
    try {
      const mark = (await all()).find((one) => one.symbol === symbol)
      if (mark !== undefined) newer(mark)
    } catch {
      // The socket brings the next one.
    }
  }
  const leave = stream().subscribe(`${symbol.toLowerCase()}@mark` as `${string}@mark`, (update) => newer(update.mark))
  const leaveState = stream().onState((state) => {
    if (state === 'open') void load()
  })
  void load()
  return () => {
    leave()
    leaveState()
  }
}

/** All mark prices. Calls within the same second share one request. */
function all(): Promise<readonly WireMark[]> {
  if (asked === undefined) {
    asked = perpDesk.prices()
    setTimeout(() => {
      asked = undefined
    }, 1_000)
  }
  return asked
}
