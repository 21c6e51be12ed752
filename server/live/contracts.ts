import type { Millis } from '@candor/core/money/brand.ts'
import { formatFixed, formatUnits } from '@candor/core/money/units.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { PerpMarked, PositionChanged, PositionClosed } from '@candor/core/protocol/event/perp.ts'
import type { MarketId, OrderId } from '@candor/core/protocol/ids.ts'
import type { MarketPhase } from '@candor/core/protocol/market.ts'
import type { MarkView, PerpAccountView, PerpPosition } from '@candor/core/protocol/port.ts'
import type { WireClosedPosition, WireMark, WirePerpAccount, WirePosition } from '@candor/core/protocol/wire/perp.ts'
import { amountText, type ListedMarket, type Listing, priceText, quantityText } from './listing.ts'

type Rank = WirePosition['adlRank']
type Mark = Pick<PerpMarked, 'market' | 'mark' | 'index' | 'fundingRate' | 'fundingAt'>

const indexDigits = 8
const averageDigits = 8
const ranksMax = 100_000

/** Mark, index and funding of every Futures market, updated by the released events. */
export class Contracts {
  readonly #marks = new Map<MarketId, Mark>()
  readonly #phases = new Map<MarketId, MarketPhase>()
  /** By spot market: whether its index is good. */
  readonly #isGood = new Map<MarketId, boolean>()
  /** Last known ranks in the queue of auto-deleveraging, by position: events do not contain them. */
  readonly #ranks = new Map<OrderId, Rank>()
  readonly #changed = new Set<MarketId>()

  load(listing: Listing, marks: readonly MarkView[]): void {
    for (const view of marks) {
      if (view.mark === 0) continue
      const { market, mark, index, fundingRate, fundingAt, phase } = view
      this.#phases.set(market, phase)
      this.#marks.set(market, { market, mark, index, fundingRate, fundingAt })
      const source = listing.market(market).market.perp?.index
      if (source !== undefined) this.#isGood.set(source, view.isGood)
    }
  }

  apply(event: Event): void {
    if (event.type === 'perp.marked') {
      this.#marks.set(event.market, event)
      this.#changed.add(event.market)
    } else if (event.type === 'perp.phase') {
      this.#phases.set(event.market, event.phase)
      this.#changed.add(event.market)
    } else if (event.type === 'index.ticked') this.#isGood.set(event.market, event.isGood)
  }

  /** In ticks; undefined before the first index price. */
  mark(market: MarketId): number | undefined {
    return this.#marks.get(market)?.mark
  }

  /** Undefined before the first index price. */
  now(market: MarketId): Mark | undefined {
    return this.#marks.get(market)
  }

  wireMark(market: ListedMarket, at: Millis): WireMark | undefined {
    const mark = this.#marks.get(market.market.id)
    const source = market.market.perp?.index
    if (!mark || source === undefined) return undefined
    return {
      symbol: market.market.symbol,
      mark: priceText(market, mark.mark),
      index: formatUnits(mark.index, indexDigits),
      fundingRate: percentText(mark.fundingRate),
      fundingAt: mark.fundingAt,
      isIndexGood: this.#isGood.get(source) ?? false,
      phase: this.#phases.get(market.market.id) ?? 'open',
      time: at,
    }
  }

  /** Markets whose mark moved or whose phase changed since the last call. */
  takeChanged(): ReadonlySet<MarketId> {
    const changed = new Set(this.#changed)
    this.#changed.clear()
    return changed
  }

  learnRanks(positions: readonly PerpPosition[]): void {
    if (this.#ranks.size > ranksMax) this.#ranks.clear()
    for (const { position, adlRank } of positions) this.#ranks.set(position, adlRank)
  }

  rank(position: OrderId): Rank {
    return this.#ranks.get(position) ?? 1
  }
}

/** A rate in 1e-9 as percent with four digits, rounded to the nearest. */
function percentText(rate: number): string {
  return formatFixed(Math.round(rate / 1_000), 4)
}

/** `ended`: of a closed position, whose side its own event no longer shows. */
export function wirePosition(
  listing: Listing,
  position: Omit<PositionChanged, 'type'>,
  adlRank: Rank,
  ended?: PositionClosed,
): WirePosition {
  const market = listing.market(position.market)
  const { quote } = market
  return {
    id: String(position.position),
    symbol: market.market.symbol,
    side: ended ? ended.side : position.lots < 0 ? 'sell' : 'buy',
    position: position.side,
    mode: position.mode,
    leverage: position.leverage,
    quantity: quantityText(market, Math.abs(position.lots) as typeof position.lots),
    entryPrice: averageText(market, position.cost, position.lots),
    value: amountText(quote, position.cost),
    margin: amountText(quote, position.margin),
    liquidationPrice: position.liquidationPrice === 0 ? null : priceText(market, position.liquidationPrice),
    realised: amountText(quote, position.realised),
    fees: amountText(quote, position.fees),
    funding: amountText(quote, position.funding),
    adlRank,
    openedAt: position.openedAt,
  }
}

export function wireClosed(listing: Listing, closed: PositionClosed): WireClosedPosition {
  const market = listing.market(closed.market)
  const { quote } = market
  const profit = closed.realised - closed.fees + closed.funding
  const leverage = BigInt(closed.leverage)
  return {
    id: String(closed.position),
    symbol: market.market.symbol,
    side: closed.side,
    mode: closed.mode,
    leverage: closed.leverage,
    openPrice: averageText(market, closed.openedValue, closed.openedLots),
    openQuantity: quantityText(market, closed.openedLots),
    openAmount: amountText(quote, (closed.openedValue + leverage - 1n) / leverage),
    totalOpenAmount: amountText(quote, closed.openedValue),
    settlePrice: averageText(market, closed.closedValue, closed.closedLots),
    settleProfit: amountText(quote, profit as typeof closed.realised),
    realised: amountText(quote, closed.realised),
    fees: amountText(quote, closed.fees),
    funding: amountText(quote, closed.funding),
    result: profit > 0 ? 'win' : profit < 0 ? 'loss' : 'even',
    cause: closed.cause,
    openedAt: closed.openedAt,
    completedAt: closed.closedAt,
    holdingMs: closed.closedAt - closed.openedAt,
  }
}

export function wirePerpAccount(listing: Listing, account: PerpAccountView): WirePerpAccount {
  const usdt = listing.assetNamed('USDT')
  return {
    isHedge: account.isHedge,
    available: amountText(usdt, account.available),
    held: amountText(usdt, account.held),
    transferable: amountText(usdt, account.transferable),
    settings: account.settings.map(({ market, leverage, mode }) => ({ symbol: listing.market(market).market.symbol, leverage, mode })),
    positions: account.positions.map((position) => wirePosition(listing, position, position.adlRank)),
    interest: account.interest.map(({ market, left, buy, sell }) => ({
      symbol: listing.market(market).market.symbol,
      left: amountText(usdt, left),
      buy: amountText(usdt, buy),
      sell: amountText(usdt, sell),
    })),
    ceiling: account.ceiling,
  }
}

/** Average price of lots with this total cost, rounded to 8 digits, for display; "0" for no lots. */
function averageText({ market, base, quote }: ListedMarket, cost: number | bigint, lots: number | bigint): string {
  if (BigInt(lots) === 0n) return '0'
  const paid = BigInt(cost) * 10n ** BigInt(base.scale + averageDigits)
  const size = BigInt(lots < 0 ? -lots : lots) * BigInt(market.basePerLot) * 10n ** BigInt(quote.scale)
  return formatUnits((2n * paid + size) / (2n * size), averageDigits)
}
