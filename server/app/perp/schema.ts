import { marginModes, positionSides, triggerPrices } from '@candor/core/protocol/command/perp.ts'
import { perpSelfTradeModes, timesInForce } from '@candor/core/protocol/command/spot.ts'
import { positionEnds } from '@candor/core/protocol/event/perp.ts'
import { marketPhases } from '@candor/core/protocol/market.ts'
import type {
  WireAdjustMargin,
  WireClosedPosition,
  WireFunding,
  WireFundingRate,
  WireInsurance,
  WireLiquidation,
  WireMark,
  WirePerpAccount,
  WirePlacePerp,
  WirePosition,
  WireReverse,
  WireSetHedgeMode,
  WireSetLeverage,
  WireSetMarginMode,
} from '@candor/core/protocol/wire/perp.ts'
import { z } from 'zod'
import { asset, clientId, decimal, decimalOut, leverageCeiling, millis, side, signedDecimal, symbol } from '../../http/schema.ts'
import { exits, trigger } from '../orders/schema.ts'

const mode = z.enum(marginModes)
const position = z.enum(positionSides)

export const placePerp = z
  .strictObject({
    clientId,
    symbol,
    side,
    position: position.exactOptional().meta({ description: 'In hedge mode long or short; otherwise both, or absent.' }),
    type: z.enum(['limit', 'market']),
    timeInForce: z.enum(timesInForce).exactOptional(),
    price: decimal.exactOptional(),
    quantity: decimal.exactOptional(),
    postOnly: z.boolean().exactOptional(),
    reduceOnly: z.boolean().exactOptional(),
    closing: z.boolean().exactOptional().meta({ description: 'Take profit or stop loss of the whole position, without a quantity.' }),
    trigger: trigger.exactOptional(),
    triggerBy: z.enum(triggerPrices).exactOptional(),
    exits: exits.exactOptional(),
    selfTrade: z.enum(perpSelfTradeModes).exactOptional(),
  })
  .meta({ id: 'PlacePerp' }) satisfies z.ZodType<WirePlacePerp>

export const reverse = z.strictObject({ clientId, symbol }).meta({ id: 'Reverse' }) satisfies z.ZodType<WireReverse>

export const setLeverage = z
  .strictObject({ symbol, leverage: z.int().min(1).max(1_000) })
  .meta({ id: 'SetLeverage' }) satisfies z.ZodType<WireSetLeverage>

export const setMarginMode = z.strictObject({ symbol, mode }).meta({ id: 'SetMarginMode' }) satisfies z.ZodType<WireSetMarginMode>

export const setHedgeMode = z.strictObject({ hedge: z.boolean() }).meta({ id: 'SetHedgeMode' }) satisfies z.ZodType<WireSetHedgeMode>

export const adjustMargin = z
  .strictObject({
    clientId,
    symbol,
    position: position.exactOptional(),
    amount: signedDecimal.meta({ description: 'Above zero: into the position; below: out of it.' }),
  })
  .meta({ id: 'AdjustMargin' }) satisfies z.ZodType<WireAdjustMargin>

export const mark = z
  .strictObject({
    symbol,
    mark: decimalOut,
    index: decimalOut,
    fundingRate: decimalOut,
    fundingAt: millis,
    isIndexGood: z.boolean(),
    phase: z.enum(marketPhases),
    time: millis,
  })
  .meta({ id: 'Mark' }) satisfies z.ZodType<WireMark>

const openPosition = z
  .strictObject({
    id: z.string(),
    symbol,
    side,
    position,
    mode,
    leverage: z.int(),
    quantity: decimalOut,
    entryPrice: decimalOut,
    value: decimalOut,
    margin: decimalOut,
    liquidationPrice: decimalOut.nullable(),
    realised: decimalOut,
    fees: decimalOut,
    funding: decimalOut,
    adlRank: z.literal([1, 2, 3, 4, 5]),
    openedAt: millis,
  })
  .meta({ id: 'Position' }) satisfies z.ZodType<WirePosition>

export const perpAccount = z
  .strictObject({
    isHedge: z.boolean(),
    available: decimalOut,
    held: decimalOut,
    transferable: decimalOut,
    settings: z.array(z.strictObject({ symbol, leverage: z.int(), mode })).readonly(),
    positions: z.array(openPosition).readonly(),
    interest: z.array(z.strictObject({ symbol, left: decimalOut, buy: decimalOut, sell: decimalOut })).readonly(),
    ceiling: leverageCeiling.nullable(),
  })
  .meta({ id: 'PerpAccount' }) satisfies z.ZodType<WirePerpAccount>

export const closedPosition = z
  .strictObject({
    id: z.string(),
    symbol,
    side,
    mode,
    leverage: z.int(),
    openPrice: decimalOut,
    openQuantity: decimalOut,
    openAmount: decimalOut,
    totalOpenAmount: decimalOut,
    settlePrice: decimalOut,
    settleProfit: decimalOut,
    realised: decimalOut,
    fees: decimalOut,
    funding: decimalOut,
    result: z.enum(['win', 'loss', 'even']),
    cause: z.enum(positionEnds),
    openedAt: millis,
    completedAt: millis,
    holdingMs: z.int(),
  })
  .meta({ id: 'ClosedPosition' }) satisfies z.ZodType<WireClosedPosition>

export const funding = z
  .strictObject({ id: z.string(), symbol, rate: decimalOut, quantity: decimalOut, amount: decimalOut, time: millis })
  .meta({ id: 'Funding' }) satisfies z.ZodType<WireFunding>

export const fundingRate = z
  .strictObject({ symbol, rate: decimalOut, mark: decimalOut, time: millis })
  .meta({ id: 'FundingRate' }) satisfies z.ZodType<WireFundingRate>

export const insurance = z
  .strictObject({
    asset,
    balance: decimalOut,
    days: z.array(z.strictObject({ day: z.string(), balance: decimalOut })).readonly(),
    inventory: z.array(z.strictObject({ symbol, quantity: decimalOut, cost: decimalOut })).readonly(),
  })
  .meta({ id: 'Insurance' }) satisfies z.ZodType<WireInsurance>

export const liquidation = z
  .strictObject({
    positionId: z.string(),
    symbol,
    steps: z
      .array(
        z.strictObject({
          seq: z.int(),
          time: millis,
          mark: decimalOut,
          index: decimalOut,
          sources: z.array(z.strictObject({ venue: z.string(), price: decimalOut })).readonly(),
          equity: decimalOut,
          maintenance: decimalOut,
          maintenancePpm: z.int(),
          orderId: z.string().nullable(),
          askedQuantity: decimalOut,
          closedQuantity: decimalOut,
          averagePrice: decimalOut.nullable(),
          bankruptcyPrice: decimalOut.nullable(),
          fee: decimalOut,
          insured: decimalOut,
          deleveraged: z.array(z.strictObject({ price: decimalOut, quantity: decimalOut })).readonly(),
          entries: z.array(z.strictObject({ account: z.string(), reason: z.string(), amount: decimalOut, balance: decimalOut })).readonly(),
        }),
      )
      .readonly(),
  })
  .meta({ id: 'Liquidation' }) satisfies z.ZodType<WireLiquidation>
