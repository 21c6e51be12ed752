import { amountText, clockText, countText, type Found, ordersMax, plural, secondsText, shareText, type Who } from '../found.ts'
import type { Fill, LargeOrder, OrderSums } from '../read/orders.ts'
import type { Thresholds } from '../thresholds.ts'
import { groupMax, type Links, reasonText, shareLimit, shareOf } from './links.ts'

/** Accounts of which a finding tells how they are linked. */
const tiesShown = 5
const lists = new Intl.ListFormat('en')
const listed = (names: readonly string[]): string => lists.format(names)

/** An account, or several linked ones, with large, quickly cancelled orders and fills, each oldest first. */
export type Quoted = {
  readonly market: string
  readonly median: number
  readonly counts: Pick<OrderSums, 'orders' | 'cancelled'>
  readonly large: readonly LargeOrder[]
  readonly fills: readonly Fill[]
  readonly asset: string
}

/** Large orders of one side that went together, with the fills of the other side that they stood beside. */
export type Move = { readonly orders: readonly LargeOrder[]; readonly fills: readonly Fill[] }

/** Spoofing, or layering when each move had several price levels. The finding names the accounts that took part. */
export function spoofing(
  { market, median: usual, counts, large, fills, asset }: Quoted,
  { who, links }: { readonly who: Who; readonly links: Links },
  { spoofing: limits }: Thresholds,
): Found | undefined {
  const moves = movesOf(large, fills, limits)
  if (moves.length < limits.movesMin) return undefined
  const layered = moves.filter((move) => levelsOf(move) >= limits.levelsMin)
  const isLayering = layered.length >= limits.movesMin
  const shown = isLayering ? layered : moves
  const orders = shown.flatMap((move) => move.orders)
  const met = new Set(shown.flatMap((move) => move.fills))
  const [shownValue, filledValue] = [sumOf(orders), sumOf([...met])]
  const lives = orders.map(({ placed, cancelled }) => cancelled - placed).toSorted((a, b) => a - b)
  const median = lives[lives.length >> 1]!
  const levels = Math.max(...shown.map(levelsOf))
  const [first, last] = [Math.min(...orders.map(({ placed }) => placed)), Math.max(...orders.map(({ cancelled }) => cancelled))]
  const what = isLayering ? `large orders on up to ${levels} price levels` : 'large orders'
  const users = [...new Set([...orders, ...met].map(({ user }) => user))].toSorted((a, b) => a - b).slice(0, groupMax)
  const together = users.length > 1
  const shownUsers = users.slice(0, tiesShown)
  const ties = shownUsers.flatMap((one, at) => shownUsers.slice(at + 1).map((other) => reasonText(links, { one, other }, who))).join('')
  const text =
    `${plural(shown.length, 'time')}, ${listed(users.map(who))}${together ? ', which may belong to one person, together' : ''} placed ${what} of ${market} on one side, had orders of the other side filled meanwhile, and ` +
    `cancelled the large ones unfilled, half of them within ${secondsText(median)}. The large orders were worth ${amountText(shownValue)} ${asset} together, the fills ` +
    `${amountText(filledValue)} ${asset}. The first move began at ${clockText(orders[0]!.placed)}.${ties}`
  return {
    ...{ kind: isLayering ? 'layering' : 'spoofing', market, users, weight: shownValue, text },
    measures: [
      { name: 'Moves', seen: countText(shown.length), limit: `at least ${limits.movesMin}` },
      { name: 'Median life of the large orders', seen: secondsText(median), limit: `at most ${secondsText(limits.lifeMaxMs)}` },
      {
        name: 'Smallest of them, in median orders of the market',
        seen: amountText(Math.min(...orders.map(({ value }) => value)) / usual),
        limit: `at least ${limits.medianTimes}`,
      },
      ...(isLayering ? [{ name: 'Price levels of a move', seen: `up to ${levels}`, limit: `at least ${limits.levelsMin}` }] : []),
      { name: 'Orders cancelled unfilled', seen: shareText(shareOf(counts.cancelled, counts.orders)), limit: null },
      ...(together ? [{ name: 'Accounts', seen: countText(users.length), limit: null }] : []),
    ],
    orders: [...new Set([...orders.map(({ id }) => id), ...[...met].map(({ order }) => order)])].slice(0, ordersMax),
    ...{ from: first as Found['from'], to: last as Found['to'] },
  }
}

/**
 * Orders of one side that were cancelled together count as one move, if a fill of the other side came while one of them stood, and they
 * were cancelled soon after it. They must be far larger than the orders that filled: a market maker’s two sides are of like size.
 */
export function movesOf(large: readonly LargeOrder[], fills: readonly Fill[], limits: Thresholds['spoofing']): readonly Move[] {
  const groups: LargeOrder[][] = []
  for (const order of large.toSorted((a, b) => a.cancelled - b.cancelled || a.id - b.id)) {
    const last = groups.findLast(([first]) => first!.isBuy === order.isBuy)
    if (last !== undefined && order.cancelled - last[0]!.cancelled <= limits.togetherMs) last.push(order)
    else groups.push([order])
  }
  return groups.flatMap((orders) => {
    const met = fills.filter((fill) =>
      orders.some(
        ({ isBuy, placed, cancelled }) =>
          fill.isBuy !== isBuy && fill.at >= placed && fill.at <= cancelled && cancelled - fill.at <= limits.afterFillMs,
      ),
    )
    const other = new Map(met.map(({ order, orderValue }) => [order, orderValue]))
    const otherValue = [...other.values()].reduce((sum, value) => sum + value, 0)
    return met.length > 0 && sumOf(orders) >= limits.otherSideTimes * otherValue ? [{ orders, fills: met }] : []
  })
}

/** Hardly any of many orders traded. */
export function cancelled({ sums }: { readonly sums: OrderSums }, who: Who, { cancels: limits }: Thresholds): Found | undefined {
  const share = shareOf(sums.cancelled, sums.orders)
  if (sums.orders < limits.ordersMin || share < limits.shareMin) return undefined
  const text =
    `${who(sums.user)} placed ${plural(sums.orders, 'order')} of ${sums.market} and cancelled ${countText(sums.cancelled)} of them without any fill, ${shareText(share)}. ` +
    'A program that quotes both sides and follows the price can do the same; look at what the orders did to the book.'
  return {
    ...{ kind: 'cancels', market: sums.market, users: [sums.user], weight: sums.orders, text, orders: [], from: sums.from, to: sums.to },
    measures: [
      { name: 'Orders', seen: countText(sums.orders), limit: `at least ${countText(limits.ordersMin)}` },
      { name: 'Cancelled unfilled', seen: shareText(share), limit: shareLimit(limits.shareMin) },
    ],
  }
}

const sumOf = (all: readonly { readonly value: number }[]): number => all.reduce((sum, { value }) => sum + value, 0)
const levelsOf = ({ orders }: Move): number => new Set(orders.map(({ price }) => price)).size
