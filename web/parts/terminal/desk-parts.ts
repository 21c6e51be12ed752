import { type DeskName, type TerminalPane, terminalPanes } from '@candor/core/protocol/wire/own/preferences.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { ReactNode } from 'react'

/** The parts of a desk. A phone shows them one below the other, a wide window in panes. */
export type DeskParts = {
  readonly desk: DeskName
  readonly market: WireMarket
  readonly ticket: ReactNode
  /** Missing on a desk whose orders meet no others: it has no trades of others either. */
  readonly book?: ReactNode
  /** In place of the chart of candles. */
  readonly chart?: ReactNode
  /** What the line of the market has instead of the last price, and in addition. */
  readonly line?: DeskLine
  /** Positions, orders, trades and assets. */
  readonly panel: ReactNode
  /** The account that the orders belong to, where there is room for it beside the ticket. */
  readonly account: ReactNode
}

export type DeskLine = {
  readonly price: ReactNode
  readonly facts: ReactNode
  readonly actions: ReactNode
  /** A sheet with the desk's markets. */
  readonly markets: (onClose: () => void) => ReactNode
}

const withoutBook = terminalPanes.filter((pane) => pane !== 'book' && pane !== 'trades')

/** The panes of a desk. */
export function panesOf({ book }: DeskParts): readonly TerminalPane[] {
  return book === undefined ? withoutBook : terminalPanes
}
