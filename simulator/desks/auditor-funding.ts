import type { Event } from '@candor/core/protocol/event/index.ts'
import type { FundingPaid, FundingSettled } from '@candor/core/protocol/event/perp.ts'
import type { OrdersAudit } from './auditor-orders.ts'
import type { PerpAudit } from './auditor-perp.ts'
import { fail } from './failure.ts'
import type { Postings } from './postings.ts'

/** Funding: who holds a position at the end of a period pays or receives once, and nothing is lost on the way. */
export class FundingAudit {
  readonly #orders: OrdersAudit
  readonly #perp: PerpAudit
  readonly #postings: Postings
  /** Number of the last period that was settled, by market. */
  readonly #periods = new Map<number, number>()
  #parts: FundingPaid[] = []
  readonly #sums = new Map<number, number>()
  #fund = 0

  constructor(orders: OrdersAudit, perp: PerpAudit, postings: Postings) {
    this.#orders = orders
    this.#perp = perp
    this.#postings = postings
  }

  see(event: Event): void {
    if (event.type === 'perp.fundingPaid') this.#parts.push(event)
    if (event.type === 'perp.funded') this.#settled(event)
  }

  check(): void {
    if (this.#parts.length > 0) fail('funding was paid without a settlement')
    for (const [key, { account }] of this.#postings.touched) {
      if (!('user' in account) || account.kind !== 'perp') continue
      const [said, expected] = [this.#postings.posted(key, 'funding'), this.#sums.get(account.user) ?? 0]
      if (said !== expected) fail(`${key} has ${said} of funding, its parts are ${expected}`)
      this.#sums.delete(account.user)
    }
    for (const [user, sum] of this.#sums) if (sum !== 0) fail(`user ${user} has no entry for funding of ${sum}`)
    if (this.#postings.posted('insurance 1', 'funding') !== this.#fund) fail('the insurance fund has not what funding left')
    this.#sums.clear()
    this.#fund = 0
  }

  #settled({ market, rate, mark, paid, received, rest, at }: FundingSettled): void {
    const parts = this.#parts
    this.#parts = []
    const contract = this.#orders.markets.get(market)
    const { fundingCap, fundingHours } = contract?.perp ?? fail(`funding in market ${market}`)
    const unit = contract?.quotePerTickLot as number
    if (paid !== received + rest || rest < 0 || Math.abs(rate) > fundingCap)
      fail(`funding of ${paid} at ${rate}: ${received} received, rest ${rest}`)
    if (mark !== this.#perp.marks.get(market)) fail(`funding at a mark of ${mark}`)
    const period = Math.floor(at / (fundingHours * 3_600_000))
    if (period <= (this.#periods.get(market) ?? 0)) fail(`funding of market ${market} twice in a period`)
    this.#periods.set(market, period)
    let [paidByUsers, receivedByUsers] = [0, 0]
    for (const { user, position, lots, amount, rate: own } of parts) {
      const place = this.#perp.open(market).find((one) => one.user === user && one.told?.position === position)
      if (own !== rate || place?.lots !== lots) fail(`funding of position ${position} of ${lots} lots at ${own}`)
      const whole = BigInt(mark) * BigInt(Math.abs(lots)) * BigInt(unit) * BigInt(Math.abs(rate))
      const isPayer = lots > 0 === rate > 0
      const most = Number((whole + (isPayer ? 999_999_999n : 0n)) / 1_000_000_000n)
      if (isPayer ? amount > 0 || -amount > most : amount < 0 || amount > most)
        fail(`position ${position} has ${amount} of funding, at most ${most}`)
      if (isPayer) paidByUsers -= amount
      else receivedByUsers += amount
      this.#sums.set(user, (this.#sums.get(user) ?? 0) + amount)
    }
    if (receivedByUsers !== received || Math.max(paidByUsers, received) !== paid)
      fail(`funding of ${paid} and ${received}, parts say ${paidByUsers} and ${receivedByUsers}`)
    const told = new Set(parts.map(({ position }) => position))
    const due = this.#perp.open(market).filter(({ lots }) => rate !== 0 && Math.floor(mark * Math.abs(lots) * unit * Math.abs(rate)) >= 1e9)
    for (const { told: position } of due)
      if (!told.has(position?.position as never)) fail(`position ${position?.position} was left out of funding`)
    this.#fund += paidByUsers - received
  }
}
