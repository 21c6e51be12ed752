import { decodeCommand } from '../../protocol/codec/command.ts'
import { commandCodes, DECIDE_CHANGE } from '../../protocol/codec/layout.ts'
import type { WithdrawTerms } from '../../protocol/command/chain.ts'
import type { ConvertTerms } from '../../protocol/command/convert.ts'
import type { MarginTerms } from '../../protocol/command/margin.ts'
import type { Change, OperateExchange } from '../../protocol/command/operate.ts'
import type { ReferralTerms } from '../../protocol/command/referral.ts'
import { writeWithdrawTerms } from '../../protocol/codec/chain/slots.ts'
import { convertTermsSlots, writeConvertTerms } from '../../protocol/codec/convert/slots.ts'
import { referralTermsSlots, writeReferralTerms } from '../../protocol/codec/referral/slots.ts'
import { marginTermsSlots, writeMarginTerms } from '../../protocol/codec/margin.ts'
import { perpTermsSlots, writePerpTerms } from '../../protocol/codec/perp-terms.ts'
import { writeTerms } from '../../protocol/codec/fields.ts'
import { TERMS_SLOTS, WITHDRAW_TERMS_SLOTS } from '../../protocol/codec/layout.ts'
import type { MarketTerms, PerpTerms } from '../../protocol/market.ts'
import { setWithdrawTerms } from '../chain/terms.ts'
import { setConvertTerms } from '../convert/terms.ts'
import { setFirmTerms } from '../firm/terms.ts'
import { fundSystem } from '../funds/system.ts'
import { setMarginTerms } from '../margin/handlers/terms.ts'
import { listAsset } from '../market/list-asset.ts'
import { listMarket } from '../market/list.ts'
import { setFees } from '../market/set-fees.ts'
import { listPerp, setPerp } from '../perp/handlers/list.ts'
import { setReferralTerms } from '../referral/terms.ts'
import { cancelPresale } from '../presale/end.ts'
import { setPresale } from '../presale/set.ts'
import { isFull, opens } from '../state/room.ts'
import { areDeciders } from '../state/deciders.ts'
import type { Handler } from '../state/handler.ts'
import type { State } from '../state/state.ts'
import { setMarket } from './set-market.ts'

/** One line per change that people of the staff decide. */
const deciders: { readonly [T in Change['type']]: Handler } = {
  'asset.list': listAsset,
  'market.list': listMarket,
  'market.set': setMarket,
  'fees.set': setFees,
  'funds.system': fundSystem,
  'perp.list': listPerp,
  'perp.set': setPerp,
  'margin.setTerms': setMarginTerms,
  'withdraw.setTerms': setWithdrawTerms,
  'convert.setTerms': setConvertTerms,
  'referral.setTerms': setReferralTerms,
  'presale.set': setPresale,
  'presale.cancel': cancelPresale,
  'firm.setTerms': setFirmTerms,
}

/**
 * `exchange.operate`: a decision by two people of the staff with their reason. The command in it is decided and applied as if it
 * came alone; its refusal is the outcome. One person alone can only halt a market, close margin trading to new loans, close
 * withdrawals of an asset on a network, close conversions or close referral, and change nothing else.
 */
export const operateExchange: Handler = (x, data, start) => {
  const { change, ...people } = decodeCommand(data, start).command as OperateExchange
  if (!areDeciders(people)) return 'FIELD_INVALID'
  if (people.proposer === people.approver && !isClosing(x, change)) return 'FORBIDDEN'
  if (opens[commandCodes[change.type]] === 1 && isFull(x)) return 'EXCHANGE_FULL'
  return deciders[change.type](x, data, start + DECIDE_CHANGE)
}

/** Whether the change halts a market, or closes margin trading, withdrawals, conversions or referral, and leaves everything else as it is. */
function isClosing(x: State, change: Change): boolean {
  if (change.type === 'market.set') {
    const terms = x.spotVenue(change.market)?.market.terms
    return terms !== undefined && areSame(termsSlots({ ...terms, isTrading: false }), termsSlots(change.terms))
  }
  if (change.type === 'perp.set') {
    const contract = x.perp.contract(change.market)
    if (contract === undefined) return false
    const { terms } = contract.venue.market
    const isHalt = areSame(termsSlots({ ...terms, isTrading: false }), termsSlots(change.terms))
    return isHalt && areSame(perpSlots(contract.terms), perpSlots(change.perp))
  }
  if (change.type === 'withdraw.setTerms') {
    const now = x.chain.termsOf(change.asset, change.network)
    return now !== undefined && areSame(withdrawSlots({ ...now, isOpen: false }), withdrawSlots(change.terms))
  }
  if (change.type === 'convert.setTerms') {
    const { terms } = x.convert
    return terms !== undefined && areSame(convertSlots({ ...terms, isOpen: false }), convertSlots(change.terms))
  }
  if (change.type === 'referral.setTerms') {
    const { terms } = x.referral
    return terms !== undefined && areSame(referralSlots({ ...terms, isOpen: false }), referralSlots(change.terms))
  }
  if (change.type !== 'margin.setTerms' || x.margin.terms === undefined) return false
  return areSame(marginSlots({ ...x.margin.terms, isOpen: false }), marginSlots(change.terms))
}

function termsSlots(terms: MarketTerms): Float64Array {
  const slots = new Float64Array(TERMS_SLOTS)
  writeTerms(terms, slots, 0)
  return slots
}

function perpSlots(terms: PerpTerms): Float64Array {
  const slots = new Float64Array(perpTermsSlots(terms))
  writePerpTerms(terms, slots, 0)
  return slots
}

function marginSlots(terms: MarginTerms): Float64Array {
  const slots = new Float64Array(marginTermsSlots(terms))
  writeMarginTerms(terms, slots, 0)
  return slots
}

function withdrawSlots(terms: WithdrawTerms): Float64Array {
  const slots = new Float64Array(WITHDRAW_TERMS_SLOTS)
  writeWithdrawTerms(terms, slots, 0)
  return slots
}

function convertSlots(terms: ConvertTerms): Float64Array {
  const slots = new Float64Array(convertTermsSlots(terms))
  writeConvertTerms(terms, slots, 0)
  return slots
}

function referralSlots(terms: ReferralTerms): Float64Array {
  const slots = new Float64Array(referralTermsSlots(terms))
  writeReferralTerms(terms, slots, 0)
  return slots
}

function areSame(one: Float64Array, other: Float64Array): boolean {
  return one.length === other.length && one.every((slot, i) => slot === other[i])
}
