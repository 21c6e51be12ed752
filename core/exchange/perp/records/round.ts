import type { OrderId, PositionNumber, UserId } from '../../../protocol/ids.ts'
import type { Lots, Millis, Ticks, Units } from '../../../money/brand.ts'
import { layoutOf, putRecord } from '../../../protocol/codec/records.ts'
import type { Records } from '../../../protocol/codec/records.ts'
import { countAt } from '../../../protocol/codec/slots.ts'

/** Claim of a position that changed before its turn to receive: its part was fixed together with the others. */
export type Claim = {
  readonly user: UserId
  readonly side: PositionNumber
  readonly position: OrderId
  readonly lots: Lots
  readonly part: Units
}

const ROUND = layoutOf('rate', 'mark', 'atMs', 'isPaying', 'cursor', 'paid', 'missing', 'owed', 'pot', 'advanced', 'received', 'claimCount')
const CLAIM = layoutOf('user', 'side', 'position', 'lots', 'part')

/**
 * A funding period being settled, one page of users at a time: first all payers, then all receivers. Rate, mark and lots are
 * those at the end of the period. A position that changes before its turn is settled first.
 */
export class Round {
  readonly rate: number
  readonly mark: Ticks
  readonly atMs: Millis
  isPaying = true
  /** The next user to settle. */
  cursor = 1
  /** Total paid by the payers, total that they could not pay, and total of the receivers' parts. */
  paid = 0 as Units
  missing = 0
  owed = 0 as Units
  /** Money for the receivers once all have paid; the fund's advance in it; and the part that is already paid out. */
  pot = 0
  advanced = 0 as Units
  received = 0 as Units
  readonly claims: Claim[] = []

  constructor(rate: number, mark: Ticks, atMs: Millis) {
    this.rate = rate
    this.mark = mark
    this.atMs = atMs
  }

  dump(into: Records): void {
    const { rate, mark, atMs, isPaying, cursor, paid, missing, owed, pot, advanced, received, claims } = this
    const sums = { paid, missing, owed, pot, advanced, received }
    putRecord(into, ROUND, { rate, mark, atMs, isPaying, cursor, ...sums, claimCount: claims.length })
    for (const claim of claims) putRecord(into, CLAIM, claim)
  }

  /** Returns the round and the index just after it. */
  static restore(data: Float64Array, at: number): { readonly round: Round; readonly end: number } {
    const round = new Round(data[at + ROUND.rate]!, data[at + ROUND.mark] as Ticks, data[at + ROUND.atMs] as Millis)
    round.isPaying = data[at + ROUND.isPaying] === 1
    round.cursor = data[at + ROUND.cursor]!
    round.paid = data[at + ROUND.paid] as Units
    round.missing = data[at + ROUND.missing]!
    round.owed = data[at + ROUND.owed] as Units
    round.pot = data[at + ROUND.pot]!
    round.advanced = data[at + ROUND.advanced] as Units
    round.received = data[at + ROUND.received] as Units
    const claims = at + ROUND.length
    const end = claims + countAt(data, at + ROUND.claimCount, CLAIM.length) * CLAIM.length
    for (let from = claims; from < end; from += CLAIM.length) {
      round.claims.push({
        user: data[from + CLAIM.user] as UserId,
        side: data[from + CLAIM.side] as PositionNumber,
        position: data[from + CLAIM.position] as OrderId,
        lots: data[from + CLAIM.lots] as Lots,
        part: data[from + CLAIM.part] as Units,
      })
    }
    return { round, end }
  }
}
