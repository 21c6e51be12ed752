import type { Asset } from '@candor/core/protocol/market.ts'
import type { PoolView } from '@candor/core/protocol/port.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { Context } from '../context.ts'
import type { ListedMarket } from '../../live/listing.ts'
import { ApiError } from '../errors.ts'
import { Names } from '../names.ts'
import * as param from '../params.ts'
import { marginAsset, notMarginAsset } from '../funds/values.ts'

const rateDigits = 12
const indexDigits = 8
const namesMax = 20

/** Names separated by commas, the form of lists on these paths. */
export const nameList = param.text(/^[A-Z0-9]{1,20}(,[A-Z0-9]{1,20}){0,19}$/)
export const namesOf = (text: string): readonly string[] => [...new Set(text.split(','))].slice(0, namesMax)

export const notPair = () => new ApiError(-3028, 'Not a valid margin pair.')

/** Markets with margin accounts, by name. */
export class Pairs {
  readonly #context: Context
  readonly #names: Names

  constructor(context: Context) {
    this.#context = context
    this.#names = new Names(context.data, 'spot')
  }

  /** The markets for which margin trading is open. */
  get all(): readonly ListedMarket[] {
    return this.#context.listing.markets.filter(({ wire }) => wire.kind === 'spot' && wire.hasMargin)
  }

  /** One of them, or all without a symbol. throws  ApiError -1121, -3028 for a market without margin trading */
  chosen(symbol: string | undefined): readonly ListedMarket[] {
    return symbol === undefined ? this.all : [this.open(symbol)]
  }

  /** throws  ApiError -1121, -3028 */
  open(symbol: string): ListedMarket {
    const market = this.market(symbol)
    if (!market.wire.hasMargin) throw notPair()
    return market
  }

  /** The market, even without margin trading: accounts with debt can always be shown and closed. throws  ApiError -1121 */
  market(symbol: string): ListedMarket {
    return this.#names.market(symbol)
  }

  /** throws  ApiError -3027 */
  asset(name: string): Asset {
    return marginAsset(this.#context.listing, name)
  }

  /** throws  ApiError -3027 when it can't be borrowed */
  async pool({ id }: Asset): Promise<PoolView> {
    const found = (await this.#context.ask.pools()).find(({ asset }) => asset === id)
    if (!found) throw notMarginAsset()
    return found
  }

  /** Index price of a pair, in its quote; undefined without one. */
  index({ market }: ListedMarket): { readonly price: string; readonly at: number } | undefined {
    const index = this.#context.data.market(market.id)?.index
    return index && { price: formatUnits(index.price, indexDigits), at: index.at }
  }
}

/** Rate of this many hours as a fraction, from an hourly rate in 1e-12. */
export function rateText(rate: number, hours: number): string {
  return formatUnits(BigInt(rate) * BigInt(hours), rateDigits)
}

/** Hours of the loans whose rates are published, without compounding. */
export const dayHours = 24
export const yearHours = 8_760
