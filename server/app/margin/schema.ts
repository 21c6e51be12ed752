import { loanCauses, marginStates } from '@candor/core/protocol/event/margin.ts'
import type {
  WireBorrow,
  WireLoanBalance,
  WireLoanRecord,
  WireMarginAccount,
  WireMarginAccounts,
  WireMarginLiquidation,
  WireMarginTerms,
  WireRepay,
} from '@candor/core/protocol/wire/margin.ts'
import { z } from 'zod'
import { asset, clientId, decimal, decimalOut, leverageCeiling, millis, symbol } from '../../http/schema.ts'

export const marginTerms = z
  .strictObject({
    isOpen: z.boolean(),
    tiers: z.array(z.strictObject({ loanMax: decimalOut, leverage: z.int(), liquidationLevel: decimalOut })).readonly(),
    isolatedCall: decimalOut,
    crossLeverage: z.int(),
    crossTransfer: decimalOut,
    crossBorrow: decimalOut,
    crossCall: decimalOut,
    crossLiquidation: decimalOut,
    kink: decimalOut,
    borrowStop: decimalOut,
    rateZero: decimalOut,
    rateKink: decimalOut,
    rateFull: decimalOut,
    reserve: decimalOut,
    weights: z.array(z.strictObject({ asset, weight: decimalOut })).readonly(),
    otherWeight: decimalOut,
    cushion: decimalOut,
    userShare: decimalOut,
    loanMin: decimalOut,
    supplyMin: decimalOut,
  })
  .meta({ id: 'MarginTerms' }) satisfies z.ZodType<WireMarginTerms>

const loanBalance = z.strictObject({
  asset,
  available: decimalOut,
  held: decimalOut,
  borrowed: decimalOut,
  interest: decimalOut,
  borrowable: decimalOut,
  orderLoan: decimalOut,
  hourlyRate: decimalOut,
}) satisfies z.ZodType<WireLoanBalance>

export const marginAccount = z
  .strictObject({
    kind: z.enum(['margin-cross', 'margin-isolated']),
    symbol: symbol.exactOptional(),
    balances: z.array(loanBalance).readonly(),
    assetsUsdt: decimalOut,
    debtUsdt: decimalOut,
    level: decimalOut.nullable(),
    state: z.enum(marginStates),
    callLevel: decimalOut,
    liquidationLevel: decimalOut,
    liquidationPrice: decimalOut.nullable(),
    ceiling: leverageCeiling.nullable(),
  })
  .meta({ id: 'MarginAccount' }) satisfies z.ZodType<WireMarginAccount>

export const marginAccounts = z
  .strictObject({ accounts: z.array(marginAccount).readonly() })
  .meta({ id: 'MarginAccounts' }) satisfies z.ZodType<WireMarginAccounts>

const isolated = symbol.exactOptional().meta({ description: 'Market of an isolated account; default: the cross account.' })

export const borrow = z
  .strictObject({ clientId, symbol: isolated, asset, amount: decimal })
  .meta({ id: 'Borrow' }) satisfies z.ZodType<WireBorrow>

export const repay = z
  .strictObject({
    clientId,
    symbol: isolated,
    asset,
    amount: z.union([decimal, z.literal('all')]).meta({ description: '"all": the debt, as far as the balance covers it.' }),
  })
  .meta({ id: 'Repay' }) satisfies z.ZodType<WireRepay>

export const loanRecord = z
  .strictObject({
    id: z.string(),
    symbol: symbol.exactOptional(),
    asset,
    cause: z.enum(loanCauses),
    amount: decimalOut,
    principal: decimalOut,
    interest: decimalOut,
    time: millis,
  })
  .meta({ id: 'LoanRecord' }) satisfies z.ZodType<WireLoanRecord>

export const marginLiquidation = z
  .strictObject({
    id: z.string(),
    symbol: symbol.exactOptional(),
    orderId: z.string().nullable(),
    level: decimalOut,
    liquidationLevel: decimalOut,
    assetsUsdt: decimalOut,
    debtUsdt: decimalOut,
    fee: decimalOut,
    insured: decimalOut,
    time: millis,
  })
  .meta({ id: 'MarginLiquidation' }) satisfies z.ZodType<WireMarginLiquidation>
