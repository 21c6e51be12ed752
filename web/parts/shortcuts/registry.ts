/** What the parts of a desk do for a key. A part registers its handlers while it is on the screen; the newest part wins. */
import type { Interval } from '@candor/core/protocol/market.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import { useEffect, useRef } from 'react'

export type DeskHandlers = {
  /** Turns the ticket to a side and puts the focus on its price. */
  readonly side: (side: Side) => void
  /** Shows the ticket's order for confirmation. */
  readonly preview: () => void
  /** Sends the order that is shown. Registered only while one is. */
  readonly confirm: () => void
  /** Opens the market before or after the shown one. */
  readonly step: (by: 1 | -1) => void
  /** Opens a market on this desk. Undefined if the desk doesn't trade it. */
  readonly marketOpener: (symbol: string) => (() => void) | undefined
  /** The intervals of the chart, and its choice. */
  readonly intervals: { readonly choices: readonly Interval[]; readonly choose: (interval: Interval) => void }
  /** The open orders that are cancelled together. */
  readonly cancelAll: { readonly count: number; readonly send: () => void }
  /** Links the charts, or separates them. */
  readonly link: () => void
  /** Saved layouts of the terminal. */
  readonly layouts: { readonly names: readonly string[]; readonly open: (name: string) => void }
}

type Entry = { handlers: Partial<DeskHandlers> }

const entries: Entry[] = []

/** Registers handlers while the component is shown. They may be other functions with each render. */
export function useDeskHandlers(handlers: Partial<DeskHandlers>): void {
  const entry = useRef<Entry>({ handlers })
  entry.current.handlers = handlers
  useEffect(() => {
    const own = entry.current
    entries.push(own)
    return () => {
      entries.splice(entries.indexOf(own), 1)
    }
  }, [])
}

export function handlerOf<Name extends keyof DeskHandlers>(name: Name): DeskHandlers[Name] | undefined {
  return entries.findLast(({ handlers }) => handlers[name] !== undefined)?.handlers[name]
}
