import { PRESALE_ALLOCATE, PRESALE_REFUND, RELEASE } from '../../ledger/reasons.ts'
import type { Days, Units } from '../../money/brand.ts'
import { decodeCommand } from '../../protocol/codec/command.ts'
import { writePresaleAllocated, writePresaleEnded, writePresaleUnlocked } from '../../protocol/codec/presale/write.ts'
import type { CancelPresale } from '../../protocol/command/presale.ts'
import type { PresaleOutcome } from '../../protocol/wire/presale.ts'
import { allocate, costOf, releasedBy } from '../../risk/presale.ts'
import type { Handler } from '../state/handler.ts'
import type { State } from '../state/state.ts'
import type { Holder, Presale } from './records/state.ts'
import { escrowRow, proceedsRow, tokensRow } from './rows.ts'

/** `presale.cancel`: refunds everything. */
export const cancelPresale: Handler = (x, data, start) => {
  const { presale: number } = decodeCommand(data, start).command as CancelPresale
  const presale = x.presale.presales.get(number)
  if (presale === undefined) return x.presale.over.has(number) ? 'PRESALE_STATE' : 'PRESALE_UNKNOWN'
  if (x.atMs >= presale.terms.endsAt) return 'PRESALE_STATE'
  end(x, presale, presale.terms.supply, [], 'cancelled')
  return undefined
}

/** Ends the first presale whose time is over. One at a time: it may have many subscribers. Returns whether there was one. */
export function endNext(x: State): boolean {
  for (const presale of x.presale.presales.values()) {
    if (presale.holders !== undefined || x.atMs < presale.terms.endsAt) continue
    decide(x, presale)
    return true
  }
  return false
}

/** Allocates, or refunds everything when the sale would bring less than its soft cap. */
function decide(x: State, presale: Presale): void {
  const { terms, sums } = presale
  const shares = allocate([...sums.values()], terms)
  const costs = shares.map((share) => costOf(share, terms.price))
  const isMissed = sumOf(costs) < terms.softCap
  end(x, presale, terms.supply, isMissed ? [] : shares, isMissed ? 'missed' : 'allocated')
}

/**
 * Pays everybody out of escrow, and gives them their tokens, of which the locked ones are held. The exchange's own accounts move once,
 * for all subscribers together.
 *
 * shares     token units by subscriber; empty when everything is refunded
 */
function end(x: State, presale: Presale, supply: Units, shares: readonly Units[], outcome: PresaleOutcome): void {
  const { ledger, events } = x
  const { number, terms, sums, subscribed } = presale
  const { token, pay, price, release } = terms
  const sold = sumOf(shares)
  const proceeds = sumOf(shares.map((share) => costOf(share, price)))
  ledger.debit(escrowRow(x, pay), proceeds, PRESALE_ALLOCATE)
  ledger.debit(escrowRow(x, pay), (subscribed - proceeds) as Units, PRESALE_REFUND)
  ledger.credit(proceedsRow(x, pay), proceeds, PRESALE_ALLOCATE)
  ledger.change(tokensRow(x, token), 0 as Units, -sold as Units, PRESALE_ALLOCATE)
  ledger.change(tokensRow(x, token), (supply - sold) as Units, (sold - supply) as Units, RELEASE)
  const holders: Holder[] = []
  let at = 0
  for (const [user, sum] of sums) {
    const allocated = shares[at++] ?? (0 as Units)
    const cost = costOf(allocated, price)
    const refunded = (sum - cost) as Units
    const released = releasedBy(allocated, release, 0 as Days)
    ledger.change(ledger.findSpot(user, token), released, (allocated - released) as Units, PRESALE_ALLOCATE)
    ledger.credit(ledger.findSpot(user, pay), refunded, PRESALE_REFUND)
    writePresaleAllocated(events, { presale: number, user, allocated, cost, refunded, released })
    if (released < allocated) holders.push({ user, allocated, released })
  }
  sums.clear()
  presale.holders = holders
  presale.next = holders.length
  writePresaleEnded(events, { presale: number, outcome, sold, proceeds })
  if (holders.length === 0) finishPresale(x, presale, outcome === 'allocated')
}

/** Forgets a presale of which nothing is locked. `isUnlocked`: its tokens were. */
export function finishPresale(x: State, presale: Presale, isUnlocked: boolean): void {
  x.presale.finish(presale)
  if (isUnlocked) writePresaleUnlocked(x.events, { presale: presale.number })
}

function sumOf(sums: readonly Units[]): Units {
  let total = 0
  for (const sum of sums) total += sum
  return total as Units
}
