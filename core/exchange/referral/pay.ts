import { REFERRAL } from '../../ledger/reasons.ts'
import type { Ppm, Units } from '../../money/brand.ts'
import { decodeEvent, eventCodes } from '../../protocol/codec/event.ts'
import { lengthOf, opcodeOf } from '../../protocol/codec/records.ts'
import type { HomeNumber } from '../../protocol/codec/region.ts'
import { writeReferralPaid } from '../../protocol/codec/referral/write.ts'
import type { ReferralTerms } from '../../protocol/command/referral.ts'
import type { Traded } from '../../protocol/event/index.ts'
import type { AssetId, UserId } from '../../protocol/ids.ts'
import { commission } from '../../risk/referral.ts'
import type { State } from '../state/state.ts'

const dayMs = 86_400_000

/** A sum that is worth something in every asset with a price. */
const priced = (2 ** 50) as Units

/** One side of a trade: the user who paid a fee, the fee with its asset, and the value of the trade in USDT units. */
type Side = { readonly trade: Traded; readonly invitee: UserId; readonly asset: AssetId; readonly fee: Units; readonly value: Units }
type Receiver = { readonly inviter: UserId; readonly level: 1 | 2; readonly sharePpm: Ppm }

/**
 * Pays the commission of the command's trades, as its events tell them, out of the fees that these trades have paid. What cannot be
 * paid now stays in the fees for good.
 */
export function payReferrals(x: State): void {
  const { events, referral } = x
  referral.isDue = false
  if (referral.terms?.isOpen !== true) return
  const end = events.length
  // Payments write events and may replace the memory: it is read anew for each.
  for (let at = x.eventsFrom; at < end; at += lengthOf(events.data[at]!))
    if (opcodeOf(events.data[at]!) === eventCodes.traded) payTrade(x, referral.terms, decodeEvent(events.data, at) as Traded)
}

/** The user's inviter while their bond lasts, 0 for none. */
export function inviterOf(x: State, user: UserId): UserId {
  return (x.isInvited(user) ? x.referrers[user]! : 0) as UserId
}

/** Whether a user may take part in referral as inviter or invitee. */
export function mayTakePart(x: State, user: UserId): boolean {
  if (!x.isCertified(user) || x.isFrozen(user) || x.isHouse(user) || x.isStaff(user)) return false
  return !x.referral.isClosedIn(x.facts.region(user) as HomeNumber)
}

function payTrade(x: State, terms: ReferralTerms, trade: Traded): void {
  const { makerUser: maker, takerUser: taker } = trade
  if (maker === taker || trade.isHouse === true) return
  const receivers = [maker, taker].flatMap((user) => [inviterOf(x, user), inviterOf(x, inviterOf(x, user))])
  // Nobody is paid for trades in which they took part themselves, and such a trade pays nobody else either.
  if (receivers.some((receiver) => receiver !== 0 && (receiver === maker || receiver === taker))) return
  const { base, quote, perp } = x.venue(trade.market)!.market
  const value = x.usdtValue(quote, trade.quote)
  // Buyers pay in what they bought, except for Futures, where all fees are in USDT.
  const [makerAsset, takerAsset] = perp !== undefined ? [quote, quote] : trade.takerSide === 'buy' ? [quote, base] : [base, quote]
  paySide(x, terms, { trade, invitee: maker, asset: makerAsset, fee: trade.makerFee, value })
  paySide(x, terms, { trade, invitee: taker, asset: takerAsset, fee: trade.takerFee, value })
}

function paySide(x: State, terms: ReferralTerms, side: Side): void {
  const { referral } = x
  const { invitee, value } = side
  const [first, second] = [inviterOf(x, invitee), inviterOf(x, inviterOf(x, invitee))]
  if (first === 0 || !mayTakePart(x, invitee)) return
  if (x.atMs >= referral.openedAt.get(invitee)! + terms.days * dayMs) return
  if (mayTakePart(x, first)) {
    const found = referral.volumes.find(first, x.atMs)
    pay(x, terms, side, { inviter: first, level: 1, sharePpm: terms.tiers[referral.volumes.tierAt(found)]!.sharePpm })
    referral.volumes.addAt(found, first, x.atMs, value)
  }
  if (second !== 0 && mayTakePart(x, second)) pay(x, terms, side, { inviter: second, level: 2, sharePpm: terms.secondPpm })
}

/** Pays one receiver, unless a cap of the day would be exceeded or the asset has no price to count by. */
function pay(x: State, terms: ReferralTerms, side: Side, { inviter, level, sharePpm }: Receiver): void {
  const { ledger, referral } = x
  const { invitee, asset } = side
  const { market, trade } = side.trade
  const amount = commission(side.fee, sharePpm)
  if (amount === 0) return
  const value = x.usdtValue(asset, amount)
  if (value === 0 && x.usdtValue(asset, priced) === 0) return
  if (referral.byInvitee.on(invitee, x.atMs) + value > terms.inviteeDayMax) return
  if (referral.byInviter.on(inviter, x.atMs) + value > terms.inviterDayMax) return
  // The reserve of accounts belongs to orders that are open already.
  if (ledger.isShort) return
  ledger.debit(ledger.feeRow(asset), amount, REFERRAL)
  ledger.credit(ledger.spotRow(inviter, asset), amount, REFERRAL)
  referral.byInvitee.add(invitee, x.atMs, value)
  referral.byInviter.add(inviter, x.atMs, value)
  writeReferralPaid(x.events, { inviter, invitee, level, asset, amount, value, market, trade })
}
