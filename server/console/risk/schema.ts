import { z } from 'zod'
import { millis } from '../../http/schema.ts'

const text = z.string()
const seq = z.int()

export const market = z.strictObject({
  ...{ symbol: text, phase: text.nullable(), mark: text.nullable(), longs: z.int(), shorts: z.int(), quantity: text },
  ...{ openInterest: text, limit: text, largest: text, markedAt: millis.nullable() },
})
export const position = z.strictObject({
  ...{ uid: text, position: text, symbol: text, side: z.enum(['long', 'short']), mode: text, leverage: z.int(), quantity: text },
  ...{ value: text.nullable(), margin: text, mark: text.nullable(), liquidation: text.nullable(), distance: text.nullable() },
})
export const liquidation = z.strictObject({
  ...{ seq, line: z.int(), at: millis, product: z.enum(['perp', 'margin']), uid: text, account: text, closed: text },
  ...{ mark: text.nullable(), fee: text, insured: text },
})
export const deleverage = z.strictObject({
  ...{ seq, line: z.int(), at: millis, symbol: text, bankrupt: text, uid: text, quantity: text, level: text },
})
export const fund = z.strictObject({ fund: text, asset: text, balance: text })
export const fundDay = z.strictObject({ day: text, asset: text, balance: text })
export const pool = z.strictObject({
  ...{ asset: text, supplied: text, borrowed: text, queued: text, utilization: text, hourlyRate: text, earnRate: text },
  ...{ isStopped: z.boolean() },
})
export const collateral = z.strictObject({ asset: text, perp: text, cross: text, isolated: text, owed: text })
export const timed = z.strictObject({ symbol: text, orders: z.int(), stakes: text, payouts: text, isPaused: z.boolean().nullable() })
const house = z.strictObject({ isOpen: z.boolean(), fund: text, floor: text, perMarket: text, total: text })

export const risk = z.strictObject({
  tables: z.strictObject({ seq, at: millis }),
  markets: z.array(market).readonly(),
  largest: z.array(position).readonly(),
  closest: z.array(position).readonly(),
  liquidations: z.array(liquidation).readonly(),
  deleverages: z.array(deleverage).readonly(),
  funds: z.array(fund).readonly(),
  history: z.array(fundDay).readonly(),
  pools: z.array(pool).readonly().nullable(),
  collateral: z.array(collateral).readonly(),
  timed: z.array(timed).readonly(),
  house: house.nullable(),
})
