import fc from 'fast-check'
import type { ChainCommand } from '../../command/chain.ts'

const safe = fc.maxSafeInteger().map((n) => n + 0)
const count = fc.maxSafeNat()

/** Commands of deposits and withdrawals with any values. */
export const chainCommands: Record<ChainCommand['type'], fc.Arbitrary<object>> = {
  'chain.credit': fc.record({ user: count, network: count, credit: count, asset: count, amount: safe, isFinal: fc.boolean() }),
  'chain.final': fc.record({ network: count, credit: count }),
  'chain.orphan': fc.record({ network: count, credit: count }),
  'chain.repay': fc.record({ user: count, asset: count }),
  'withdraw.setTerms': fc.record({
    asset: count,
    network: count,
    terms: fc.record({ isOpen: fc.boolean(), min: safe, fee: safe, autoMax: safe, singleMax: safe }),
  }),
  'withdraw.request': fc.record({
    user: count,
    clientId: fc.stringMatching(/^[A-Za-z0-9.:/_-]{0,36}$/),
    asset: count,
    network: count,
    amount: safe,
    fee: safe,
    destination: count,
  }),
  'withdraw.cancel': fc.record({ user: count, withdrawal: count }),
  'withdraw.decide': fc.record({
    withdrawal: count,
    isApproved: fc.boolean(),
    first: count,
    second: count,
    reason: fc.stringMatching(/^([ -~]{0,119}[!-~])?$/),
  }),
  'withdraw.finish': fc.record({ withdrawal: count, isPaid: fc.boolean() }),
}
