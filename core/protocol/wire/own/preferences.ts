/** Small settings that are kept with the account, so that every device has the same ones. Each has a name and a strict shape. */
import type { Interval } from '../../market.ts'
import type { HiddenColumns } from './terminal-columns.ts'

/** The most favourite markets of an account. */
export const favouritesMax = 200

/** The parts of the start page that its owner may order or hide. */
export const homeCards = ['next', 'quick', 'markets', 'volume', 'links'] as const
export type HomeCard = (typeof homeCards)[number]

export const quickActions = ['funds', 'deposit', 'convert', 'trade', 'second', 'presale', 'invite', 'orders', 'records'] as const
export type QuickAction = (typeof quickActions)[number]

export const marketSorts = ['name', 'volume', 'price', 'change', 'high', 'low'] as const
export type MarketSortBy = (typeof marketSorts)[number]

/** The trading desks, by the words of the code. */
export const deskNames = ['spot', 'perp', 'margin', 'option'] as const
export type DeskName = (typeof deskNames)[number]

/** The desks with a book, which can show a small chart above the ticket. */
export const chartDesks = ['spot', 'perp', 'margin'] as const
export type ChartDesk = (typeof chartDesks)[number]

/** What the app asks about before it does it: kinds of orders, an order of Second, and cancelling all orders. */
export const askedActions = ['limit', 'market', 'stop-limit', 'stop-market', 'trailing', 'oco', 'option', 'cancel-all'] as const
export type AskedAction = (typeof askedActions)[number]

export const textSizes = ['small', 'normal', 'large', 'extra'] as const
export type TextSize = (typeof textSizes)[number]

/** `symbols`: in the owner's order. */
export type Favourites = { readonly symbols: readonly string[] }
/** What is in no list is not shown. */
export type HomeLayout = { readonly cards: readonly HomeCard[]; readonly actions: readonly QuickAction[] }
/** The column by which the list of markets is sorted. `by` null: as the exchange lists them. */
export type MarketSort = { readonly by: MarketSortBy | null; readonly isRising: boolean }

/** How the app looks and asks where its owner trades. */
export type Layout = {
  /** The side of the order book beside the ticket. */
  readonly book: 'left' | 'right'
  /** The desks that show the small chart. */
  readonly charts: readonly ChartDesk[]
  /** What is done without asking, where money safety allows it. */
  readonly unasked: readonly AskedAction[]
  /** The desk that the trade tab opens. Null: the last one. */
  readonly desk: DeskName | null
  readonly textSize: TextSize
}

/** Tours that the user has seen or declined, and whether the user has checked a settled order of Second: neither is offered again. */
export type Guide = { readonly tours: readonly DeskName[]; readonly hasChecked: boolean }

/** The panes of the trading terminal. A place has the name of the pane that is there in the usual layout. */
export const terminalPanes = ['markets', 'trades', 'chart', 'book', 'ticket', 'orders', 'account'] as const
export type TerminalPane = (typeof terminalPanes)[number]

/** Columns and rows whose size can change, each named after the pane that is there by default. `orders`: the row of orders and account. */
export const terminalSizes = ['markets', 'book', 'trades', 'ticket', 'orders', 'below'] as const
export type TerminalSize = (typeof terminalSizes)[number]

/** The most layouts that an account can save under a name. */
export const terminalNamedMax = 12

/** The terminal of a wide window. */
export type TerminalLayout = {
  /** The pane in each place, in the order of the places. */
  readonly places: readonly TerminalPane[]
  readonly hidden: readonly TerminalPane[]
  /** Whether the markets are a narrow bar of their coins. */
  readonly isRail: boolean
  /** In pixels; `below`: the height of the lower of two panes in a column. */
  readonly sizes: Readonly<Record<TerminalSize, number>>
}
/** The layout that is shown, those saved under a name, and the columns of tables that are hidden; without an entry, all are shown. */
export type Terminal = {
  readonly layout: TerminalLayout
  readonly hiddenColumns?: HiddenColumns
  readonly named: readonly { readonly name: string; readonly layout: TerminalLayout }[]
}

/** How many charts a wide window shows side by side. */
export const chartCounts = [1, 2, 4] as const
export type ChartCount = (typeof chartCounts)[number]

/** The charts of a wide window. `isLinked`: a crosshair shows its time on all of them. */
export type ChartGrid = {
  readonly count: ChartCount
  readonly isLinked: boolean
  /** In their order; more than `count` are kept for later. */
  readonly charts: readonly { readonly symbol: string; readonly interval: Interval }[]
}

/** One line per setting. A new one needs a schema beside the others in the server's `preference-routes.ts`. */
export type Preferences = {
  readonly favourites: Favourites
  readonly home: HomeLayout
  readonly 'market-sort': MarketSort
  readonly layout: Layout
  readonly guide: Guide
  readonly terminal: Terminal
  readonly 'chart-grid': ChartGrid
}
export type PreferenceName = keyof Preferences

/**
 * `revision`: how often it was set; 0: never, and `value` is absent. A change names the revision it was made from, so that two devices
 * don't undo each other's changes.
 */
export type WirePreference<Name extends PreferenceName = PreferenceName> = {
  readonly revision: number
  readonly value?: Preferences[Name]
}
export type WirePreferenceChange<Name extends PreferenceName = PreferenceName> = {
  readonly revision: number
  readonly value: Preferences[Name]
}
