/** A perp account in the core's integers, for the calculations of tickets and cards. Sums are in quote units, prices in ticks. */
import type { Decimal, IndexPrice, Lots, Ppm, Units } from '@candor/core/money/brand.ts'
import { mulDivFloor } from '@candor/core/money/mul-div.ts'
import { formatTicks, parseLots, parseTicks, quotePerTickLot } from '@candor/core/money/price.ts'
import { scaleOf } from '@candor/core/money/scale.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import { feePpm } from '@candor/core/risk/orders.ts'
import { indexTicks } from '@candor/core/risk/perp-mark.ts'
import { entryPrice, liquidationPrice, maintenanceMargin, positionValue, tierOfPosition, unrealised } from '@candor/core/risk/perp.ts'
import type { MarginMode } from '@candor/core/protocol/command/perp.ts'
import type { PerpTerms, RiskTier } from '@candor/core/protocol/market.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireMark, WirePerpAccount, WirePosition } from '@candor/core/protocol/wire/perp.ts'
import type { WireLeverageCeiling } from '@candor/core/protocol/wire/user.ts'

/** Index prices have eight decimals. */
const indexDigits = 8

/** Scales and terms of a perp market. */
export type Scales = {
  readonly market: WireMarket
  readonly quoteScale: number
  readonly perTickLot: number
  readonly tiers: readonly RiskTier[]
  /** The user’s own rates. Orders hold the fee at the market’s rate. */
  readonly makerPpm: Ppm
  readonly takerPpm: Ppm
}

/** A position; long if lots are above zero. */
export type Held = {
  readonly lots: number
  readonly cost: number
  readonly margin: number
  readonly mode: MarginMode
  readonly leverage: number
}

/** Value that the caps leave for opening orders: that of the market, and those of the user by direction. */
export type Room = { readonly left: number; readonly buy: number; readonly sell: number }

export type Risks = Scales & {
  /** Available for orders; undefined for a visitor. */
  readonly available: number | undefined
  readonly markTicks: number | undefined
  /** The index from which the worst price of market orders and stops is measured; undefined if it is bad. */
  readonly protectionTicks: number | undefined
  readonly leverage: number
  readonly mode: MarginMode
  readonly isHedge: boolean
  readonly long: Held | undefined
  readonly short: Held | undefined
  /** In a cross account: the margin for this market's positions, less the needs of other markets. */
  readonly crossBase: number
  /** Undefined for a visitor. */
  readonly room: Room | undefined
  /** Highest leverage of the user in this market. */
  readonly leverageMax: number
  readonly ceiling: WireLeverageCeiling | null
}

/** `feeTier`: the user’s in Futures. */
export function scalesOf(config: WireConfig, market: WireMarket, feeTier = 0): Scales {
  const quoteScale = scaleOf(config.assets, market.quote)
  const tiers = (market.perp?.tiers ?? []).map((tier) => ({
    valueMax: (parseUnits(tier.valueMax, quoteScale) ?? 0) as Units,
    initialPpm: tier.initialPpm as Ppm,
    maintenancePpm: tier.maintenancePpm as Ppm,
  }))
  const perTickLot = quotePerTickLot(market.tick, market.lot, quoteScale) ?? 1
  const { makerPpm = market.makerFeePpm, takerPpm = market.takerFeePpm } = config.perpFeeTiers[feeTier] ?? {}
  return {
    ...{ market, quoteScale, perTickLot, tiers },
    makerPpm: feePpm(market.makerFeePpm as Ppm, feeTier, makerPpm as Ppm),
    takerPpm: feePpm(market.takerFeePpm as Ppm, feeTier, takerPpm as Ppm),
  }
}

/** The part of a market's terms that `leverageAllowed` reads. */
export function leverageTerms({ tiers, market }: Scales): PerpTerms {
  return { tiers, leverageMax: market.perp?.leverageMax ?? 1 } as unknown as PerpTerms
}

export function heldOf(position: WirePosition, { market, quoteScale }: Scales): Held {
  const lots = parseLots(position.quantity, market.lot) ?? 0
  return {
    lots: position.side === 'buy' ? lots : -lots,
    cost: parseUnits(position.value, quoteScale) ?? 0,
    margin: parseUnits(position.margin, quoteScale) ?? 0,
    mode: position.mode,
    leverage: position.leverage,
  }
}

/** Profit, loss and margin needs of a position at its mark price. */
export type Standing = {
  readonly profit: Decimal
  /** Return on the initial margin in percent, with two digits, rounded down. */
  readonly roe: Decimal
  readonly entry: Decimal
  readonly value: Decimal
  readonly maintenance: Decimal
  /** Maintenance margin ÷ equity in percent, 0 to 100; at 100 the position is liquidated. Undefined for cross positions. */
  readonly ratio: number | undefined
  /** Distance between mark and liquidation price, in percent of the mark price; undefined without a liquidation price. */
  readonly distance: number | undefined
}

/** The state of a position at its mark price. Undefined while the mark price is unknown. */
export function standingOf(position: WirePosition, mark: WireMark | undefined, scales: Scales): Standing | undefined {
  const { market, quoteScale, perTickLot, tiers } = scales
  const ticks = mark === undefined ? undefined : parseTicks(mark.mark, market.tick)
  if (ticks === undefined) return undefined
  const { lots, cost, margin } = heldOf(position, scales)
  const profit = unrealised(lots as Lots, cost as Units, ticks, perTickLot)
  const value = positionValue(lots as Lots, ticks, perTickLot)
  const maintenance = tiers.length === 0 ? 0 : maintenanceMargin(value, tierOfPosition(tiers, cost as Units).maintenancePpm)
  const equity = margin + profit
  const liquidation = position.liquidationPrice === null ? undefined : parseTicks(position.liquidationPrice, market.tick)
  const bases = cost === 0 ? 0 : mulDivFloor(profit, position.leverage * 10_000, cost)
  return {
    profit: formatUnits(profit, quoteScale),
    roe: formatUnits(bases, 2),
    entry: position.entryPrice,
    value: formatUnits(value, quoteScale),
    maintenance: formatUnits(maintenance, quoteScale),
    ratio: position.mode === 'cross' ? undefined : equity <= 0 ? 100 : Math.min(100, (maintenance * 100) / equity),
    distance: liquidation === undefined ? undefined : (Math.abs(ticks - liquidation) * 100) / ticks,
  }
}

/** Account data for the next order in a market. `marks`: mark price of any perp market, for the value of other cross positions. */
export function risksOf(
  scales: Scales,
  account: WirePerpAccount | undefined,
  setting: { readonly leverage: number; readonly mode: MarginMode },
  marks: (symbol: string) => WireMark | undefined,
  scalesFor: (symbol: string) => Scales | undefined,
): Risks {
  const { market, quoteScale } = scales
  const mark = marks(market.symbol)
  const positions = account?.positions ?? []
  const own = positions.filter((position) => position.symbol === market.symbol)
  const held = (side: 'buy' | 'sell'): Held | undefined => {
    const found = own.find((position) => position.side === side)
    return found === undefined ? undefined : heldOf(found, scales)
  }
  const units = (text: Decimal | undefined): number => parseUnits(text ?? '0', quoteScale) ?? 0
  const interest = account?.interest.find((one) => one.symbol === market.symbol)
  let crossBase = units(account?.available) + units(account?.held)
  for (const position of positions) {
    const theirs = scalesFor(position.symbol)
    if (position.mode === 'isolated') crossBase -= units(position.margin)
    else if (position.symbol !== market.symbol && theirs !== undefined) {
      const standing = standingOf(position, marks(position.symbol), theirs)
      if (standing !== undefined) crossBase += units(standing.profit) - units(standing.maintenance)
    }
  }
  return {
    ...scales,
    ...setting,
    available: account === undefined ? undefined : units(account.available),
    markTicks: mark === undefined ? undefined : parseTicks(mark.mark, market.tick),
    protectionTicks: mark?.isIndexGood === true ? protectionOf(mark.index, market.tick) : undefined,
    isHedge: account?.isHedge ?? false,
    long: held('buy'),
    short: held('sell'),
    crossBase,
    leverageMax: Math.min(market.perp?.leverageMax ?? 1, account?.ceiling?.leverage ?? Infinity),
    ceiling: account?.ceiling ?? null,
    room: interest && { left: units(interest.left), buy: units(interest.buy), sell: units(interest.sell) },
  }
}

/** An index price in ticks, rounded like in the core's protection prices. */
function protectionOf(index: string, tick: string): number {
  return indexTicks((parseUnits(index, indexDigits) ?? 0) as number as IndexPrice, parseUnits(tick, indexDigits) ?? 1)
}

/** Liquidation price of a position in ticks; undefined if it has none. `behind`: its own margin, or that of the cross account for it. */
export function liquidationAt(lots: number, cost: number, behind: number, scales: Scales): number | undefined {
  if (scales.tiers.length === 0) return undefined
  const ticks = liquidationPrice(
    lots as Lots,
    cost as Units,
    behind as Units,
    tierOfPosition(scales.tiers, cost as Units).maintenancePpm,
    scales.perTickLot,
  )
  return ticks === 0 ? undefined : ticks
}

/** Entry price as text with the market's digits, rounded down. */
export function entryText(lots: Lots | number, cost: number, scales: Scales): Decimal {
  return formatTicks(entryPrice(lots as Lots, cost as Units, scales.perTickLot), scales.market.tick)
}
