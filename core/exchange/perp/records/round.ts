import type { UserId } from '../../../protocol/ids.ts'
import type { Lots, Millis, Ticks, Units } from '../../../money/brand.ts'
import type { Records } from '../../../protocol/codec/records.ts'

/** What a position receives that changed before its turn: its part was fixed together with the others. */
export type Claim = {
  readonly user: UserId
  readonly side: number
  readonly position: number
  readonly lots: Lots
  readonly part: Units
}

/**
 * A funding period being settled, one page of users at a time: first all payers, then all receivers. Rate, mark and lots are
 * those at the end of the period. A position that changes before its turn is settled first.
 */
export class Round {
  readonly rate: number
  readonly mark: Ticks
  readonly atMs: Millis
  isPaying = true
  /** The next user to look at. */
  cursor = 1
  /** What payers paid, what they could not pay, and the parts of the receivers. */
  paid = 0 as Units
  missing = 0
  owed = 0 as Units
  /** What there is for receivers once all have paid, including what the fund advanced; and what they have received of it. */
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
    const at = into.reserve(12 + claims.length * 5)
    into.data.set([rate, mark, atMs, isPaying ? 1 : 0, cursor, paid, missing, owed, pot, advanced, received, claims.length], at)
    claims.forEach(({ user, side, position, lots, part }, n) => into.data.set([user, side, position, lots, part], at + 12 + n * 5))
  }

  /** Returns the round and the index just after it. */
  static restore(data: Float64Array, at: number): { readonly round: Round; readonly end: number } {
    const round = new Round(data[at]!, data[at + 1] as Ticks, data[at + 2] as Millis)
    round.isPaying = data[at + 3] === 1
    round.cursor = data[at + 4]!
    round.paid = data[at + 5] as Units
    round.missing = data[at + 6]!
    round.owed = data[at + 7] as Units
    round.pot = data[at + 8]!
    round.advanced = data[at + 9] as Units
    round.received = data[at + 10] as Units
    const end = at + 12 + data[at + 11]! * 5
    for (let from = at + 12; from < end; from += 5) {
      const [user, side, position, lots, part] = data.subarray(from, from + 5) as unknown as [number, number, number, number, number]
      round.claims.push({ user: user as UserId, side, position, lots: lots as Lots, part: part as Units })
    }
    return { round, end }
  }
}
