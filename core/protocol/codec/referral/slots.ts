/** Slots of the commands and events of referral. */
import { type ReferralCommand, type ReferralTerms, type ReferralTier, severReasons } from '../../command/referral.ts'
import type { ReferralEvent } from '../../event/referral.ts'
import type { Codec } from '../command.ts'
import { flag, numberOf, wordOf } from '../fields.ts'
import * as at from '../layout.ts'
import { integer } from '../records.ts'
import { regionNumber, regionWord } from '../region.ts'
import { countAt, type Read, readAssetId, readMarketId, readPpm, readTradeId, readUnits, readUserId, type Write } from '../slots.ts'

type CommandOf<T extends ReferralCommand['type']> = Extract<ReferralCommand, { readonly type: T }>
type EventOf<T extends ReferralEvent['type']> = Extract<ReferralEvent, { readonly type: T }>

/** Slots of terms before their tiers and regions, and of a tier. */
const TERMS = 7
const TIER = 2

export function referralTermsSlots({ tiers, closedIn }: ReferralTerms): number {
  return TERMS + tiers.length * TIER + closedIn.length
}

export const writeReferralTerms: Write<ReferralTerms> = (terms, data, start) => {
  const { tiers, closedIn } = terms
  data[start] = terms.isOpen ? 1 : 0
  data[start + 1] = integer(terms.secondPpm, 'secondPpm')
  data[start + 2] = integer(terms.days, 'days')
  data[start + 3] = integer(terms.inviteeDayMax, 'inviteeDayMax')
  data[start + 4] = integer(terms.inviterDayMax, 'inviterDayMax')
  data[start + 5] = tiers.length
  data[start + 6] = closedIn.length
  for (const [n, { volumeMin, sharePpm }] of tiers.entries()) {
    data[start + TERMS + n * TIER] = integer(volumeMin, 'volumeMin')
    data[start + TERMS + n * TIER + 1] = integer(sharePpm, 'sharePpm')
  }
  for (const [n, region] of closedIn.entries()) data[start + TERMS + tiers.length * TIER + n] = regionNumber(region)
}

export const readReferralTerms: Read<ReferralTerms> = (data, start) => {
  const [tiers, regions] = [countAt(data, start + 5, TIER), countAt(data, start + 6)]
  return {
    isOpen: flag(data[start]!, 'isOpen'),
    tiers: Array.from({ length: tiers }, (_, n) => readTier(data, start + TERMS + n * TIER)),
    secondPpm: readPpm(data, start + 1),
    days: data[start + 2]!,
    inviteeDayMax: readUnits(data, start + 3),
    inviterDayMax: readUnits(data, start + 4),
    closedIn: Array.from({ length: regions }, (_, n) => regionWord(data[start + TERMS + tiers * TIER + n]!)),
  }
}

const readTier: Read<ReferralTier> = (data, at) => ({ volumeMin: readUnits(data, at), sharePpm: readPpm(data, at + 1) })

export const referralCodecs: { readonly [T in ReferralCommand['type']]: Codec<CommandOf<T>> } = {
  'referral.setTerms': {
    length: ({ terms }) => at.REFERRAL_TERMS + referralTermsSlots(terms),
    write: ({ terms }, data, start) => writeReferralTerms(terms, data, start + at.REFERRAL_TERMS),
    read: (data, start) => ({ type: 'referral.setTerms', terms: readReferralTerms(data, start + at.REFERRAL_TERMS) }),
  },
  'referral.sever': {
    length: () => at.REFERRAL_SEVER_LENGTH,
    write(command, data, start) {
      data[start + at.REFERRAL_REASON] = numberOf(severReasons, command.reason)
    },
    read: (data, start) => ({
      type: 'referral.sever',
      user: readUserId(data, start + at.USER),
      reason: wordOf(severReasons, data[start + at.REFERRAL_REASON]!),
    }),
  },
}

export const referralEventCodes = {
  'referral.paid': 130,
  'referral.severed': 131,
  'referral.terms': 132,
} as const satisfies Record<ReferralEvent['type'], number>

export const referralReaders: { readonly [T in ReferralEvent['type']]: Read<EventOf<T>> } = {
  'referral.paid': (data, at) => ({
    type: 'referral.paid',
    inviter: readUserId(data, at + 1),
    invitee: readUserId(data, at + 2),
    level: data[at + 3] === 1 ? 1 : 2,
    asset: readAssetId(data, at + 4),
    amount: readUnits(data, at + 5),
    value: readUnits(data, at + 6),
    market: readMarketId(data, at + 7),
    trade: readTradeId(data, at + 8),
  }),
  'referral.severed': (data, at) => ({
    type: 'referral.severed',
    user: readUserId(data, at + 1),
    inviter: readUserId(data, at + 2),
    reason: wordOf(severReasons, data[at + 3]!),
  }),
  'referral.terms': (data, at) => ({ type: 'referral.terms', terms: readReferralTerms(data, at + 1) }),
}
