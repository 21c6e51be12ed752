import { recordTypes, type WireBalances, type WireFaucet, type WireRecord, type WireTransfer } from '@candor/core/protocol/wire/funds.ts'
import { z } from 'zod'
import { accountKind, asset, clientId, decimal, decimalOut, millis } from '../../http/schema.ts'

export const balances = z
  .strictObject({
    accounts: z
      .array(
        z.strictObject({
          kind: accountKind,
          balances: z.array(z.strictObject({ asset, available: decimalOut, held: decimalOut })).readonly(),
        }),
      )
      .readonly(),
    totalUsdt: decimalOut,
    todayProfitUsdt: decimalOut.nullable(),
  })
  .meta({ id: 'Balances' }) satisfies z.ZodType<WireBalances>

export const transfer = z
  .strictObject({ clientId, asset, from: accountKind, to: accountKind, amount: decimal })
  .meta({ id: 'Transfer' }) satisfies z.ZodType<WireTransfer>

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
    status: z.literal('completed'),
    time: millis,
    symbol: z.string().exactOptional(),
    orderId: z.string().exactOptional(),
  })
  .meta({ id: 'Record' }) satisfies z.ZodType<WireRecord>
