import type { IndexPrice, Ticks, Units } from '@candor/core/money/brand.ts'
import { formatFixed } from '@candor/core/money/units.ts'
import { mulDivFloor } from '@candor/core/money/mul-div.ts'
import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { MarginTerms } from '@candor/core/protocol/command/margin.ts'
import type { AssetId, MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { MarginAccount, PerpAccountView, PerpPosition } from '@candor/core/protocol/port.ts'
import type { WireTransferEffect, WireTransferPreview } from '@candor/core/protocol/wire/funds.ts'
import * as margin from '@candor/core/risk/margin.ts'
import * as perp from '@candor/core/risk/perp.ts'
import type { Context } from '../../live/context.ts'
import { amountText, type ListedMarket, priceText } from '../../live/listing.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { type Holdings, holdingsOf } from '../../live/accounts/holdings.ts'

export type Transfer = {
  readonly from: AccountKind
  readonly to: AccountKind
  readonly asset: Asset
  readonly amount: Units
  /** Market of the isolated Margin account, if one side is isolated. */
  readonly market: ListedMarket | undefined
}

type Effect = WireTransferEffect['liquidations'][number]

/**
 * The balance that a transfer would leave, and its effect on positions and loans, computed with the functions by which the core
 * decides.
 */
export async function transferPreview(context: Context, user: UserId, transfer: Transfer): Promise<WireTransferPreview> {
  const [holdings, terms] = await Promise.all([holdingsOf(context, user), context.ask.marginTerms()])
  const available = availableIn(holdings, transfer.from, transfer.asset.id, transfer.market?.market.id)
  const amount = Math.min(transfer.amount, available)
  return {
    available: amountText(transfer.asset, available),
    max: amountText(transfer.asset, maxOf(holdings, transfer, available)),
    before: effect(context, holdings, terms, transfer, 0),
    after: effect(context, holdings, terms, transfer, amount),
  }
}

function availableIn({ balances }: Holdings, kind: AccountKind, asset: AssetId, market: MarketId | undefined): Units {
  const found = balances.find(({ account }) => {
    if (!('user' in account) || account.kind !== kind || account.asset !== asset) return false
    return kind !== 'margin-isolated' || account.market === market
  })
  return found?.available ?? (0 as Units)
}

function marginOf({ margin }: Holdings, kind: AccountKind, market: MarketId | undefined): MarginAccount | undefined {
  if (kind === 'margin-cross') return margin.find((account) => account.market === 0)
  return kind === 'margin-isolated' ? margin.find((account) => account.market === market) : undefined
}

function maxOf(holdings: Holdings, { from, asset, market }: Transfer, available: Units): Units {
  if (from === 'perp') return Math.min(available, holdings.perp.transferable) as Units
  const margin = marginOf(holdings, from, market?.market.id)
  return margin?.balances.find((balance) => balance.asset === asset.id)?.transferable ?? available
}

/** The state after `amount` has moved; 0: the current state. */
function effect(context: Context, holdings: Holdings, terms: MarginTerms | null, transfer: Transfer, amount: number): WireTransferEffect {
  const { from, to, asset } = transfer
  const intoPerp = asset.symbol !== 'USDT' ? 0 : to === 'perp' ? amount : from === 'perp' ? -amount : 0
  const isPerp = from === 'perp' || to === 'perp'
  const kind = isMargin(from) ? from : isMargin(to) ? to : undefined
  const account = kind && marginOf(holdings, kind, transfer.market?.market.id)
  const intoMargin = kind === to ? amount : -amount
  const level = account && terms ? levelOf(context, account, transfer, intoMargin) : null
  const isolated = account && terms && kind === 'margin-isolated' ? isolatedPrice(context, account, terms, transfer, intoMargin) : []
  return { level, liquidations: [...(isPerp ? crossPrices(context, holdings.perp, intoPerp) : []), ...isolated] }
}

function isMargin(kind: AccountKind): boolean {
  return kind === 'margin-cross' || kind === 'margin-isolated'
}

/** Marks at which cross positions are liquidated, each while all others stay the same. */
function crossPrices(context: Context, account: PerpAccountView, more: number): readonly Effect[] {
  const open = account.positions.flatMap((position) => {
    const mark = context.data.contracts.mark(position.market)
    return position.mode === 'cross' && mark !== undefined ? [numbersOf(context, position, mark)] : []
  })
  const equity = open.reduce((sum, { margin: own, profit }) => sum + own + profit, account.available + more)
  const maintenance = open.reduce((sum, one) => sum + one.maintenance, 0)
  return open.map((one) => {
    const cushion = equity - one.profit - (maintenance - one.maintenance)
    const { quotePerTickLot } = one.market.market
    const price = perp.liquidationPrice(one.lots, one.cost, cushion as Units, one.ppm, quotePerTickLot)
    return { symbol: one.market.market.symbol, price: price === 0 ? null : priceText(one.market, price) }
  })
}

function numbersOf({ listing }: Context, { market: id, lots, cost, margin: own }: PerpPosition, mark: number) {
  const market = listing.market(id)
  const { quotePerTickLot, perp: terms } = market.market
  const ppm = perp.tierOfPosition(terms!.tiers, cost).maintenancePpm
  const maintenance = perp.maintenanceMargin(perp.positionValue(lots, mark as Ticks, quotePerTickLot), ppm)
  return { market, lots, cost, margin: own, ppm, maintenance, profit: perp.unrealised(lots, cost, mark as Ticks, quotePerTickLot) }
}

/** Assets ÷ debt with two digits, rounded down; null without debt. */
function levelOf(context: Context, account: MarginAccount, { asset }: Transfer, more: number): string | null {
  if (account.debt === 0) return null
  const value = margin.assetValue(Math.abs(more) as Units, indexValue(context, account, asset))
  const assets = account.assets + (more < 0 ? -value : value)
  return formatFixed(mulDivFloor(Math.max(0, assets), 100, account.debt), 2)
}

/** The price at which the account is valued. */
function indexValue({ listing }: Context, account: MarginAccount, asset: Asset): margin.IndexValue {
  const price = account.balances.find((balance) => balance.asset === asset.id)?.price ?? 0
  return { price: price as IndexPrice, divisor: margin.divisorOf(asset.scale, listing.assetNamed('USDT').scale) }
}

/** Index price of the pair at which an isolated account is liquidated. */
function isolatedPrice(
  context: Context,
  account: MarginAccount,
  terms: MarginTerms,
  { asset, market }: Transfer,
  more: number,
): readonly Effect[] {
  if (!market) return []
  const [base, quote] = [market.base, market.quote]
  const of = (id: AssetId) => account.balances.find((balance) => balance.asset === id)
  const units = (id: AssetId) => ((of(id)?.available ?? 0) + (of(id)?.held ?? 0) + (id === asset.id ? more : 0)) as Units
  const owed = (id: AssetId) => ((of(id)?.principal ?? 0) + (of(id)?.interest ?? 0)) as Units
  const pair = { base: units(base.id), quote: units(quote.id), baseOwed: owed(base.id), quoteOwed: owed(quote.id) }
  const [baseValue, quoteValue] = [indexValue(context, account, base), indexValue(context, account, quote)]
  const values = { baseDivisor: baseValue.divisor, quoteDivisor: quoteValue.divisor, quotePrice: quoteValue.price }
  const price = margin.liquidationPrice(terms, pair, values)
  return [{ symbol: market.market.symbol, price: price === 0 ? null : formatUnits(price, 8) }]
}
