import type { Loan } from '@candor/core/protocol/wire/console/customers.ts'
import type { Ticks, Units } from '@candor/core/money/brand.ts'
import { formatFixed, formatUnits } from '@candor/core/money/units.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { LeverageCeiling, OptionStanding } from '@candor/core/protocol/port.ts'
import type { WireAccount } from '@candor/core/protocol/wire/funds.ts'
import type { WirePosition } from '@candor/core/protocol/wire/perp.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { unrealised } from '@candor/core/risk/perp.ts'
import type { Context } from '../live/context.ts'
import { wirePosition } from '../live/contracts.ts'
import { type Holdings, holdingsOf, netUsdt, usdtText, wireAccounts } from '../live/accounts/holdings.ts'
import { amountText, priceText } from '../live/listing.ts'
import { wireOpenOrder } from '../live/order-texts.ts'
import { settledSums, type SettledSums } from '../store/query/option.ts'

export type OrderShown = Pick<WireOrder, 'id' | 'symbol' | 'side' | 'type' | 'status' | 'price' | 'quantity' | 'spend' | 'executed'> & {
  readonly product: 'spot' | 'margin' | 'perp'
  readonly placedAt: number
}

export type PositionShown = Pick<
  WirePosition,
  'id' | 'symbol' | 'side' | 'mode' | 'leverage' | 'quantity' | 'entryPrice' | 'liquidationPrice'
> & {
  /** Null before the first index price, as the result. */
  readonly mark: string | null
  readonly profitUsdt: string | null
}

/**
 * Sums of Second: never an order or a direction. `lossUsdt`: net loss of the UTC day, negative for a gain; `lossMaxUsdt` null: no limit.
 */
export type SecondSums = {
  readonly openStakesUsdt: string
  readonly lossUsdt: string
  readonly lossMaxUsdt: string | null
  readonly coolOffUntil: number | null
  readonly settled: SettledSums
}

/** A customer's money now. Fees are in percent. */
export type Money = {
  readonly worthUsdt: string
  readonly volumeUsdt: string
  readonly tier: number
  readonly makerFee: string
  readonly takerFee: string
  readonly ceiling: LeverageCeiling | null
  readonly accounts: readonly WireAccount[]
  readonly orders: readonly OrderShown[]
  readonly orderCount: number
  readonly positions: readonly PositionShown[]
  readonly loans: readonly Loan[]
  readonly sums: SecondSums
}

type Parts = Pick<Context, 'ask' | 'pool' | 'listing' | 'data' | 'now'>

const shownMax = 50
const usdtDigits = 6
const settledMs = 30 * 86_400_000

export async function moneyOf(context: Parts, user: UserId): Promise<Money> {
  const { ask, listing, pool } = context
  const [holdings, orders, { volume, tier }, standing, settled] = await Promise.all([
    holdingsOf(context, user),
    ask.openOrders(user),
    ask.tier(user),
    ask.optionMe(user),
    settledSums(pool, user, context.now() - settledMs),
  ])
  const fees = listing.fees[tier]
  return {
    worthUsdt: usdtText(netUsdt(context, holdings)),
    volumeUsdt: usdt(volume),
    ...{ tier, makerFee: percent(fees?.makerPpm ?? 0), takerFee: percent(fees?.takerPpm ?? 0), ceiling: holdings.perp.ceiling },
    accounts: wireAccounts(context, holdings),
    orders: orders
      .toSorted((a, b) => b.placedAt - a.placedAt)
      .slice(0, shownMax)
      .map((order) => shownOrder(wireOpenOrder(listing, order))),
    orderCount: orders.length,
    positions: positionsOf(context, holdings),
    loans: loansOf(context, holdings),
    sums: sumsOf(standing, settled),
  }
}

function shownOrder(order: WireOrder): OrderShown {
  const { id, symbol, side, type, status, price, quantity, spend, executed, placedAt } = order
  const product = order.perp !== undefined ? 'perp' : order.margin !== undefined ? 'margin' : 'spot'
  return {
    ...{ product, id, symbol, side, type, status, executed, placedAt },
    ...(price === undefined ? {} : { price }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(spend === undefined ? {} : { spend }),
  }
}

function positionsOf({ listing, data }: Parts, { perp }: Holdings): readonly PositionShown[] {
  return perp.positions.map((position) => {
    const { id, symbol, side, mode, leverage, quantity, entryPrice, liquidationPrice } = wirePosition(listing, position, position.adlRank)
    const market = listing.market(position.market)
    const mark = data.contracts.mark(position.market) as Ticks | undefined
    const profit = mark === undefined ? null : unrealised(position.lots, position.cost, mark, market.market.quotePerTickLot)
    return {
      ...{ id, symbol, side, mode, leverage, quantity, entryPrice, liquidationPrice },
      mark: mark === undefined ? null : priceText(market, mark),
      profitUsdt: profit === null ? null : formatUnits(profit, usdtDigits),
    }
  })
}

function loansOf({ listing }: Parts, { margin }: Holdings): readonly Loan[] {
  return margin.flatMap(({ market, balances, levelPpm }) =>
    balances
      .filter(({ principal, interest }) => principal + interest > 0)
      .map(({ asset: id, principal, interest }) => {
        const asset = listing.asset(id)
        return {
          kind: market === 0 ? 'margin-cross' : 'margin-isolated',
          symbol: market === 0 ? null : listing.market(market).market.symbol,
          asset: asset.symbol,
          principal: amountText(asset, principal),
          interest: amountText(asset, interest),
          level: levelPpm === null ? null : formatFixed(Math.floor(levelPpm / 10_000), 2),
        }
      }),
  )
}

function sumsOf({ openStakes, loss, lossMax, coolOffUntil }: OptionStanding, settled: SettledSums): SecondSums {
  return {
    ...{ openStakesUsdt: usdt(openStakes), lossUsdt: usdt(loss), lossMaxUsdt: lossMax === 0 ? null : usdt(lossMax) },
    ...{ coolOffUntil: coolOffUntil === 0 ? null : coolOffUntil, settled },
  }
}

const usdt = (units: Units): string => formatUnits(units, usdtDigits)
const percent = (ppm: number): string => formatUnits(ppm, 4)
