/** Slots of the commands and events of margin trading and lending. */
import type { Ppm, Units } from '../../money/brand.ts'
import type { Borrow, MarginCommand, MarginTerms, MarginTier, MarginWeight, Repay, Supply, Withdraw } from '../command/margin.ts'
import { loanCauses, marginStates } from '../event/margin.ts'
import type { MarginEvent } from '../event/margin.ts'
import type { Codec } from './command.ts'
import { flag, wordOf } from './fields.ts'
import { BODY, USER } from './layout.ts'
import { integer } from './records.ts'
import { readAssetId, readClientId, readMarketId, readOrderId, readPpm, readUnits, readUserId } from './slots.ts'

// margin.borrow and margin.repay
export const LOAN_MARKET = BODY
export const LOAN_ASSET = BODY + 1
export const LOAN_AMOUNT = BODY + 2
const LOAN_LENGTH = BODY + 3

// lend.supply, lend.withdraw and lend.cancelWithdraw
export const LEND_ASSET = BODY
export const LEND_AMOUNT = BODY + 1
const LEND_LENGTH = BODY + 2
const LEND_CANCEL_LENGTH = BODY + 1

// margin.setTerms, and its event
const FIXED_TERMS = 24
const TIER_SLOTS = 3
const WEIGHT_SLOTS = 2
const tiersMax = 16
const weightsMax = 64
/** Slots of the terms before their tiers in dumps of version 12. */
const FIXED_TERMS_12 = 15

type Command<T extends MarginCommand['type']> = Extract<MarginCommand, { readonly type: T }>
type Event<T extends MarginEvent['type']> = Extract<MarginEvent, { readonly type: T }>

export const marginCodecs: { readonly [T in MarginCommand['type']]: Codec<Command<T>> } = {
  'margin.setTerms': {
    length: (command) => BODY + marginTermsSlots(command.terms),
    write: (command, data, start) => writeMarginTerms(command.terms, data, start + BODY),
    read: (data, start) => ({ type: 'margin.setTerms', terms: readMarginTerms(data, start + BODY) }),
  },
  'margin.borrow': loanCodec('margin.borrow'),
  'margin.repay': loanCodec('margin.repay'),
  'lend.supply': lendCodec('lend.supply'),
  'lend.withdraw': lendCodec('lend.withdraw'),
  'lend.cancelWithdraw': {
    length: () => LEND_CANCEL_LENGTH,
    write(command, data, start) {
      data[start + LEND_ASSET] = integer(command.asset, 'asset')
    },
    read: (data, start) => ({
      type: 'lend.cancelWithdraw',
      user: readUserId(data, start + USER),
      clientId: readClientId(data, start),
      asset: readAssetId(data, start + LEND_ASSET),
    }),
  },
}

function loanCodec<T extends 'margin.borrow' | 'margin.repay'>(type: T): Codec<Command<T>> {
  const codec: Codec<Borrow | Repay> = {
    length: () => LOAN_LENGTH,
    write(command, data, start) {
      data[start + LOAN_MARKET] = integer(command.market, 'market')
      data[start + LOAN_ASSET] = integer(command.asset, 'asset')
      data[start + LOAN_AMOUNT] = integer(command.amount, 'amount')
    },
    read: (data, start) =>
      ({
        type,
        user: readUserId(data, start + USER),
        clientId: readClientId(data, start),
        market: readMarketId(data, start + LOAN_MARKET),
        asset: readAssetId(data, start + LOAN_ASSET),
        amount: readUnits(data, start + LOAN_AMOUNT),
      }) as Borrow | Repay,
  }
  return codec as unknown as Codec<Command<T>>
}

function lendCodec<T extends 'lend.supply' | 'lend.withdraw'>(type: T): Codec<Command<T>> {
  const codec: Codec<Supply | Withdraw> = {
    length: () => LEND_LENGTH,
    write(command, data, start) {
      data[start + LEND_ASSET] = integer(command.asset, 'asset')
      data[start + LEND_AMOUNT] = integer(command.amount, 'amount')
    },
    read: (data, start) =>
      ({
        type,
        user: readUserId(data, start + USER),
        clientId: readClientId(data, start),
        asset: readAssetId(data, start + LEND_ASSET),
        amount: readUnits(data, start + LEND_AMOUNT),
      }) as Supply | Withdraw,
  }
  return codec as unknown as Codec<Command<T>>
}

export function marginTermsSlots(terms: MarginTerms): number {
  return FIXED_TERMS + terms.tiers.length * TIER_SLOTS + terms.weights.length * WEIGHT_SLOTS
}

/** Throws when there are more tiers or weights than a record may have. */
export function writeMarginTerms(terms: MarginTerms, data: Float64Array, start: number): void {
  if (terms.tiers.length > tiersMax) throw new Error(`${terms.tiers.length} tiers of loans`)
  if (terms.weights.length > weightsMax) throw new Error(`${terms.weights.length} weights of assets`)
  data[start] = terms.isOpen ? 1 : 0
  data[start + 1] = integer(terms.isolatedCallPpm, 'isolatedCallPpm')
  data[start + 2] = integer(terms.crossLeverage, 'crossLeverage')
  data[start + 3] = integer(terms.crossTransferPpm, 'crossTransferPpm')
  data[start + 4] = integer(terms.crossBorrowPpm, 'crossBorrowPpm')
  data[start + 5] = integer(terms.crossCallPpm, 'crossCallPpm')
  data[start + 6] = integer(terms.crossLiquidationPpm, 'crossLiquidationPpm')
  data[start + 7] = integer(terms.rateZero, 'rateZero')
  data[start + 8] = integer(terms.rateKink, 'rateKink')
  data[start + 9] = integer(terms.rateFull, 'rateFull')
  data[start + 10] = integer(terms.kinkPpm, 'kinkPpm')
  data[start + 11] = integer(terms.borrowStopPpm, 'borrowStopPpm')
  data[start + 12] = integer(terms.reservePpm, 'reservePpm')
  data[start + 13] = integer(terms.liquidationFeePpm, 'liquidationFeePpm')
  data[start + 14] = terms.tiers.length
  data[start + 15] = integer(terms.cushionPpm, 'cushionPpm')
  data[start + 16] = integer(terms.weightPpm, 'weightPpm')
  data[start + 17] = integer(terms.userSharePpm, 'userSharePpm')
  data[start + 18] = integer(terms.loanMin, 'loanMin')
  data[start + 19] = integer(terms.supplyMin, 'supplyMin')
  data[start + 20] = integer(terms.fundAssetPpm, 'fundAssetPpm')
  data[start + 21] = integer(terms.fundAllPpm, 'fundAllPpm')
  data[start + 22] = integer(terms.fundFastPpm, 'fundFastPpm')
  data[start + 23] = terms.weights.length
  terms.tiers.forEach((tier, i) => {
    const at = start + FIXED_TERMS + i * TIER_SLOTS
    data[at] = integer(tier.loanMax, 'loanMax')
    data[at + 1] = integer(tier.leverage, 'leverage')
    data[at + 2] = integer(tier.liquidationPpm, 'liquidationPpm')
  })
  const weightsAt = start + FIXED_TERMS + terms.tiers.length * TIER_SLOTS
  terms.weights.forEach(({ asset, weightPpm }, i) => {
    data[weightsAt + i * WEIGHT_SLOTS] = integer(asset, 'asset')
    data[weightsAt + i * WEIGHT_SLOTS + 1] = integer(weightPpm, 'weightPpm')
  })
}

export function readMarginTerms(data: Float64Array, start: number): MarginTerms {
  const ppm = (i: number): Ppm => readPpm(data, start + i)
  const tiers = readTiers(data, start + 14, start + FIXED_TERMS)
  const count = data[start + 23]!
  if (!(count >= 0 && count <= weightsMax)) throw new Error(`${count} weights of assets`)
  const weightsAt = start + FIXED_TERMS + tiers.length * TIER_SLOTS
  const weights: MarginWeight[] = Array.from({ length: count }, (_, i) => {
    const at = weightsAt + i * WEIGHT_SLOTS
    return { asset: readAssetId(data, at), weightPpm: readPpm(data, at + 1) }
  })
  return {
    ...readFirstTerms(data, start),
    tiers,
    cushionPpm: ppm(15),
    weights,
    weightPpm: ppm(16),
    userSharePpm: ppm(17),
    loanMin: readUnits(data, start + 18),
    supplyMin: readUnits(data, start + 19),
    fundAssetPpm: ppm(20),
    fundAllPpm: ppm(21),
    fundFastPpm: ppm(22),
  }
}

/** The terms in dumps of version 12. */
export type MarginTerms12 = Omit<
  MarginTerms,
  'cushionPpm' | 'weights' | 'weightPpm' | 'userSharePpm' | 'loanMin' | 'supplyMin' | 'fundAssetPpm' | 'fundAllPpm' | 'fundFastPpm'
>

/** Reads terms from a dump of version 12. Returns them and the index just after them. */
export function readMarginTerms12(data: Float64Array, start: number): { readonly terms: MarginTerms12; readonly end: number } {
  const tiers = readTiers(data, start + 14, start + FIXED_TERMS_12)
  return { terms: { ...readFirstTerms(data, start), tiers }, end: start + FIXED_TERMS_12 + tiers.length * TIER_SLOTS }
}

function readTiers(data: Float64Array, countAt: number, start: number): MarginTier[] {
  const count = data[countAt]!
  if (!(count >= 0 && count <= tiersMax)) throw new Error(`${count} tiers of loans`)
  return Array.from({ length: count }, (_, i) => {
    const at = start + i * TIER_SLOTS
    return { loanMax: data[at] as Units, leverage: data[at + 1]!, liquidationPpm: data[at + 2] as Ppm }
  })
}

function readFirstTerms(data: Float64Array, start: number): Omit<MarginTerms12, 'tiers'> {
  const ppm = (i: number): Ppm => readPpm(data, start + i)
  return {
    isOpen: flag(data[start]!, 'isOpen'),
    isolatedCallPpm: ppm(1),
    crossLeverage: data[start + 2] as Units,
    crossTransferPpm: ppm(3),
    crossBorrowPpm: ppm(4),
    crossCallPpm: ppm(5),
    crossLiquidationPpm: ppm(6),
    rateZero: data[start + 7] as Units,
    rateKink: data[start + 8] as Units,
    rateFull: data[start + 9] as Units,
    kinkPpm: ppm(10),
    borrowStopPpm: ppm(11),
    reservePpm: ppm(12),
    liquidationFeePpm: ppm(13),
  }
}

/** Part of every batch's digest: append only, never renumber. */
export const marginEventCodes = {
  'margin.terms': 40,
  'margin.loan': 41,
  'margin.level': 42,
  'margin.liquidated': 43,
  'lend.pool': 44,
  'lend.claim': 45,
} as const satisfies Record<MarginEvent['type'], number>

export const marginReaders: { readonly [T in MarginEvent['type']]: (data: Float64Array, at: number) => Event<T> } = {
  'margin.terms': (data, at) => ({ type: 'margin.terms', terms: readMarginTerms(data, at + 1) }),
  'margin.loan': (data, at) => ({
    type: 'margin.loan',
    user: readUserId(data, at + 1),
    market: readMarketId(data, at + 2),
    asset: readAssetId(data, at + 3),
    cause: wordOf(loanCauses, data[at + 4]!),
    delta: readUnits(data, at + 5),
    principal: readUnits(data, at + 6),
    interest: readUnits(data, at + 7),
  }),
  'margin.level': (data, at) => ({
    type: 'margin.level',
    user: readUserId(data, at + 1),
    market: readMarketId(data, at + 2),
    state: wordOf(marginStates, data[at + 3]!),
    levelPpm: data[at + 4] as Ppm,
  }),
  'margin.liquidated': (data, at) => ({
    type: 'margin.liquidated',
    user: readUserId(data, at + 1),
    market: readMarketId(data, at + 2),
    order: readOrderId(data, at + 3),
    levelPpm: data[at + 4] as Ppm,
    liquidationPpm: readPpm(data, at + 5),
    assets: readUnits(data, at + 6),
    debt: readUnits(data, at + 7),
    fee: readUnits(data, at + 8),
    insured: readUnits(data, at + 9),
  }),
  'lend.pool': (data, at) => ({
    type: 'lend.pool',
    asset: readAssetId(data, at + 1),
    supplied: readUnits(data, at + 2),
    borrowed: readUnits(data, at + 3),
    queued: readUnits(data, at + 4),
    rate: data[at + 5]!,
    index: data[at + 6]!,
  }),
  'lend.claim': (data, at) => ({
    type: 'lend.claim',
    user: readUserId(data, at + 1),
    asset: readAssetId(data, at + 2),
    claim: readUnits(data, at + 3),
    earned: readUnits(data, at + 4),
    queued: readUnits(data, at + 5),
  }),
}
