/** Slots of the commands about funds. */
import { accountKinds, systemAccounts } from '../account.ts'
import type { Faucet, FundSystem, PostFunds, PostingAccount, PostingPlace, Transfer } from '../command/funds.ts'
import { systemOwner } from './event.ts'
import type { Codec } from './command.ts'
import { numberOf, wordOf } from './fields.ts'
import * as at from './layout.ts'
import { integer } from './records.ts'
import { readAssetId, readClientId, readMarketId, readUnits, readUserId } from './slots.ts'
import type { Read } from './slots.ts'
import type { DecisionNumber } from '../ids.ts'
import { packText, reasonSlots, unpackText } from './text.ts'

type FundsCommand = Faucet | Transfer | FundSystem | PostFunds

export const fundsCodecs: { readonly [T in FundsCommand['type']]: Codec<Extract<FundsCommand, { readonly type: T }>> } = {
  'funds.faucet': {
    length: () => at.FAUCET_LENGTH,
    write(command, data, start) {
      data[start + at.FAUCET_ASSET] = integer(command.asset, 'asset')
      data[start + at.FAUCET_AMOUNT] = integer(command.amount, 'amount')
    },
    read: (data, start) => ({
      type: 'funds.faucet',
      user: readUserId(data, start + at.USER),
      clientId: readClientId(data, start),
      asset: readAssetId(data, start + at.FAUCET_ASSET),
      amount: readUnits(data, start + at.FAUCET_AMOUNT),
    }),
  },
  'funds.transfer': {
    length: () => at.TRANSFER_LENGTH,
    write(command, data, start) {
      data[start + at.TRANSFER_ASSET] = integer(command.asset, 'asset')
      data[start + at.TRANSFER_FROM] = numberOf(accountKinds, command.from)
      data[start + at.TRANSFER_TO] = numberOf(accountKinds, command.to)
      data[start + at.TRANSFER_AMOUNT] = integer(command.amount, 'amount')
      data[start + at.TRANSFER_MARKET] = integer(command.market ?? 0, 'market')
    },
    read: (data, start) => ({
      type: 'funds.transfer',
      user: readUserId(data, start + at.USER),
      clientId: readClientId(data, start),
      asset: readAssetId(data, start + at.TRANSFER_ASSET),
      from: wordOf(accountKinds, data[start + at.TRANSFER_FROM]!),
      to: wordOf(accountKinds, data[start + at.TRANSFER_TO]!),
      ...(data[start + at.TRANSFER_MARKET] === 0 ? {} : { market: readMarketId(data, start + at.TRANSFER_MARKET) }),
      amount: readUnits(data, start + at.TRANSFER_AMOUNT),
    }),
  },
  'funds.system': {
    length: () => at.SYSTEM_LENGTH,
    write(command, data, start) {
      data[start + at.SYSTEM_ACCOUNT] = numberOf(systemAccounts, command.account)
      data[start + at.SYSTEM_ASSET] = integer(command.asset, 'asset')
      data[start + at.SYSTEM_AMOUNT] = integer(command.amount, 'amount')
    },
    read: (data, start) => ({
      type: 'funds.system',
      account: wordOf(systemAccounts, data[start + at.SYSTEM_ACCOUNT]!) as FundSystem['account'],
      asset: readAssetId(data, start + at.SYSTEM_ASSET),
      amount: readUnits(data, start + at.SYSTEM_AMOUNT),
    }),
  },
  'funds.post': {
    length: () => at.POST_REASON + reasonSlots,
    write(command, data, start) {
      data[start + at.POST_DECISION] = integer(command.decision, 'decision')
      data[start + at.POST_FROM] = ownerOf(command.from)
      data[start + at.POST_TO] = ownerOf(command.to)
      data[start + at.POST_ASSET] = integer(command.asset, 'asset')
      data[start + at.POST_AMOUNT] = integer(command.amount, 'amount')
      data[start + at.POST_PROPOSER] = integer(command.proposer, 'proposer')
      data[start + at.POST_APPROVER] = integer(command.approver, 'approver')
      packText(command.reason, data, start + at.POST_REASON, reasonSlots)
    },
    read: (data, start) => ({
      type: 'funds.post',
      decision: data[start + at.POST_DECISION] as DecisionNumber,
      from: placeOf(data, start + at.POST_FROM),
      to: placeOf(data, start + at.POST_TO),
      asset: readAssetId(data, start + at.POST_ASSET),
      amount: readUnits(data, start + at.POST_AMOUNT),
      proposer: data[start + at.POST_PROPOSER]!,
      approver: data[start + at.POST_APPROVER]!,
      reason: unpackText(data, start + at.POST_REASON, reasonSlots),
    }),
  },
}

function ownerOf(place: PostingPlace): number {
  return 'user' in place ? integer(place.user, 'user') : systemOwner(numberOf(systemAccounts, place.system))
}

const placeOf: Read<PostingPlace> = (data, at) => {
  const owner = data[at]!
  return owner < 0 ? { system: wordOf(systemAccounts, -1 - owner) as PostingAccount } : { user: readUserId(data, at) }
}
