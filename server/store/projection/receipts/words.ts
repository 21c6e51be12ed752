import type { IndexPrice, Lots, Ppm, Ticks, Units } from '@candor/core/money/brand.ts'
import { type Step, stepOf } from '@candor/core/money/price.ts'
import { formatFixed } from '@candor/core/money/units.ts'
import type { AccountRef } from '@candor/core/protocol/account.ts'
import type { FundingPaid } from '@candor/core/protocol/event/perp.ts'
import type { AssetId, MarketId, OrderId } from '@candor/core/protocol/ids.ts'
import type { Known } from '../known.ts'

const indexDigits = 8
const fundingDigits = 9
const shareDigits = 6

/**
 * Numbers of the core as receipts show them. A refused command may name a market or an asset that is not listed: then its number stands
 * for its name, and its sums are in whole units, ticks or lots.
 */
export class Words {
  readonly #known: Known

  constructor(known: Known) {
    this.#known = known
  }

  asset(id: AssetId): string {
    return this.#known.findAsset(id)?.symbol ?? `#${id}`
  }

  /** Undefined for 0, which is no market or all of them. */
  market(id: MarketId): string | undefined {
    return id === 0 ? undefined : (this.#known.findMarket(id)?.market.symbol ?? `#${id}`)
  }

  sum(units: Units, asset: AssetId): string {
    return formatFixed(units, this.#known.findAsset(asset)?.scale ?? 0)
  }

  /** A sum in the quote asset of the market. */
  quoteSum(units: Units | bigint, market: MarketId): string {
    return formatFixed(units, this.#known.findMarket(market)?.quote.scale ?? 0)
  }

  usdt(units: Units): string {
    return formatFixed(units, this.#known.scaleOf('USDT'))
  }

  /** Undefined for 0, which is no price. */
  price(ticks: Ticks | 0 | undefined, market: MarketId): string | undefined {
    const tick = this.#known.findMarket(market)?.market.tick
    return ticks === undefined || ticks === 0 ? undefined : stepsOf(ticks, tick)
  }

  quantity(lots: Lots | bigint, market: MarketId): string {
    return stepsOf(lots, this.#known.findMarket(market)?.market.lot)
  }

  /** Undefined for 0, which stands for no quantity of its own. */
  someQuantity(lots: Lots | undefined, market: MarketId): string | undefined {
    return lots === undefined || lots === 0 ? undefined : this.quantity(lots, market)
  }

  index(price: IndexPrice | 0): string | undefined {
    return price === 0 ? undefined : formatFixed(price, indexDigits)
  }

  /** A rate of funding. */
  funding(rate: FundingPaid['rate']): string {
    return formatFixed(rate, fundingDigits)
  }

  /** Parts per million as a share: 1,500 is 0.001500. */
  share(ppm: Ppm): string {
    return formatFixed(ppm, shareDigits)
  }

  /** Symbols of the asset and, for a spot side, of what a buyer or seller receives. */
  received(side: 'buy' | 'sell', market: MarketId): { readonly asset: string; readonly fee: (units: Units) => string } {
    const view = this.#known.market(market)
    const asset = side === 'sell' || view.market.perp !== undefined ? view.quote : view.base
    return { asset: asset.symbol, fee: (units) => formatFixed(units, asset.scale) }
  }

  /** The kind of a customer's account, with the market of an isolated one. */
  account(account: AccountRef): { readonly account: string; readonly market: string | undefined } {
    if ('system' in account) throw new Error('a receipt shows no account of the exchange')
    return { account: account.kind, market: account.market === undefined ? undefined : this.market(account.market) }
  }
}

/** Undefined for 0, which is no order. */
export const orderOf = (order: OrderId): OrderId | undefined => (order === 0 ? undefined : order)

/** Undefined for a text that was not given. */
export const given = (text: string): string | undefined => (text === '' ? undefined : text)

/** What is not so is left out. */
export const ifSo = (isSo: boolean | undefined): true | undefined => (isSo === true ? true : undefined)

/** Values of refused commands may be beyond 2^53 when they are in decimal. */
function stepsOf(count: Ticks | Lots | bigint, step: string | undefined): string {
  const { units, scale }: Step = step === undefined ? { units: 1, scale: 0 } : stepOf(step)
  const whole = typeof count === 'number' ? count * units : Number.NaN
  return formatFixed(Number.isSafeInteger(whole) ? whole : BigInt(count) * BigInt(units), scale)
}
