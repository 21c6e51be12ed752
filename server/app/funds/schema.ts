import {
  recordTypes,
  type WireBalances,
  type WireFaucet,
  type WireCost,
  type WireProfit,
  type WireRecord,
  type WireRecordSum,
  type WireTransfer,
  type WireTransferPreview,
} from '@candor/core/protocol/wire/funds.ts'
import { z } from 'zod'
import { accountKind, asset, clientId, decimal, decimalOut, millis, queryMillis, symbol } from '../../http/schema.ts'

/** Balances by kind of account. */
export const accounts = z
  .array(
    z.strictObject({
      kind: accountKind,
      symbol: symbol.exactOptional(),
      balances: z.array(z.strictObject({ asset, available: decimalOut, held: decimalOut })).readonly(),
      unrealisedUsdt: decimalOut.exactOptional(),
      debtUsdt: decimalOut.exactOptional(),
    }),
  )
  .readonly()

export const balances = z
  .strictObject({
    accounts,
    totalUsdt: decimalOut,
    todayProfitUsdt: decimalOut.nullable(),
  })
  .meta({ id: 'Balances' }) satisfies z.ZodType<WireBalances>

export const transfer = z
  .strictObject({ clientId, asset, from: accountKind, to: accountKind, symbol: symbol.exactOptional(), amount: decimal })
  .meta({ id: 'Transfer' }) satisfies z.ZodType<WireTransfer>

const transferEffect = z.strictObject({
  level: decimalOut.nullable(),
  liquidations: z.array(z.strictObject({ symbol, price: decimalOut.nullable() })).readonly(),
})

export const transferPreview = z
  .strictObject({ available: decimalOut, max: decimalOut, before: transferEffect, after: transferEffect })
  .meta({ id: 'TransferPreview' }) satisfies z.ZodType<WireTransferPreview>

export const profit = z
  .strictObject({
    days: z.array(z.strictObject({ day: z.string(), totalUsdt: decimalOut.nullable(), profitUsdt: decimalOut.nullable() })).readonly(),
  })
  .meta({ id: 'Profit' }) satisfies z.ZodType<WireProfit>

export const costs = z
  .array(
    z
      .strictObject({
        ...{ asset, quantity: decimalOut, average: decimalOut.nullable(), cost: decimalOut, realised: decimalOut },
        ...{ debt: decimalOut, debtCost: decimalOut },
      })
      .meta({ id: 'Cost' }) satisfies z.ZodType<WireCost>,
  )
  .readonly()

export const faucet = z.strictObject({ clientId, asset }).meta({ id: 'Faucet' }) satisfies z.ZodType<WireFaucet>

export const recordType = z.enum(recordTypes)

export const record = z
  .strictObject({
    id: z.string(),
    type: recordType,
    account: accountKind,
    asset,
    amount: decimalOut,
    balance: decimalOut,
    released: decimalOut.exactOptional(),
    status: z.literal('completed'),
    time: millis,
    symbol: z.string().exactOptional(),
    orderId: z.string().exactOptional(),
  })
  .meta({ id: 'Record' }) satisfies z.ZodType<WireRecord>

export const recordSum = z
  .strictObject({ asset, in: decimalOut, out: decimalOut })
  .meta({ id: 'RecordSum' }) satisfies z.ZodType<WireRecordSum>

/** Which records are meant: by type, asset, account and time. */
export const recordFilter = {
  type: recordType.exactOptional(),
  asset: asset.exactOptional(),
  account: accountKind.exactOptional(),
  from: queryMillis.exactOptional(),
  to: queryMillis.exactOptional(),
} as const
