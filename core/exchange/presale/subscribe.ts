import { PRESALE_SUBSCRIBE } from '../../ledger/reasons.ts'
import { decodeCommand } from '../../protocol/codec/command.ts'
import { writePresaleSubscribed } from '../../protocol/codec/presale/write.ts'
import type { SubscribePresale } from '../../protocol/command/presale.ts'
import { movementsFrom, type OrderId } from '../../protocol/ids.ts'
import type { Handler } from '../state/handler.ts'
import { subscribersMax } from './records/state.ts'
import { escrowRow } from './rows.ts'

/** `presale.subscribe`: moves the sum into escrow until the end. */
export const subscribePresale: Handler = (x, data, start) => {
  const { user, presale: number, amount } = decodeCommand(data, start).command as SubscribePresale
  const { ledger } = x
  const { presales, over } = x.presale
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (x.isResting(user)) return 'RESTING'
  if (x.isBarred(user)) return 'STAFF_BARRED'
  // A firm is one customer, with one largest sum and one share.
  if (x.firm.isSub(user)) return 'FIRM_MAIN_ONLY'
  const presale = presales.get(number)
  if (presale === undefined) return over.has(number) ? 'PRESALE_STATE' : 'PRESALE_UNKNOWN'
  const { token, pay, startsAt, endsAt, subscriptionMin, subscriptionMax } = presale.terms
  if (x.atMs < startsAt || x.atMs >= endsAt || presale.holders !== undefined) return 'PRESALE_STATE'
  if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
  if (ledger.available(ledger.findSpot(user, pay)) < amount) return 'INSUFFICIENT_BALANCE'
  if (!x.isCertified(user)) return 'NOT_CERTIFIED'
  const before = presale.sums.get(user) ?? 0
  if (before + amount < subscriptionMin) return 'AMOUNT_TOO_SMALL'
  if (before + amount > subscriptionMax) return 'PRESALE_LIMIT'
  if (before === 0 && presale.sums.size >= subscribersMax) return 'PRESALE_FULL'

  x.order = (movementsFrom + x.seq) as OrderId
  // Made here, so that the allocation itself opens no account.
  ledger.spotRow(user, token)
  ledger.debit(ledger.findSpot(user, pay), amount, PRESALE_SUBSCRIBE)
  ledger.credit(escrowRow(x, pay), amount, PRESALE_SUBSCRIBE)
  presale.add(user, amount)
  const { sums, subscribed } = presale
  writePresaleSubscribed(x.events, { presale: number, user, amount, total: sums.get(user)!, subscribed, subscribers: sums.size })
  return undefined
}
