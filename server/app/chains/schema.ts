import {
  depositStates,
  withdrawalStatuses,
  withdrawalSteps,
  type WireChainNetwork,
  type WireDebtRepayment,
  type WireDebts,
  type WireChains,
  type WireDeposit,
  type WireDepositAddress,
  type WireDeposits,
  type WireNetworkCoin,
  type WireNewWithdrawal,
  type WirePreparedWithdrawal,
  type WireTestDeposit,
  type WireWithdrawal,
  type WireWithdrawalWish,
  type WireWithdrawStanding,
  type WireWithdrawTerms,
} from '@candor/core/protocol/wire/chains.ts'
import { z } from 'zod'
import { asset, clientId, cursor, decimal, decimalOut, millis, queryInteger, queryMillis } from '../../http/schema.ts'
import { webAuthn } from '../user/factor-schema.ts'

export const networkName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/)
  .meta({ description: 'The name of a network.', examples: ['tron'] })

export const network = { name: z.string(), label: z.string(), kind: z.enum(['evm', 'tron']) } as const

const withdrawTerms = z
  .strictObject({ isOpen: z.boolean(), min: decimalOut, fee: decimalOut, autoMax: decimalOut, singleMax: decimalOut })
  .meta({ id: 'WithdrawTerms' }) satisfies z.ZodType<WireWithdrawTerms>

const coin = z
  .strictObject({
    asset,
    contract: z.string().exactOptional(),
    depositMin: decimalOut.nullable(),
    withdrawal: withdrawTerms.nullable(),
  })
  .meta({ id: 'NetworkCoin' }) satisfies z.ZodType<WireNetworkCoin>

const chainNetwork = z
  .strictObject({
    ...network,
    ...{ confirmations: z.int().nonnegative(), creditMs: z.int(), finalMs: z.int(), explorer: z.string().nullable() },
    coins: z.array(coin).readonly(),
  })
  .meta({ id: 'ChainNetwork' }) satisfies z.ZodType<WireChainNetwork>

export const chains = z
  .strictObject({
    walletKey: z.string().nullable(),
    walletKeyChanges: z.array(z.strictObject({ from: z.string(), to: z.string(), signature: z.string() })).readonly(),
    hasTestDeposits: z.boolean(),
    networks: z.array(chainNetwork).readonly(),
  })
  .meta({ id: 'Chains' }) satisfies z.ZodType<WireChains>

export const depositAddress = z
  .strictObject({ network: z.string(), address: z.string(), uid: z.string(), signature: z.string() })
  .meta({ id: 'DepositAddress' }) satisfies z.ZodType<WireDepositAddress>

const amount = z.strictObject({ asset, amount: decimalOut })

const deposit = z
  .strictObject({
    ...{ id: z.string(), network: z.string(), asset, amount: decimalOut, state: z.enum(depositStates) },
    ...{ confirmations: z.int().nonnegative(), needed: z.int().nonnegative(), address: z.string(), txid: z.string(), seenAt: millis },
    creditedAt: millis.exactOptional(),
    finalAt: millis.exactOptional(),
    waiting: z.strictObject({ sum: decimalOut, min: decimalOut }).exactOptional(),
  })
  .meta({ id: 'Deposit' }) satisfies z.ZodType<WireDeposit>

export const deposits = z
  .strictObject({ items: z.array(deposit).readonly(), next: cursor.exactOptional(), debts: z.array(amount).readonly() })
  .meta({ id: 'Deposits' }) satisfies z.ZodType<WireDeposits>

export const debtRepayment = z.strictObject({ asset }).meta({ id: 'DebtRepayment' }) satisfies z.ZodType<WireDebtRepayment>
export const debts = z.strictObject({ debts: z.array(amount).readonly() }).meta({ id: 'Debts' }) satisfies z.ZodType<WireDebts>

const page = {
  ...{ asset: asset.exactOptional(), from: queryMillis.exactOptional(), to: queryMillis.exactOptional() },
  ...{ before: cursor.exactOptional(), limit: queryInteger(1, 100).exactOptional() },
} as const
export const depositPage = z.strictObject({ ...page, state: z.enum(depositStates).exactOptional() })
export const withdrawalPage = z.strictObject({ ...page, status: z.enum(withdrawalStatuses).exactOptional() })

export const testDeposit = z
  .strictObject({ network: networkName, asset, amount: decimal })
  .meta({ id: 'TestDeposit' }) satisfies z.ZodType<WireTestDeposit>
export const testSent = z.strictObject({ txid: z.string() })

const withdrawal = z
  .strictObject({
    ...{ id: z.string(), network: z.string(), asset, amount: decimalOut, fee: decimalOut, received: decimalOut, address: z.string() },
    label: z.string().exactOptional(),
    ...{ status: z.enum(withdrawalStatuses), step: z.enum(withdrawalSteps), requestedAt: millis },
    decidedAt: millis.exactOptional(),
    endedAt: millis.exactOptional(),
    reason: z.string().exactOptional(),
    txid: z.string().exactOptional(),
  })
  .meta({ id: 'Withdrawal' }) satisfies z.ZodType<WireWithdrawal>

export const withdrawals = z.strictObject({ items: z.array(withdrawal).readonly(), next: cursor.exactOptional() })

export const withdrawStanding = z
  .strictObject({
    today: z.strictObject({ limit: decimalOut, used: decimalOut }),
    unfinal: z.array(amount).readonly(),
    debts: z.array(amount).readonly(),
    isKeyNeeded: z.boolean(),
  })
  .meta({ id: 'WithdrawStanding' }) satisfies z.ZodType<WireWithdrawStanding>

const wish = {
  ...{ clientId, asset, network: networkName },
  address: z.uuid().meta({ description: 'The id of an address on the customer’s list.' }),
  ...{ amount: decimal, fee: decimal },
} as const
export const withdrawalWish = z.strictObject(wish).meta({ id: 'WithdrawalWish' }) satisfies z.ZodType<WireWithdrawalWish>

export const preparedWithdrawal = z
  .strictObject({
    ...{ address: z.string(), received: decimalOut, people: z.union([z.literal(0), z.literal(1), z.literal(2)]) },
    passkey: webAuthn.exactOptional(),
  })
  .meta({ id: 'PreparedWithdrawal' }) satisfies z.ZodType<WirePreparedWithdrawal>

export const newWithdrawal = z
  .strictObject({
    ...wish,
    paymentPassword: z
      .string()
      .regex(/^[0-9]{6}$/)
      .meta({ description: 'Six digits.', examples: ['248163'] }),
    passkey: webAuthn.exactOptional(),
  })
  .meta({ id: 'NewWithdrawal' }) satisfies z.ZodType<WireNewWithdrawal>

export const withdrawalId = z.strictObject({
  id: z
    .string()
    .regex(/^[1-9][0-9]{0,14}$/)
    .meta({ description: 'The order number of a withdrawal.' }),
})
