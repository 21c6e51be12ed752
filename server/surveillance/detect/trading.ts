import { amountText, clockText, countText, type Found, ordersMax, plural, secondsText, shareText, type Who } from '../found.ts'
import type { Pair, PairTrade } from '../read/pairs.ts'
import type { Thresholds } from '../thresholds.ts'
import { isLinked, isOfMember, type Link, type Links, linkText, pairKey, shareLimit, shareOf } from './links.ts'

/** A pair with its trades, oldest first. */
export type Told = { readonly pair: Pair; readonly trades: readonly PairTrade[]; readonly asset: string }
export type TradingParts = { readonly links: Links; readonly who: Who }

/** Trades of an account with itself, or with an account that may belong to the same person. */
export function selfTrades({ pair, trades, asset }: Told, { links, who }: TradingParts, thresholds: Thresholds): Found | undefined {
  const { market, one, other, quote, oneQuote, otherQuote, from, to } = pair
  const link = links.get(pairKey(one, other))
  const isSame = one === other
  if (!isSame && (link === undefined || !isLinked(link, thresholds))) return undefined
  const times = `between ${clockText(from)} and ${clockText(to)}`
  const sum = `${plural(pair.trades, 'trade')} of ${market}, ${amountText(quote)} ${asset} in all, ${times}`
  const text = isSame
    ? `${who(one)} was on both sides of ${sum}. Its orders switched self-trade prevention off.`
    : `${who(one)} and ${who(other)} traded with each other: ${sum}.${linkText(links, one, other)} ${whyOf(link)}`
  return {
    ...{ kind: 'self-trades', market, users: isSame ? [one] : [one, other], weight: quote, text, from, to, orders: ordersOf(trades) },
    measures: [
      { name: 'Trades with each other', seen: countText(pair.trades), limit: 'at least 1' },
      ...(link === undefined
        ? []
        : [{ name: 'Points of the link', seen: countText(link.score), limit: `at least ${thresholds.linked.scoreMin}` }]),
      { name: `Volume of these trades, ${asset}`, seen: amountText(quote), limit: null },
      { name: `Share in the volume of ${who(one)}`, seen: shareText(shareOf(quote, oneQuote)), limit: null },
      ...(isSame ? [] : [{ name: `Share in the volume of ${who(other)}`, seen: shareText(shareOf(quote, otherQuote)), limit: null }]),
    ],
  }
}

/** Why such trades matter. */
const whyOf = (link: Link | undefined): string =>
  link !== undefined && isOfMember(link)
    ? 'Money of the firm can leave it by bad prices, past the approval of its withdrawals.'
    : 'Trades within one person or firm show a volume that is none.'

/** Trades to and fro at about one price, which change nothing but the volume. */
export function roundTrips(
  { pair, trades, asset }: Told,
  { links, who }: TradingParts,
  { roundTrips: limits }: Thresholds,
): Found | undefined {
  const { market, one, other, oneQuote, otherQuote } = pair
  if (one === other) return undefined
  const trips = tripsOf(trades, limits)
  const volume = trips.reduce((sum, { opened, closed, part }) => sum + part * (opened.price + closed.price), 0)
  const shares = [shareOf(volume, oneQuote), shareOf(volume, otherQuote)] as const
  if (countOf(trips) < limits.tripsMin || Math.min(...shares) < limits.shareMin) return undefined
  const result = trips.reduce((sum, { opened, closed, part }) => sum + part * (closed.price - opened.price) * (opened.isBought ? 1 : -1), 0)
  const [first, last] = [trips[0]!, trips.at(-1)!]
  const text =
    `${who(one)} and ${who(other)} traded ${market} to and fro ${plural(countOf(trips), 'time')}: what one bought from the other it sold back ` +
    `within ${secondsText(limits.windowMs)} at a price no more than ${shareText(limits.priceMax)} away. That was ${amountText(volume)} ${asset} of volume, ` +
    `and moved ${amountText(Math.abs(result))} ${asset} from one to the other.${linkText(links, one, other)}`
  return {
    ...{ kind: 'round-trips', market, users: [one, other], weight: volume, text },
    measures: [
      { name: 'Round trips', seen: countText(countOf(trips)), limit: `at least ${limits.tripsMin}` },
      { name: `Their share in the volume of ${who(one)}`, seen: shareText(shares[0]), limit: shareLimit(limits.shareMin) },
      { name: `Their share in the volume of ${who(other)}`, seen: shareText(shares[1]), limit: shareLimit(limits.shareMin) },
      { name: `Their volume, ${asset}`, seen: amountText(volume), limit: null },
    ],
    ...{ from: first.opened.at, to: last.closed.at, orders: ordersOf(trips.flatMap(({ opened, closed }) => [opened, closed])) },
  }
}

type Trip = { readonly opened: PairTrade; readonly closed: PairTrade; readonly part: number }

/** Each trade is set against the earliest ones of the other direction, as far as their quantities, times and prices allow. */
export function tripsOf(trades: readonly PairTrade[], { windowMs, priceMax }: Thresholds['roundTrips']): readonly Trip[] {
  const open: { readonly trade: PairTrade; left: number }[] = []
  const trips: Trip[] = []
  for (const trade of trades) {
    let left = trade.quantity
    for (const entry of open) {
      if (left <= 0) break
      const { trade: opened } = entry
      const isBack = opened.isBought !== trade.isBought && trade.at - opened.at <= windowMs
      if (entry.left <= 0 || !isBack || Math.abs(trade.price - opened.price) > priceMax * opened.price) continue
      const part = Math.min(left, entry.left)
      entry.left -= part
      left -= part
      trips.push({ opened, closed: trade, part })
    }
    while (open[0] !== undefined && (open[0].left <= 0 || trade.at - open[0].trade.at > windowMs)) open.shift()
    if (left > 0) open.push({ trade, left })
  }
  return trips
}

/** A large trade that comes back in many small ones is one trip. */
const countOf = (trips: readonly Trip[]): number =>
  Math.min(new Set(trips.map(({ opened }) => opened)).size, new Set(trips.map(({ closed }) => closed)).size)

const ordersOf = (trades: readonly PairTrade[]): readonly number[] =>
  [...new Set(trades.flatMap(({ orders }) => orders))].slice(0, ordersMax)
