/** Slots of the commands and events of deposits and withdrawals. */
import type { ChainCommand, WithdrawTerms } from '../../command/chain.ts'
import type { ChainEvent, WithdrawalFacts } from '../../event/chain.ts'
import type { CreditNumber, NetworkNumber, WithdrawalNumber } from '../../ids.ts'
import type { Codec } from '../command.ts'
import { flag } from '../fields.ts'
import * as at from '../layout.ts'
import { integer } from '../records.ts'
import { type Read, readAssetId, readClientId, readUnits, readUserId, type Write } from '../slots.ts'
import { packText, reasonSlots, unpackText } from '../text.ts'

type CommandOf<T extends ChainCommand['type']> = Extract<ChainCommand, { readonly type: T }>
type EventOf<T extends ChainEvent['type']> = Extract<ChainEvent, { readonly type: T }>

export const readNetwork: Read<NetworkNumber> = (data, at) => data[at] as NetworkNumber
export const readCredit: Read<CreditNumber> = (data, at) => data[at] as CreditNumber
export const readWithdrawal: Read<WithdrawalNumber> = (data, at) => data[at] as WithdrawalNumber

export const writeWithdrawTerms: Write<WithdrawTerms> = ({ isOpen, min, fee, autoMax, singleMax }, data, start) => {
  data[start] = isOpen ? 1 : 0
  data[start + 1] = integer(min, 'min')
  data[start + 2] = integer(fee, 'fee')
  data[start + 3] = integer(autoMax, 'autoMax')
  data[start + 4] = integer(singleMax, 'singleMax')
}

export const readWithdrawTerms: Read<WithdrawTerms> = (data, start) => ({
  isOpen: flag(data[start]!, 'isOpen'),
  min: readUnits(data, start + 1),
  fee: readUnits(data, start + 2),
  autoMax: readUnits(data, start + 3),
  singleMax: readUnits(data, start + 4),
})

export const chainCodecs: { readonly [T in ChainCommand['type']]: Codec<CommandOf<T>> } = {
  'chain.credit': {
    length: () => at.CREDIT_WHOLE_LENGTH,
    write(command, data, start) {
      writeCredit(command, data, start)
      data[start + at.CREDIT_ASSET] = integer(command.asset, 'asset')
      data[start + at.CREDIT_AMOUNT] = integer(command.amount, 'amount')
      data[start + at.CREDIT_IS_FINAL] = command.isFinal ? 1 : 0
    },
    read: (data, start) => ({
      type: 'chain.credit',
      user: readUserId(data, start + at.USER),
      ...readCreditName(data, start),
      asset: readAssetId(data, start + at.CREDIT_ASSET),
      amount: readUnits(data, start + at.CREDIT_AMOUNT),
      isFinal: flag(data[start + at.CREDIT_IS_FINAL]!, 'isFinal'),
    }),
  },
  'chain.final': {
    length: () => at.CREDIT_LENGTH,
    write: (command, data, start) => writeCredit(command, data, start),
    read: (data, start) => ({ type: 'chain.final', ...readCreditName(data, start) }),
  },
  'chain.orphan': {
    length: () => at.CREDIT_LENGTH,
    write: (command, data, start) => writeCredit(command, data, start),
    read: (data, start) => ({ type: 'chain.orphan', ...readCreditName(data, start) }),
  },
  'chain.repay': {
    length: () => at.REPAY_LENGTH,
    write(command, data, start) {
      data[start + at.REPAY_ASSET] = integer(command.asset, 'asset')
    },
    read: (data, start) => ({
      type: 'chain.repay',
      user: readUserId(data, start + at.USER),
      asset: readAssetId(data, start + at.REPAY_ASSET),
    }),
  },
  'withdraw.setTerms': {
    length: () => at.WITHDRAW_TERMS_LENGTH,
    write(command, data, start) {
      data[start + at.WITHDRAW_ASSET] = integer(command.asset, 'asset')
      data[start + at.WITHDRAW_NETWORK] = integer(command.network, 'network')
      writeWithdrawTerms(command.terms, data, start + at.WITHDRAW_TERMS)
    },
    read: (data, start) => ({
      type: 'withdraw.setTerms',
      asset: readAssetId(data, start + at.WITHDRAW_ASSET),
      network: readNetwork(data, start + at.WITHDRAW_NETWORK),
      terms: readWithdrawTerms(data, start + at.WITHDRAW_TERMS),
    }),
  },
  'withdraw.request': {
    length: () => at.WITHDRAW_LENGTH,
    write(command, data, start) {
      data[start + at.WITHDRAW_ASSET] = integer(command.asset, 'asset')
      data[start + at.WITHDRAW_NETWORK] = integer(command.network, 'network')
      data[start + at.WITHDRAW_AMOUNT] = integer(command.amount, 'amount')
      data[start + at.WITHDRAW_FEE] = integer(command.fee, 'fee')
      data[start + at.WITHDRAW_DESTINATION] = integer(command.destination, 'destination')
    },
    read: (data, start) => ({
      type: 'withdraw.request',
      user: readUserId(data, start + at.USER),
      clientId: readClientId(data, start),
      asset: readAssetId(data, start + at.WITHDRAW_ASSET),
      network: readNetwork(data, start + at.WITHDRAW_NETWORK),
      amount: readUnits(data, start + at.WITHDRAW_AMOUNT),
      fee: readUnits(data, start + at.WITHDRAW_FEE),
      destination: data[start + at.WITHDRAW_DESTINATION]!,
    }),
  },
  'withdraw.cancel': {
    length: () => at.WITHDRAWAL_LENGTH,
    write(command, data, start) {
      data[start + at.WITHDRAWAL] = integer(command.withdrawal, 'withdrawal')
    },
    read: (data, start) => ({
      type: 'withdraw.cancel',
      user: readUserId(data, start + at.USER),
      withdrawal: readWithdrawal(data, start + at.WITHDRAWAL),
    }),
  },
  'withdraw.decide': {
    length: () => at.WITHDRAWAL_REASON + reasonSlots,
    write(command, data, start) {
      data[start + at.WITHDRAWAL] = integer(command.withdrawal, 'withdrawal')
      data[start + at.WITHDRAWAL_IS_GOOD] = command.isApproved ? 1 : 0
      data[start + at.WITHDRAWAL_FIRST] = integer(command.first, 'first')
      data[start + at.WITHDRAWAL_SECOND] = integer(command.second, 'second')
      packText(command.reason, data, start + at.WITHDRAWAL_REASON, reasonSlots)
    },
    read: (data, start) => ({
      type: 'withdraw.decide',
      withdrawal: readWithdrawal(data, start + at.WITHDRAWAL),
      isApproved: flag(data[start + at.WITHDRAWAL_IS_GOOD]!, 'isApproved'),
      first: data[start + at.WITHDRAWAL_FIRST]!,
      second: data[start + at.WITHDRAWAL_SECOND]!,
      reason: unpackText(data, start + at.WITHDRAWAL_REASON, reasonSlots),
    }),
  },
  'withdraw.finish': {
    length: () => at.WITHDRAWAL_END_LENGTH,
    write(command, data, start) {
      data[start + at.WITHDRAWAL] = integer(command.withdrawal, 'withdrawal')
      data[start + at.WITHDRAWAL_IS_GOOD] = command.isPaid ? 1 : 0
    },
    read: (data, start) => ({
      type: 'withdraw.finish',
      withdrawal: readWithdrawal(data, start + at.WITHDRAWAL),
      isPaid: flag(data[start + at.WITHDRAWAL_IS_GOOD]!, 'isPaid'),
    }),
  },
}

type CreditName = { readonly network: NetworkNumber; readonly credit: CreditNumber }

const writeCredit: Write<CreditName> = ({ network, credit }, data, start) => {
  data[start + at.CREDIT_NETWORK] = integer(network, 'network')
  data[start + at.CREDIT_NUMBER] = integer(credit, 'credit')
}

const readCreditName: Read<CreditName> = (data, start) => ({
  network: readNetwork(data, start + at.CREDIT_NETWORK),
  credit: readCredit(data, start + at.CREDIT_NUMBER),
})

export const chainEventCodes = {
  'deposit.credited': 90,
  'deposit.final': 91,
  'deposit.orphaned': 92,
  'deposit.repaid': 93,
  'withdrawal.requested': 94,
  'withdrawal.approved': 95,
  'withdrawal.rejected': 96,
  'withdrawal.cancelled': 97,
  'withdrawal.paid': 98,
  'withdrawal.failed': 99,
  'withdraw.terms': 100,
} as const satisfies Record<ChainEvent['type'], number>

export const chainReaders: { readonly [T in ChainEvent['type']]: Read<EventOf<T>> } = {
  'deposit.credited': (data, at) => ({
    type: 'deposit.credited',
    ...readDeposit(data, at + 1),
    isFinal: flag(data[at + 6]!, 'isFinal'),
    repaid: readUnits(data, at + 7),
    debt: readUnits(data, at + 8),
  }),
  'deposit.final': (data, at) => ({ type: 'deposit.final', ...readDeposit(data, at + 1) }),
  'deposit.orphaned': (data, at) => ({
    type: 'deposit.orphaned',
    ...readDeposit(data, at + 1),
    taken: readUnits(data, at + 6),
    debt: readUnits(data, at + 7),
  }),
  'deposit.repaid': (data, at) => ({
    type: 'deposit.repaid',
    user: readUserId(data, at + 1),
    asset: readAssetId(data, at + 2),
    amount: readUnits(data, at + 3),
    debt: readUnits(data, at + 4),
  }),
  'withdrawal.requested': (data, at) => ({
    type: 'withdrawal.requested',
    ...readFacts(data, at + 1),
    destination: data[at + 7]!,
    people: data[at + 8] as 0 | 1 | 2,
  }),
  'withdrawal.approved': (data, at) => ({ type: 'withdrawal.approved', ...readFacts(data, at + 1), ...readPeople(data, at + 7) }),
  'withdrawal.rejected': (data, at) => ({ type: 'withdrawal.rejected', ...readFacts(data, at + 1), ...readPeople(data, at + 7) }),
  'withdrawal.cancelled': (data, at) => ({ type: 'withdrawal.cancelled', ...readFacts(data, at + 1) }),
  'withdrawal.paid': (data, at) => ({ type: 'withdrawal.paid', ...readFacts(data, at + 1) }),
  'withdrawal.failed': (data, at) => ({ type: 'withdrawal.failed', ...readFacts(data, at + 1) }),
  'withdraw.terms': (data, at) => ({
    type: 'withdraw.terms',
    asset: readAssetId(data, at + 1),
    network: readNetwork(data, at + 2),
    terms: readWithdrawTerms(data, at + 3),
  }),
}

const readDeposit: Read<Omit<EventOf<'deposit.final'>, 'type'>> = (data, at) => ({
  network: readNetwork(data, at),
  credit: readCredit(data, at + 1),
  user: readUserId(data, at + 2),
  asset: readAssetId(data, at + 3),
  amount: readUnits(data, at + 4),
})

const readFacts: Read<WithdrawalFacts> = (data, at) => ({
  withdrawal: readWithdrawal(data, at),
  user: readUserId(data, at + 1),
  asset: readAssetId(data, at + 2),
  network: readNetwork(data, at + 3),
  amount: readUnits(data, at + 4),
  fee: readUnits(data, at + 5),
})

const readPeople: Read<Pick<EventOf<'withdrawal.approved'>, 'first' | 'second' | 'reason'>> = (data, at) => ({
  first: data[at]!,
  second: data[at + 1]!,
  reason: unpackText(data, at + 2, reasonSlots),
})
