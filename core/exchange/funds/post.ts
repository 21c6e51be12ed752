import { supplyMax } from '../../ledger/ledger.ts'
import { POSTING } from '../../ledger/reasons.ts'
import type { Row } from '../../ledger/row.ts'
import { decodeCommand } from '../../protocol/codec/command.ts'
import { postingAccounts, type PostFunds, type PostingPlace } from '../../protocol/command/funds.ts'
import type { AssetId } from '../../protocol/ids.ts'
import { areDeciders } from '../state/deciders.ts'
import type { Handler } from '../state/handler.ts'
import { isFull } from '../state/room.ts'
import type { State } from '../state/state.ts'

/** Accounts of the exchange that a posting may take from. */
const sources: readonly string[] = postingAccounts.slice(0, 5)
/** Funds that are in USDT alone. */
const usdtFunds: readonly string[] = ['insurance', 'option-house']
const CHAIN = 'outside:chain'

/**
 * `funds.post`: a posting by hand between a customer's spot account and the exchange, or between accounts of the exchange. Two
 * different people of the staff decide it, never about an account that is marked as one of the staff, and never from one customer to
 * another. A decision that was carried out before changes nothing. Money that enters from `outside:chain` counts as issued, and money
 * that leaves to it no longer does.
 */
export const postFunds: Handler = (x, data, start) => {
  const { decision, from, to, asset, amount, proposer, approver, reason } = decodeCommand(data, start).command as PostFunds
  if (!areDeciders({ proposer, approver, reason }) || !(decision > 0)) return 'FIELD_INVALID'
  if (proposer === approver) return 'FORBIDDEN'
  // Whatever has changed since it was carried out: a repeat that is refused would look like a posting that never was.
  if (x.postings.has(decision)) return undefined
  if (isFull(x)) return 'EXCHANGE_FULL'
  for (const place of [from, to]) {
    if (!('user' in place)) continue
    if (!x.isUser(place.user)) return 'USER_UNKNOWN'
    if (x.isStaff(place.user)) return 'FORBIDDEN'
  }
  if (!x.isAsset(asset)) return 'ASSET_UNKNOWN'
  if (nameOf(from) === nameOf(to)) return 'ACCOUNT_SAME'
  if ('user' in from && 'user' in to) return 'ACCOUNT_CLOSED'
  if (('system' in from && !sources.includes(from.system)) || ('system' in to && !postingAccounts.includes(to.system)))
    return 'ACCOUNT_CLOSED'
  if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
  if ('system' in to && usdtFunds.includes(to.system) && asset !== x.usdt) return 'ASSET_NOT_IN_ACCOUNT'
  const isFromChain = nameOf(from) === CHAIN
  if (isFromChain && amount > x.ledger.issuable(asset)) return 'SUPPLY_EXCEEDED'
  if (!isFromChain && x.ledger.available(rowBefore(x, from, asset)) < amount) return 'INSUFFICIENT_BALANCE'
  // Borrowed money and the profit of open positions are not issued, so they can't leave.
  if (nameOf(to) === CHAIN && amount > supplyMax - x.ledger.issuable(asset)) return 'SUPPLY_EXCEEDED'

  x.postings.add(decision)
  const [source, target] = [rowOf(x, from, asset), rowOf(x, to, asset)]
  if (isFromChain) x.ledger.issue(source, target, asset, amount, POSTING)
  else if (nameOf(to) === CHAIN) x.ledger.redeem(source, target, asset, amount, POSTING)
  else {
    x.ledger.debit(source, amount, POSTING)
    x.ledger.credit(target, amount, POSTING)
  }
  return undefined
}

function nameOf(place: PostingPlace): string | number {
  return 'user' in place ? place.user : place.system
}

/** Before the posting is decided no account is made. */
function rowBefore(x: State, place: PostingPlace, asset: AssetId): Row {
  return 'user' in place ? x.ledger.findSpot(place.user, asset) : x.ledger.systemRow(place.system, asset)
}

function rowOf(x: State, place: PostingPlace, asset: AssetId): Row {
  return 'user' in place ? x.ledger.spotRow(place.user, asset) : x.ledger.systemRow(place.system, asset)
}
