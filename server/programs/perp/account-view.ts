/** A Futures account and its positions in the form that programs know. Sums are of the quote asset. */
import type { Lots, Ticks, Units } from '@candor/core/money/brand.ts'
import { formatFixed, formatUnits } from '@candor/core/money/units.ts'
import type { MarginMode } from '@candor/core/protocol/command/perp.ts'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import type { PerpTerms } from '@candor/core/protocol/market.ts'
import type { UserTier } from '@candor/core/protocol/market.ts'
import type { PerpAccountView, PerpPosition } from '@candor/core/protocol/port.ts'
import { leverageAllowed, maintenanceMargin, positionValue, tierOfPosition, unrealised } from '@candor/core/risk/perp.ts'
import type { Contracts } from '../../live/contracts.ts'
import { amountText, type ListedMarket, type Listing, priceText, quantityText } from '../../live/listing.ts'
import { programName } from '../../live/program-names.ts'
import { averagePrice, positionWords } from './order-view.ts'

/** A position valued at the mark. */
export type Valued = {
  readonly market: ListedMarket
  readonly position: PerpPosition
  readonly mark: number
  /** In quote units: value at the mark, never below zero; profit or loss; maintenance margin. */
  readonly value: number
  readonly profit: number
  readonly maintenance: number
  /** Margin and value of the market's open orders on the same side. */
  readonly ordersMargin: number
  readonly buys: number
  readonly sells: number
}

/** Every position of an account, with the orders beside it. */
export function valuedOf(listing: Listing, contracts: Contracts, account: PerpAccountView): readonly Valued[] {
  return account.positions.map((position) => valued(listing, contracts, account, position))
}

function valued(listing: Listing, contracts: Contracts, account: PerpAccountView, position: PerpPosition): Valued {
  const market = listing.market(position.market)
  const q = market.market.quotePerTickLot
  const { tiers } = market.market.perp as PerpTerms
  const mark = contracts.mark(position.market) ?? 0
  const value = positionValue(position.lots, mark as Ticks, q)
  const maintenance = maintenanceMargin(value, tierOfPosition(tiers, position.cost).maintenancePpm)
  const profit = unrealised(position.lots, position.cost, mark as Ticks, q)
  return { market, position, mark, value, profit, maintenance, ...besides(account, position) }
}

/** Open orders in the market and on the side of a position, whether or not there is one. */
function besides({ orders }: PerpAccountView, { market, side }: Pick<PerpPosition, 'market' | 'side'>) {
  const found = orders.find((one) => one.market === market && one.side === side)
  return { ordersMargin: found?.margin ?? 0, buys: found?.buys ?? 0, sells: found?.sells ?? 0 }
}

/** Largest position value in quote units at a leverage: that of the largest tier that allows it. */
export function valueMaxOf(terms: PerpTerms, leverage: number): Units {
  let most = 0
  for (const { valueMax } of terms.tiers) if (leverageAllowed(terms, valueMax) >= leverage) most = Math.max(most, valueMax)
  return most as Units
}

type Sums = {
  readonly wallet: number
  readonly profit: number
  readonly maintenance: number
  readonly margin: number
  readonly crossWallet: number
  readonly crossProfit: number
  readonly ordersMargin: number
}

/** Every held unit is the margin of a position or of open orders. */
function sumsOf(account: PerpAccountView, positions: readonly Valued[]): Sums {
  let [profit, maintenance, margin, isolated, crossProfit] = [0, 0, 0, 0, 0]
  for (const { position, ...worth } of positions) {
    profit += worth.profit
    maintenance += worth.maintenance
    margin += position.margin
    if (position.mode === 'isolated') isolated += position.margin
    else crossProfit += worth.profit
  }
  const wallet = account.available + account.held
  return { wallet, profit, maintenance, margin, crossWallet: wallet - isolated, crossProfit, ordersMargin: account.held - margin }
}

/** Amount for new orders: the available balance, less losses of cross positions. */
const usable = ({ available }: PerpAccountView, { crossProfit }: Sums): number => Math.max(0, available + Math.min(0, crossProfit))

/** `at`: time of the answer; clients do not accept 0. `asV2`: the user's tier, for an answer of version 2. */
export function accountView(
  listing: Listing,
  account: PerpAccountView,
  positions: readonly Valued[],
  at: number,
  asV2: UserTier | undefined,
): object {
  const isV2 = asV2 !== undefined
  const asset = listing.assetNamed('USDT')
  const text = (units: number) => amountText(asset, units as Units)
  const sums = sumsOf(account, positions)
  const initial = sums.margin + sums.ordersMargin
  const available = usable(account, sums)
  const shown = isV2 ? everyPosition(listing, account, positions) : positions
  return {
    ...(isV2
      ? {
          ...{ feeTier: asV2.tier, feeBurn: false, canTrade: true, canDeposit: true, canWithdraw: true, updateTime: at },
          ...{ multiAssetsMargin: false, tradeGroupId: -1 },
        }
      : {}),
    totalInitialMargin: text(initial),
    totalMaintMargin: text(sums.maintenance),
    totalWalletBalance: text(sums.wallet),
    totalUnrealizedProfit: text(sums.profit),
    totalMarginBalance: text(sums.wallet + sums.profit),
    totalPositionInitialMargin: text(sums.margin),
    totalOpenOrderInitialMargin: text(sums.ordersMargin),
    totalCrossWalletBalance: text(sums.crossWallet),
    totalCrossUnPnl: text(sums.crossProfit),
    availableBalance: text(available),
    maxWithdrawAmount: text(account.transferable),
    assets: [
      {
        asset: asset.symbol,
        walletBalance: text(sums.wallet),
        unrealizedProfit: text(sums.profit),
        marginBalance: text(sums.wallet + sums.profit),
        maintMargin: text(sums.maintenance),
        initialMargin: text(initial),
        positionInitialMargin: text(sums.margin),
        openOrderInitialMargin: text(sums.ordersMargin),
        crossWalletBalance: text(sums.crossWallet),
        crossUnPnl: text(sums.crossProfit),
        availableBalance: text(available),
        maxWithdrawAmount: text(account.transferable),
        marginAvailable: true,
        updateTime: at,
      },
    ],
    positions: shown.map((one) => accountPosition(one, at, isV2)),
  }
}

export function balanceView(listing: Listing, account: PerpAccountView, positions: readonly Valued[], alias: string, at: number): object {
  const asset = listing.assetNamed('USDT')
  const text = (units: number) => amountText(asset, units as Units)
  const sums = sumsOf(account, positions)
  return {
    accountAlias: alias,
    asset: asset.symbol,
    balance: text(sums.wallet),
    crossWalletBalance: text(sums.crossWallet),
    crossUnPnl: text(sums.crossProfit),
    availableBalance: text(usable(account, sums)),
    maxWithdrawAmount: text(account.transferable),
    marginAvailable: true,
    updateTime: at,
  }
}

function accountPosition(one: Valued, at: number, isV2: boolean): object {
  const { market, position, profit, maintenance, value, ordersMargin, buys, sells } = one
  const text = (units: number) => amountText(market.quote, units as Units)
  const isIsolated = position.mode === 'isolated'
  const notional = text(position.lots < 0 ? -value : value)
  const shared = {
    symbol: programName(market),
    positionSide: positionWords[position.side],
    positionAmt: signedQuantity(market, position.lots),
    unrealizedProfit: text(profit),
    isolatedMargin: isIsolated ? text(position.margin + profit) : '0',
    notional,
    isolatedWallet: isIsolated ? text(position.margin) : '0',
    initialMargin: text(position.margin + ordersMargin),
    maintMargin: text(maintenance),
    updateTime: position.lots === 0 ? 0 : at,
  }
  if (!isV2) return shared
  return {
    ...shared,
    positionInitialMargin: text(position.margin),
    openOrderInitialMargin: text(ordersMargin),
    leverage: String(position.leverage),
    isolated: isIsolated,
    entryPrice: averagePrice(market, position.cost, position.lots),
    breakEvenPrice: breakEven(market, position),
    maxNotional: amountText(market.quote, valueMaxOf(market.market.perp as PerpTerms, position.leverage)),
    bidNotional: text(buys),
    askNotional: text(sells),
    isAutoAddMargin: false,
  }
}

/** A position as `positionRisk` lists it. Version 2 includes its settings. */
export function positionRisk(one: Valued, at: number, isV2: boolean): object {
  const { market, position, mark, profit, maintenance, value, ordersMargin, buys, sells } = one
  const text = (units: number) => amountText(market.quote, units as Units)
  const isIsolated = position.mode === 'isolated'
  const shared = {
    symbol: programName(market),
    positionSide: positionWords[position.side],
    positionAmt: signedQuantity(market, position.lots),
    entryPrice: averagePrice(market, position.cost, position.lots),
    breakEvenPrice: breakEven(market, position),
    markPrice: priceText(market, mark as Ticks),
    unRealizedProfit: text(profit),
    liquidationPrice: position.liquidationPrice === 0 ? '0' : priceText(market, position.liquidationPrice),
    isolatedMargin: isIsolated ? text(position.margin + profit) : '0',
    notional: text(position.lots < 0 ? -value : value),
    isolatedWallet: isIsolated ? text(position.margin) : '0',
    updateTime: position.lots === 0 ? 0 : at,
  }
  if (isV2) {
    return {
      ...shared,
      leverage: String(position.leverage),
      marginType: isIsolated ? 'isolated' : 'cross',
      maxNotionalValue: amountText(market.quote, valueMaxOf(market.market.perp as PerpTerms, position.leverage)),
      isAutoAddMargin: 'false',
    }
  }
  return {
    ...shared,
    marginAsset: market.quote.symbol,
    initialMargin: text(position.margin + ordersMargin),
    maintMargin: text(maintenance),
    positionInitialMargin: text(position.margin),
    openOrderInitialMargin: text(ordersMargin),
    adl: position.adlRank - 1,
    bidNotional: text(buys),
    askNotional: text(sells),
  }
}

/** Open positions, and an empty one for each market and side that has none, with the settings that a new one would get. */
export function everyPosition(listing: Listing, account: PerpAccountView, positions: readonly Valued[]): readonly Valued[] {
  const sides = account.isHedge ? (['long', 'short'] as const) : (['both'] as const)
  return account.settings.flatMap(({ market: id, leverage, mode }) => {
    const market = listing.market(id)
    return sides.map(
      (side) =>
        positions.find(({ position }) => position.market === id && position.side === side) ?? {
          ...{ market, mark: 0, value: 0, profit: 0, maintenance: 0, ...besides(account, { market: id, side }) },
          position: emptyPosition(id, side, leverage, mode),
        },
    )
  })
}

function emptyPosition(market: MarketId, side: PerpPosition['side'], leverage: number, mode: MarginMode): PerpPosition {
  return {
    ...{ position: 0, user: 0, market, side, mode, leverage, lots: 0, cost: 0, margin: 0, liquidationPrice: 0 },
    ...{ realised: 0, fees: 0, funding: 0, openedAt: 0, adlRank: 1 },
  } as unknown as PerpPosition
}

function signedQuantity(market: ListedMarket, lots: number): string {
  const size = quantityText(market, Math.abs(lots) as Lots)
  return lots < 0 ? `-${size}` : size
}

/**
 * Price at which closing the position would give neither profit nor loss since it was opened, fees and funding so far included.
 *
 *   long  (cost − realised + fees − funding) ÷ size        short  (cost + realised − fees + funding) ÷ size
 *
 * Rounded to the nearest with 8 digits; 0 where earnings cover the whole cost.
 */
function breakEven(market: ListedMarket, { lots, cost, realised, fees, funding }: PerpPosition): string {
  const earned = realised - fees + funding
  return averagePrice(market, Math.max(0, lots < 0 ? cost + earned : cost - earned), lots)
}

/** Risk tiers of a Futures market. Maintenance is a rate of the whole value, so nothing is subtracted: `cum` is 0. */
export function bracketsOf({ market, quote }: ListedMarket): readonly object[] {
  const terms = market.perp as PerpTerms
  return terms.tiers.map(({ valueMax, maintenancePpm }, at) => ({
    bracket: at + 1,
    initialLeverage: leverageAllowed(terms, valueMax),
    notionalCap: Number(formatUnits(valueMax, quote.scale)),
    notionalFloor: Number(formatUnits(terms.tiers[at - 1]?.valueMax ?? 0, quote.scale)),
    maintMarginRatio: maintenancePpm / 1_000_000,
    cum: 0,
  }))
}

/** A rate in ppm as a fraction. */
export const rateText = (ppm: number): string => formatFixed(ppm, 6)
