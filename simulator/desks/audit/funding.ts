import type { Event } from '@candor/core/protocol/event/index.ts'
import type { FundingDue, FundingPaid, FundingSettled } from '@candor/core/protocol/event/perp.ts'
import type { OrdersAudit } from './orders.ts'
import type { PerpAudit } from './perp.ts'
import { fail } from '../failure.ts'
import type { Postings } from './postings.ts'

/** A period that is being settled: the positions at its end, and the payments since. */
type Round = {
  readonly due: FundingDue
  readonly lots: ReadonlyMap<number, number>
  readonly paidPositions: Set<number>
  paid: number
  received: number
}

/** Checks funding: each position at the end of a period pays or receives once, at the rate of that time, and no money is lost. */
export class FundingAudit {
  readonly #orders: OrdersAudit
  readonly #perp: PerpAudit
  readonly #postings: Postings
  /** Number of the last period that was settled, by market. */
  readonly #periods = new Map<number, number>()
  readonly #rounds = new Map<number, Round>()
  /** By position: the part that it could not pay, which it owes to the fund. */
  readonly #advances = new Map<number, number>()
  /** By user: the sum of these over all positions. */
  readonly #owed = new Map<number, number>()
  // State of the current command:
  readonly #sums = new Map<number, number>()
  #fund = 0

  constructor(orders: OrdersAudit, perp: PerpAudit, postings: Postings) {
    this.#orders = orders
    this.#perp = perp
    this.#postings = postings
  }

  see(event: Event): void {
    if (event.type === 'perp.fundingDue') this.#begin(event)
    if (event.type === 'perp.fundingPaid') this.#part(event)
    if (event.type === 'perp.funded') this.#settled(event)
  }

  check(): void {
    for (const [key, { account }] of this.#postings.touched) {
      if (!('user' in account) || account.kind !== 'perp') continue
      const [posted, expected] = [this.#postings.posted(key, 'funding'), this.#sums.get(account.user) ?? 0]
      if (posted !== expected) fail(`${key} has ${posted} of funding, its parts are ${expected}`)
      this.#sums.delete(account.user)
    }
    for (const [user, sum] of this.#sums) if (sum !== 0) fail(`user ${user} has no entry for funding of ${sum}`)
    if (this.#postings.posted('insurance 1', 'funding') !== this.#fund) fail('the insurance fund has not what funding left')
    for (const user of this.#perp.debtors) if ((this.#owed.get(user) ?? 0) === 0) this.#perp.debtors.delete(user)
    this.#sums.clear()
    this.#fund = 0
  }

  #begin(due: FundingDue): void {
    const { market, rate, mark, at } = due
    const { fundingCap, fundingHours } = this.#orders.markets.get(market)?.perp ?? fail(`funding in market ${market}`)
    if (this.#rounds.has(market)) fail(`funding of market ${market} begins before the period before is settled`)
    if (Math.abs(rate) > fundingCap) fail(`funding at ${rate}`)
    if (mark !== this.#perp.marks.get(market)) fail(`funding at a mark of ${mark}`)
    const period = Math.floor(at / (fundingHours * 3_600_000))
    if (period <= (this.#periods.get(market) ?? 0)) fail(`funding of market ${market} twice in a period`)
    this.#periods.set(market, period)
    // The insurance fund's inventory belongs to no user.
    const users = this.#perp.open(market).filter(({ user }) => user !== 0)
    const lots = new Map(users.map((holding) => [holding.reported?.position as number, holding.lots]))
    this.#rounds.set(market, { due, lots, paidPositions: new Set(), paid: 0, received: 0 })
  }

  #part(event: FundingPaid): void {
    const { user, market, position, lots, amount, rate } = event
    this.#sums.set(user, (this.#sums.get(user) ?? 0) + amount)
    this.#fund -= amount
    if (rate === 0 && amount < 0) return this.#paidBack(event)
    const round = this.#rounds.get(market)
    if (round === undefined) return fail(`funding of position ${position} without a period`)
    if (rate !== round.due.rate || round.lots.get(position) !== lots || round.paidPositions.has(position))
      fail(`funding of position ${position} of ${lots} lots at ${rate}`)
    round.paidPositions.add(position)
    const unit = this.#orders.markets.get(market)?.quotePerTickLot as number
    const whole = BigInt(round.due.mark) * BigInt(Math.abs(lots)) * BigInt(unit) * BigInt(Math.abs(rate))
    const isPayer = lots > 0 === rate > 0
    const most = Number((whole + (isPayer ? 999_999_999n : 0n)) / 1_000_000_000n)
    if (isPayer ? amount > 0 || -amount > most : amount < 0 || amount > most)
      fail(`position ${position} has ${amount} of funding, at most ${most}`)
    if (isPayer && most + amount > 0) this.#owe(user, position, most + amount)
    if (isPayer) round.paid -= amount
    else round.received += amount
  }

  #paidBack({ user, position, amount }: FundingPaid): void {
    if ((this.#advances.get(position) ?? 0) + amount < 0) fail(`position ${position} pays back more than it owed`)
    this.#owe(user, position, amount)
  }

  #owe(user: number, position: number, amount: number): void {
    this.#advances.set(position, (this.#advances.get(position) ?? 0) + amount)
    const owed = (this.#owed.get(user) ?? 0) + amount
    this.#owed.set(user, owed)
    if (owed > 0) this.#perp.debtors.add(user)
  }

  #settled({ market, rate, mark, paid, received, rest, at }: FundingSettled): void {
    const round = this.#rounds.get(market)
    if (round === undefined) return fail(`funding in market ${market} without a period`)
    this.#rounds.delete(market)
    const { due, lots, paidPositions } = round
    if (rate !== due.rate || mark !== due.mark || at !== due.at) fail(`funding of market ${market} at ${rate} and ${mark}`)
    if (paid !== received + rest || rest < 0 || paid < round.paid || received !== round.received)
      fail(`funding of ${paid} and ${received}, rest ${rest}: parts say ${round.paid} and ${round.received}`)
    const unit = this.#orders.markets.get(market)?.quotePerTickLot as number
    for (const [position, size] of lots) {
      const isDue = rate !== 0 && Math.floor(mark * Math.abs(size) * unit * Math.abs(rate)) >= 1e9
      if (isDue && !paidPositions.has(position)) fail(`position ${position} was left out of funding`)
    }
  }
}
