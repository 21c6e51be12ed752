/** Positions of times and prices in the chart: a square of 1000 by 1000, scaled to the phone's width. */
import type { WireOption } from '@candor/core/protocol/wire/option.ts'

/** A time and the index at that time. */
type IndexPoint = readonly [at: number, price: number]

export type Frame = {
  readonly x: (at: number) => number
  readonly y: (price: number) => number
  readonly low: number
  readonly high: number
  /** The index inside the frame. Where it was silent, one stretch ends and the next begins. */
  readonly lines: readonly (readonly IndexPoint[])[]
  /** Where the axes have a label. */
  readonly prices: readonly { readonly y: number; readonly price: number }[]
  readonly times: readonly { readonly x: number; readonly at: number }[]
}

const shownMs = 90_000
/** Share of the width that stays free at the end if no order runs. */
const room = 0.18
/** Width of a flag, in the chart's units. */
const flagWidth = 170
/** Most points drawn; a phone has no more columns. */
const pointsMax = 400
/** Without a tick for longer than this the index is silent: it ticks four times a second, and a thinned line has a point a second. */
export const silentMs = 2_000
/** Distances of the labels of time, the closest first. */
const timeSteps = [15_000, 30_000, 60_000, 120_000, 300_000, 600_000]
const timesMax = 4

/** The frame. The order that ends first sets it: from a little before its opening to a little after its end. */
export function frameOf(now: number, points: readonly IndexPoint[], orders: readonly WireOption[]): Frame {
  const next = orders.find((order) => order.expiresAt > now - 1_000)
  const from = next === undefined ? now - shownMs : Math.min(beginOf(next), now - 30_000)
  const until = next === undefined ? now + (shownMs * room) / (1 - room) : Math.max(next.expiresAt, now) + (next.expiresAt - from) * 0.06
  const lines = stretches(points.filter(([at]) => at >= from - silentMs))
  const prices = lines.flat().map(([, price]) => price)
  for (const order of orders) if (order.strike !== undefined && order.expiresAt > now - 1_000) prices.push(Number(order.strike))
  const [low, high] = prices.length === 0 ? [0, 1] : [Math.min(...prices), Math.max(...prices)]
  // A quiet market is a flat line in the middle, not noise scaled to the full height.
  const span = Math.max(high - low, high * 0.0001) || 1
  const bottom = (low + high) / 2 - span * 0.66
  const height = span * 1.32
  const x = (at: number): number => round(((at - from) / (until - from)) * 1_000)
  const step = timeSteps.find((one) => (until - from) / one <= timesMax + 1) ?? timeSteps.at(-1)!
  const first = Math.ceil(from / step) * step
  return {
    x,
    y: (price) => round(1_000 - ((price - bottom) / height) * 1_000),
    low,
    high,
    lines,
    prices: [250, 500, 750].map((y) => ({ y, price: bottom + ((1_000 - y) / 1_000) * height })),
    times: Array.from({ length: timesMax + 2 }, (_, n) => first + n * step)
      .map((at) => ({ at, x: x(at) }))
      .filter((mark) => mark.x >= 100 && mark.x <= 900),
  }
}

/** From when on the chart shows the index if this order sets its frame. */
export function beginOf({ strikeFrom, seconds }: WireOption): number {
  return strikeFrom - seconds * 100
}

/** One line of two, each in order of time. Where both have a tick it counts once. */
export function joined(tape: readonly IndexPoint[], live: readonly IndexPoint[]): readonly IndexPoint[] {
  const points: IndexPoint[] = []
  let next = 0
  for (const point of live) {
    for (let before = tape[next]; before !== undefined && before[0] <= point[0]; before = tape[++next])
      if (before[0] < point[0]) points.push(before)
    points.push(point)
  }
  return [...points, ...tape.slice(next)]
}

/** Cuts a line where the index was silent, and thins what is left to the columns of a phone. */
function stretches(points: readonly IndexPoint[]): readonly (readonly IndexPoint[])[] {
  const lines: IndexPoint[][] = []
  const step = Math.ceil(points.length / pointsMax)
  points.forEach((point, n) => {
    const before = points[n - 1]
    const isFirst = before === undefined || point[0] - before[0] > silentMs
    const after = points[n + 1]
    const isLast = after === undefined || after[0] - point[0] > silentMs
    if (isFirst) lines.push([])
    // About every n-th point, chosen by its time so that the line keeps its shape, and the ends of each stretch.
    if (isFirst || isLast || step <= 1 || point[0] % (step * 250) < 250) lines.at(-1)!.push(point)
  })
  return lines
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

function round(value: number): number {
  return Math.round(value * 10) / 10
}
