/** Positions of times and prices in the chart: a square of 1000 by 1000, scaled to the phone's width. */
import type { WireOption } from '@candor/core/protocol/wire/option.ts'

/** A time and the index at that time. */
type IndexPoint = readonly [at: number, price: number]

export type Frame = {
  readonly x: (at: number) => number
  readonly y: (price: number) => number
  readonly low: number
  readonly high: number
  /** Trades inside the frame, from before the screen was open. */
  readonly past: readonly IndexPoint[]
  readonly line: readonly IndexPoint[]
}

const shownMs = 90_000
/** Share of the width that stays free at the end if no order runs. */
const room = 0.18
/** Width of a flag, in the chart's units. */
const flagWidth = 170
/** Most points drawn; a phone has no more columns. */
const pointsMax = 400

/** The frame. The order that ends first sets it: from a little before its opening to a little after its end. */
export function frameOf(now: number, past: readonly IndexPoint[], points: readonly IndexPoint[], orders: readonly WireOption[]): Frame {
  const next = orders.find((order) => order.expiresAt > now - 1_000)
  const from = next === undefined ? now - shownMs : Math.min(next.strikeFrom - next.seconds * 100, now - 30_000)
  const until = next === undefined ? now + (shownMs * room) / (1 - room) : Math.max(next.expiresAt, now) + (next.expiresAt - from) * 0.06
  const isInside = ([at]: IndexPoint): boolean => at >= from - 2_000
  const seenPast = thinned(past.filter(isInside))
  const line = thinned(points.filter(isInside))
  const prices = [...seenPast, ...line].map(([, price]) => price)
  for (const order of orders) if (order.strike !== undefined && order.expiresAt > now - 1_000) prices.push(Number(order.strike))
  const [low, high] = prices.length === 0 ? [0, 1] : [Math.min(...prices), Math.max(...prices)]
  // A quiet market is a flat line in the middle, not noise scaled to the full height.
  const span = Math.max(high - low, high * 0.0001) || 1
  const bottom = (low + high) / 2 - span * 0.66
  const height = span * 1.32
  return {
    x: (at) => round(((at - from) / (until - from)) * 1_000),
    y: (price) => round(1_000 - ((price - bottom) / height) * 1_000),
    low,
    high,
    past: seenPast,
    line,
  }
}

/** Orders whose end gets a flag with a countdown. A flag that would overlap that of an earlier end is left out. */
export function flagged(orders: readonly WireOption[], { x }: Frame): ReadonlySet<string> {
  const shown = new Set<string>()
  let before = -Infinity
  for (const order of [...orders].sort((a, b) => a.expiresAt - b.expiresAt || Number(a.id) - Number(b.id))) {
    const at = x(order.expiresAt)
    if (at >= 1_000 || at - before < flagWidth) continue
    shown.add(order.id)
    before = at
  }
  return shown
}

export function pathOf(points: readonly IndexPoint[], frame: Frame): string {
  return points.map(([at, price], n) => `${n === 0 ? 'M' : 'L'}${frame.x(at)} ${frame.y(price)}`).join('')
}

/** About every n-th point, chosen by its time so that the line keeps its shape, and the last one, so that it ends at the current price. */
function thinned(points: readonly IndexPoint[]): readonly IndexPoint[] {
  const step = Math.ceil(points.length / pointsMax)
  return step <= 1 ? points : points.filter((point, n) => point[0] % (step * 250) < 250 || n === points.length - 1)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
