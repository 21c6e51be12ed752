/** Where the panes of the terminal are: a grid of columns and rows, computed from the layout and the room for it. */
import { type TerminalLayout, type TerminalPane, terminalPanes, type TerminalSize } from '@candor/core/protocol/wire/own/preferences.ts'

/** Between two panes, in pixels. */
export const gutter = 4
export const railWidth = 40
/** One press of an arrow key on a gutter moves it by this. */
export const keyStep = 8
/** From this width of the grid on: four columns, and trades beside the book. Below the first, two panes. The window has a margin. */
export const breakpoints = { columns: 1280 - 2 * gutter, trades: 1600 - 2 * gutter } as const

const chartMin = { width: 400, height: 220 } as const
const limits: Readonly<Record<TerminalSize, readonly [min: number, max: number]>> = {
  markets: [200, 480],
  book: [220, 520],
  trades: [168, 420],
  ticket: [272, 480],
  orders: [120, 900],
  below: [160, 900],
}

export const usualTerminal: TerminalLayout = {
  places: terminalPanes,
  hidden: [],
  isRail: false,
  sizes: { markets: 216, book: 268, trades: 220, ticket: 296, orders: 188, below: 208 },
}

/** First and last line of the grid. */
type Span = readonly [from: number, to: number]
export type Placed = {
  readonly pane: TerminalPane
  readonly column: Span
  readonly row: Span
  readonly isRail?: boolean
  readonly isHidden?: boolean
}
/** A gutter that can be moved: at the start or at the end of its cell. */
export type Handle = {
  readonly size: TerminalSize
  readonly column: Span
  readonly row: Span
  /** A pane grows when its handle moves away from it. */
  readonly edge: 'start' | 'end' | 'top'
  readonly now: number
  readonly min: number
  readonly max: number
}
export type Arrangement = {
  readonly columns: string
  readonly rows: string
  readonly panes: readonly Placed[]
  readonly handles: readonly Handle[]
}

type Column = { readonly place: TerminalPane; readonly size: TerminalSize | 'chart' | 'rail'; readonly px: number }
type Room = { readonly width: number; readonly height: number }

/** The grid of a window from 1,280 px. `room`: of the grid, in pixels. */
export function arrange(layout: TerminalLayout, room: Room): Arrangement {
  const at = (place: TerminalPane): TerminalPane | undefined => {
    const pane = layout.places[terminalPanes.indexOf(place)]
    return pane === undefined || layout.hidden.includes(pane) ? undefined : pane
  }
  const hasTrades = room.width >= breakpoints.trades && at('trades') !== undefined
  const columns = columnsOf(layout, at, room, hasTrades)
  const isRail = columns.some(({ size }) => size === 'rail')
  const lineOf = (place: TerminalPane): number => columns.findIndex((column) => column.place === place) + 1
  const hasLower = at('orders') !== undefined || at('account') !== undefined
  const rows = rowsOf(layout, room, hasLower)
  const last = columns.length + 1
  const right = lineOf('ticket')
  const panes: Placed[] = []
  const put = (place: TerminalPane, column: Span, row: Span): void => {
    const pane = at(place)
    if (pane !== undefined) panes.push({ pane, column, row, ...(pane === 'markets' && isRail ? { isRail } : {}) })
  }
  /** The column of the trades below another pane, if they have none of their own. */
  const shared = hasTrades || at('trades') === undefined ? undefined : isRail || lineOf('markets') === 0 ? 'book' : 'markets'
  const upperEnd = at('orders') === undefined ? rows.end : 3
  const cell = (place: TerminalPane): Span => [lineOf(place), lineOf(place) + 1]
  for (const place of ['markets', 'chart', 'book'] as const) put(place, cell(place), [1, shared === place ? 2 : upperEnd])
  if (hasTrades) put('trades', cell('trades'), [1, upperEnd])
  else if (shared !== undefined) put('trades', cell(shared), [at(shared) === undefined ? 1 : 2, upperEnd])
  put('ticket', [right, last], [1, at('account') === undefined ? rows.end : 3])
  const isAlone = columns[0]?.place === 'orders'
  put('orders', [1, right === 0 ? last : right], [isAlone ? 1 : 3, 4])
  put('account', [right, last], [at('ticket') === undefined ? 1 : 3, rows.end])
  return {
    columns: columns.map(({ size, px }) => (size === 'chart' ? 'minmax(0, 1fr)' : `${px}px`)).join(' '),
    rows: rows.text,
    panes,
    handles: handlesOf(columns, rows, {
      room,
      upperEnd,
      shared,
      hasBoth: shared !== undefined && at(shared) !== undefined,
      right,
      last,
      lineOf,
    }),
  }
}

/** The columns from left to right. One of them takes the room that is left: the chart's, or without it the first of the others. */
function columnsOf(
  layout: TerminalLayout,
  at: (place: TerminalPane) => TerminalPane | undefined,
  room: Room,
  hasTrades: boolean,
): readonly Column[] {
  const px = (size: TerminalSize): number => clamped(layout.sizes[size], limits[size])
  const isThere = (...places: readonly TerminalPane[]): boolean => places.some((place) => at(place) !== undefined)
  // Trades that are below the markets go below the book then.
  const canRail = at('markets') === 'markets' && (hasTrades || isThere('book') || !isThere('trades'))
  const isOver = room.width - px('markets') - px('book') - px('ticket') - 3 * gutter < chartMin.width
  const rail = canRail && (layout.isRail || (isOver && isThere('chart')))
  const left: Column = rail ? { place: 'markets', size: 'rail', px: railWidth } : { place: 'markets', size: 'markets', px: px('markets') }
  const below = hasTrades ? [] : (['trades'] as const)
  const columns: readonly Column[] = [
    ...(isThere('markets') || (isThere(...below) && !isThere('book')) ? [left] : []),
    ...(isThere('chart') ? [{ place: 'chart', size: 'chart', px: 0 } as const] : []),
    ...(isThere('book') ? [{ place: 'book', size: 'book', px: px('book') } as const] : []),
    ...(hasTrades ? [{ place: 'trades', size: 'trades', px: px('trades') } as const] : []),
    ...(isThere('ticket', 'account') ? [{ place: 'ticket', size: 'ticket', px: px('ticket') } as const] : []),
  ]
  if (columns.some(({ size }) => size === 'chart')) return columns
  // Nothing is above the orders.
  if (isThere('orders') && columns.every(({ place }) => place === 'ticket')) return [{ place: 'orders', size: 'chart', px: 0 }, ...columns]
  const fluid = columns.findIndex(({ size }) => size === 'book' || size === 'trades')
  const first = Math.max(0, fluid < 0 ? columns.findIndex(({ size }) => size !== 'rail') : fluid)
  return columns.map((column, index) => (index === first ? { ...column, size: 'chart' } : column))
}

type Rows = { readonly text: string; readonly end: number; readonly lower: number; readonly below: number }

/** Two rows whose border is movable, and below them the row of orders and account. */
function rowsOf({ sizes }: TerminalLayout, room: Room, hasLower: boolean): Rows {
  const lower = hasLower ? clamped(sizes.orders, [limits.orders[0], Math.max(limits.orders[0], room.height - chartMin.height)]) : 0
  const upper = room.height - lower - (hasLower ? gutter : 0)
  const below = clamped(sizes.below, [limits.below[0], Math.max(limits.below[0], upper - limits.below[0])])
  return { text: `minmax(0, 1fr) ${below}px${hasLower ? ` ${lower}px` : ''}`, end: hasLower ? 4 : 3, lower, below }
}

function handlesOf(
  columns: readonly Column[],
  rows: Rows,
  {
    room,
    upperEnd,
    shared,
    hasBoth,
    right,
    last,
    lineOf,
  }: {
    readonly room: Room
    readonly upperEnd: number
    readonly shared: 'markets' | 'book' | undefined
    readonly hasBoth: boolean
    readonly right: number
    readonly last: number
    readonly lineOf: (place: TerminalPane) => number
  },
): readonly Handle[] {
  const taken = columns.reduce((sum, { size, px }) => sum + (size === 'chart' ? 0 : px), 0) + gutter * (columns.length - 1)
  const spare = Math.max(0, room.width - taken - chartMin.width)
  const fluid = columns.findIndex(({ size }) => size === 'chart')
  const handles: Handle[] = []
  for (const [index, { size, px }] of columns.entries()) {
    if (size === 'chart' || size === 'rail' || columns.length === 1) continue
    const row: Span = [1, index + 1 === right ? rows.end : upperEnd]
    const max = Math.max(px, Math.min(limits[size][1], px + spare))
    handles.push({ size, column: [index + 1, index + 2], row, edge: index < fluid ? 'end' : 'start', now: px, min: limits[size][0], max })
  }
  if (rows.lower > 0) {
    const max = Math.max(rows.lower, room.height - chartMin.height)
    handles.push({ size: 'orders', column: [1, last], row: [3, 4], edge: 'top', now: rows.lower, min: limits.orders[0], max })
  }
  if (shared !== undefined && hasBoth) {
    const max = Math.max(rows.below, room.height - rows.lower - limits.below[0])
    const column: Span = [lineOf(shared), lineOf(shared) + 1]
    handles.push({ size: 'below', column, row: [2, 3], edge: 'top', now: rows.below, min: limits.below[0], max })
  }
  return handles
}

export type TabletTab = 'ticket' | 'trades' | 'account' | 'markets'
export const tabletTabs: readonly TabletTab[] = ['ticket', 'trades', 'account', 'markets']

/**
 * Two panes: the chart over orders, and a column of tabs: ticket and book, or another pane. The grid has a row of 44 px for the tabs.
 * Without a book the ticket has the whole column.
 */
export function arrangeTablet({ sizes }: TerminalLayout, room: Room, tab: TabletTab, hasBook = true): Arrangement {
  const side = 372
  const ticket = Math.round(((side - gutter) * 1.42) / 2.42)
  const max = Math.max(limits.orders[0], room.height - chartMin.height)
  const lower = clamped(sizes.orders, [limits.orders[0], max])
  const panes: Placed[] = [
    { pane: 'chart', column: [1, 2], row: [1, 3] },
    { pane: 'orders', column: [1, 2], row: [3, 4] },
    { pane: tab, column: [2, tab === 'ticket' && hasBook ? 3 : 4], row: [2, 4] },
  ]
  if (tab === 'ticket' && hasBook) panes.push({ pane: 'book', column: [3, 4], row: [2, 4] })
  return {
    columns: `minmax(0, 1fr) ${ticket}px ${side - gutter - ticket}px`,
    rows: `44px minmax(0, 1fr) ${lower}px`,
    panes,
    handles: [{ size: 'orders', column: [1, 2], row: [3, 4], edge: 'top', now: lower, min: limits.orders[0], max }],
  }
}

/** Two panes change their places. */
export function swapped(layout: TerminalLayout, one: TerminalPane, other: TerminalPane): TerminalLayout {
  const places = layout.places.map((pane) => (pane === one ? other : pane === other ? one : pane))
  return { ...layout, places }
}

/** A pane is hidden, or shown again. The last one of the desk's panes stays. */
export function toggledPane(layout: TerminalLayout, pane: TerminalPane, panes: readonly TerminalPane[] = terminalPanes): TerminalLayout {
  if (layout.hidden.includes(pane)) return { ...layout, hidden: layout.hidden.filter((one) => one !== pane) }
  const isLast = panes.every((one) => one === pane || layout.hidden.includes(one))
  return isLast ? layout : { ...layout, hidden: [...layout.hidden, pane] }
}

/** The layout on a desk that has only some of the panes. If none of them is shown, its ticket is. */
export function onDesk(layout: TerminalLayout, panes: readonly TerminalPane[]): TerminalLayout {
  const hidden = terminalPanes.filter((pane) => !panes.includes(pane) || layout.hidden.includes(pane))
  return { ...layout, hidden: hidden.length < terminalPanes.length ? hidden : hidden.filter((pane) => pane !== 'ticket') }
}

export function resized(layout: TerminalLayout, size: TerminalSize, px: number): TerminalLayout {
  return { ...layout, sizes: { ...layout.sizes, [size]: Math.round(px) } }
}

function clamped(value: number, [min, max]: readonly [number, number]): number {
  return Math.min(Math.max(value, min), max)
}
