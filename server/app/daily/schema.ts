import { locales } from '@candor/core/protocol/locales.ts'
import {
  statementLines,
  type WireDailyProfit,
  type WireStatement,
  type WireStatementCoin,
  type WireStatementDebt,
  type WireStatementSums,
  type WireStatementValue,
} from '@candor/core/protocol/wire/days/daily.ts'
import { z } from 'zod'
import { accountKind, asset, decimalOut, millis, symbol } from '../../http/schema.ts'

export const month = z
  .string()
  .regex(/^20[0-9]{2}-(0[1-9]|1[0-2])$/)
  .meta({ title: 'month', description: 'A month by UTC.', examples: ['2026-11'] })

export const day = z
  .string()
  .regex(/^20[0-9]{2}-[0-9]{2}-[0-9]{2}$/)
  // The 31st of a shorter month would be a day of the next.
  .refine((text) => Number.isFinite(Date.parse(text)) && new Date(text).toISOString().startsWith(text))
  .meta({ title: 'day', description: 'A day by UTC.', examples: ['2026-11-27'] })

/** A language of the app. */
export const language = z.enum(locales.map(({ code }) => code))

const amount = decimalOut.nullable()

export const dailyProfit = z
  .strictObject({
    month,
    days: z
      .array(
        z.strictObject({
          ...{ day: z.string(), totalUsdt: amount, profitUsdt: amount },
          accounts: z.strictObject({ spot: amount, perp: amount, margin: amount, option: amount, lend: amount }),
        }),
      )
      .readonly(),
  })
  .meta({ id: 'DailyProfit' }) satisfies z.ZodType<WireDailyProfit>

const lines = z.strictObject(
  Object.fromEntries(statementLines.map((line) => [line, decimalOut])) as { [L in (typeof statementLines)[number]]: typeof decimalOut },
)

const coin = z
  .strictObject({ asset, opening: decimalOut, lines, closing: decimalOut })
  .meta({ id: 'StatementCoin' }) satisfies z.ZodType<WireStatementCoin>

const debt = z
  .strictObject({
    ...{ asset, opening: decimalOut, borrowed: decimalOut, interest: decimalOut, repaid: decimalOut, closing: decimalOut },
  })
  .meta({ id: 'StatementDebt' }) satisfies z.ZodType<WireStatementDebt>

const value = z
  .strictObject({
    ...{ opening: decimalOut, net: decimalOut, transfers: decimalOut, fees: decimalOut, funding: decimalOut, interest: decimalOut },
    ...{ trading: decimalOut, profit: decimalOut, closing: decimalOut },
    openProfit: z.strictObject({ opening: decimalOut, closing: decimalOut }),
    pledged: z.strictObject({ opening: decimalOut, closing: decimalOut }),
  })
  .meta({ id: 'StatementValue' }) satisfies z.ZodType<WireStatementValue>

const sums = { coins: z.array(coin).readonly(), debts: z.array(debt).readonly(), value: value.nullable() }
const price = z
  .strictObject({ price: decimalOut, minute: millis, symbol, isReference: z.boolean(), isPresale: z.boolean() })
  .meta({ id: 'UsedPrice' })

export const statement = z
  .strictObject({
    ...{ day: z.string(), isFinal: z.boolean() },
    accounts: z.array(z.strictObject({ kind: accountKind, symbol: symbol.exactOptional(), ...sums })).readonly(),
    total: z.strictObject(sums) satisfies z.ZodType<WireStatementSums>,
    prices: z.array(z.strictObject({ asset, opening: price.nullable(), closing: price.nullable() })).readonly(),
  })
  .meta({ id: 'DailyStatement' }) satisfies z.ZodType<WireStatement>
