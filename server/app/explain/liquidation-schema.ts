/** Explanations of liquidations. */
import type { LiquidationExplanation, MarginLiquidationExplanation } from '@candor/core/protocol/wire/explain/liquidation.ts'
import { z } from 'zod'
import { decimalOut, millis, side } from '../../http/schema.ts'

const parts = z.array(z.strictObject({ price: decimalOut, quantity: decimalOut })).readonly()
const cancelled = z.array(z.string()).readonly()
const omitted = z.int().meta({ description: 'Commands in the middle that are left out.' })

const position = z.strictObject({
  symbol: z.string(),
  positionId: z.string(),
  side: z.enum(['long', 'short']),
  quantity: decimalOut,
  entry: decimalOut,
  mark: decimalOut,
  profit: decimalOut,
  margin: decimalOut,
  maintenance: decimalOut,
  maintenancePpm: z.int(),
})
const state = z.strictObject({
  balance: decimalOut.meta({ description: 'Free balance, which counts in cross mode only.' }),
  positions: z.array(position).readonly(),
  equity: decimalOut,
  maintenance: decimalOut,
})
const trigger = z.strictObject({
  symbol: z.string(),
  markBefore: decimalOut.exactOptional(),
  mark: decimalOut,
  index: decimalOut,
  due: decimalOut.exactOptional().meta({ description: 'Mark price at which the position was due.' }),
  sources: z.array(z.strictObject({ venue: z.string(), price: decimalOut })).readonly(),
})
const step = z.strictObject({
  symbol: z.string(),
  positionId: z.string(),
  mark: decimalOut,
  equity: decimalOut,
  maintenance: decimalOut,
  bankruptcyPrice: decimalOut.exactOptional(),
  orderId: z.string().exactOptional(),
  asked: decimalOut,
  closed: decimalOut,
  fills: parts,
  takenOver: parts,
  deleveraged: parts,
  realised: decimalOut,
  fee: decimalOut,
  insured: decimalOut,
  left: decimalOut,
  equityAfter: decimalOut,
  maintenanceAfter: decimalOut,
})
export const liquidation = z.strictObject({
  symbol: z.string(),
  positionId: z.string(),
  mode: z.enum(['cross', 'isolated']),
  stages: z
    .array(
      z.strictObject({
        seq: z.int(),
        at: millis,
        cancelled,
        trigger: trigger.exactOptional(),
        before: state.exactOptional(),
        steps: z.array(step).readonly(),
      }),
    )
    .readonly(),
  omitted,
  end: state,
}) satisfies z.ZodType<LiquidationExplanation>

const sums = z.array(z.strictObject({ asset: z.string(), amount: decimalOut })).readonly()
const totals = { assets: decimalOut, debt: decimalOut, level: decimalOut.exactOptional() }
const worth = z.strictObject({
  coins: z
    .array(
      z.strictObject({
        asset: z.string(),
        price: decimalOut,
        quantity: decimalOut,
        value: decimalOut,
        owed: decimalOut,
        owedValue: decimalOut,
      }),
    )
    .readonly(),
  ordersLoss: decimalOut,
  ...totals,
})
const marginStep = z.strictObject({
  by: z.enum(['order', 'takeOver', 'fund']),
  orders: z
    .array(z.strictObject({ symbol: z.string(), orderId: z.string(), side, fills: parts, fee: decimalOut, feeAsset: z.string() }))
    .readonly(),
  before: z.strictObject(totals),
  liquidationLevel: decimalOut,
  repaid: sums,
  fee: decimalOut,
  insured: decimalOut,
  after: z.strictObject(totals),
})
export const marginLiquidation = z.strictObject({
  symbol: z.string().exactOptional(),
  stages: z
    .array(
      z.strictObject({
        seq: z.int(),
        at: millis,
        trigger: z.strictObject({ liquidationLevel: decimalOut, worth }).exactOptional(),
        cancelled,
        repaid: sums,
        steps: z.array(marginStep).readonly(),
      }),
    )
    .readonly(),
  omitted,
  end: worth,
}) satisfies z.ZodType<MarginLiquidationExplanation>
