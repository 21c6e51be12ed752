import type { ChainEvent, WithdrawalFacts } from '@candor/core/protocol/event/chain.ts'
import type { ConversionFacts, ConvertEvent } from '@candor/core/protocol/event/convert.ts'
import type { FirmEvent } from '@candor/core/protocol/event/firm.ts'
import type { PresaleEvent } from '@candor/core/protocol/event/presale.ts'
import type { ReferralEvent } from '@candor/core/protocol/event/referral.ts'
import { own, type Tellings } from './told.ts'
import { given, type Words } from './words.ts'

/** What people of the staff are, and why they decided, is the exchange's own; the reason of a refusal is the customer's. */
export const chainTellings: Tellings<ChainEvent> = {
  'deposit.credited': own(({ amount, asset, credit, debt, isFinal, network, repaid }, words) => ({
    ...{ amount: words.sum(amount, asset), asset: words.asset(asset), credit, debt: words.sum(debt, asset), isFinal, network },
    repaid: words.sum(repaid, asset),
  })),
  'deposit.final': own(({ amount, asset, credit, network }, words) => ({
    ...{ amount: words.sum(amount, asset), asset: words.asset(asset), credit, network },
  })),
  'deposit.orphaned': own(({ amount, asset, credit, debt, network, taken }, words) => ({
    ...{ amount: words.sum(amount, asset), asset: words.asset(asset), credit, debt: words.sum(debt, asset), network },
    taken: words.sum(taken, asset),
  })),
  'deposit.repaid': own(({ amount, asset, debt }, words) => ({
    ...{ amount: words.sum(amount, asset), asset: words.asset(asset), debt: words.sum(debt, asset) },
  })),
  'withdrawal.requested': own((event, words) => {
    const { destination, people } = event
    const { amount, asset, ...rest } = withdrawalOf(event, words)
    return { amount, asset, destination, fee: rest.fee, network: rest.network, people, withdrawal: rest.withdrawal }
  }),
  'withdrawal.approved': own(withdrawalOf),
  'withdrawal.rejected': own((event, words) => {
    const { withdrawal, ...rest } = withdrawalOf(event, words)
    return { ...rest, reason: given(event.reason), withdrawal }
  }),
  'withdrawal.cancelled': own(withdrawalOf),
  'withdrawal.paid': own(withdrawalOf),
  'withdrawal.failed': own(withdrawalOf),
  'withdraw.terms': 'public',
}

export const convertTellings: Tellings<ConvertEvent> = {
  'convert.quoted': own((event, words) => {
    const { expiresAt } = event
    return { expiresAt, ...conversionOf(event, words) }
  }),
  'convert.accepted': own((event, words) => {
    const { decidesFrom } = event
    return { decidesFrom, ...conversionOf(event, words) }
  }),
  'convert.filled': own(conversionOf),
  'convert.ended': own((event, words) => ({ ...conversionOf(event, words), why: event.why })),
  'convert.terms': 'house',
}

/** The inviter is told what was paid, but not by which trade of whom. Why a bond ended is what the exchange found out about two people. */
export const referralTellings: Tellings<ReferralEvent> = {
  'referral.paid': [
    {
      to: ({ inviter }) => inviter,
      facts: ({ amount, asset, level, value }, words) => ({
        ...{ amount: words.sum(amount, asset), asset: words.asset(asset), level, value: words.usdt(value) },
      }),
    },
  ],
  'referral.severed': 'house',
  'referral.terms': 'public',
}

/** An account is told whether it is the main one of its firm, not which one that is. */
export const firmTellings: Tellings<FirmEvent> = {
  'firm.joined': own(({ main, user }) => ({ isMain: main === user })),
  'firm.terms': [{ to: ({ main }) => main, facts: ({ tier, withdrawMax }, words) => ({ tier, withdrawMax: words.usdt(withdrawMax) }) }],
}

/**
 * The events have no asset. What is paid is USDT; tokens are in their smallest unit, and the entries of the same receipt have them in
 * decimal.
 */
export const presaleTellings: Tellings<PresaleEvent> = {
  'presale.set': 'public',
  'presale.subscribed': own(({ amount, presale, total }, words) => ({ amount: words.usdt(amount), presale, total: words.usdt(total) })),
  'presale.allocated': own(({ allocated, cost, presale, refunded, released }, words) => ({
    allocatedUnits: allocated,
    cost: words.usdt(cost),
    presale,
    refunded: words.usdt(refunded),
    releasedUnits: released,
  })),
  'presale.released': own(({ amount, day, presale, released }) => ({ amountUnits: amount, day, presale, releasedUnits: released })),
  'presale.ended': 'public',
  'presale.unlocked': 'public',
}

type Withdrawal = Record<'amount' | 'asset' | 'fee', string> & Pick<WithdrawalFacts, 'network' | 'withdrawal'>

function withdrawalOf({ amount, asset, fee, network, withdrawal }: WithdrawalFacts, words: Words): Withdrawal {
  return { amount: words.sum(amount, asset), asset: words.asset(asset), fee: words.sum(fee, asset), network, withdrawal }
}

function conversionOf({ from, fromPrice, get, give, quote, to, toPrice, value }: ConversionFacts, words: Words): object {
  return {
    from: words.asset(from),
    fromPrice: words.index(fromPrice),
    get: words.sum(get, to),
    give: words.sum(give, from),
    quote,
    to: words.asset(to),
    toPrice: words.index(toPrice),
    value: words.usdt(value),
  }
}
