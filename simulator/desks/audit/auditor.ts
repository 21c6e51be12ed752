import type { Event } from '@candor/core/protocol/event/index.ts'
import type { Exchange } from '@candor/core/exchange/exchange.ts'
import { accountKey } from '../../auditor.ts'
import type { Step } from '../../workload.ts'
import { FundingAudit } from './funding.ts'
import { FundsAudit } from './funds.ts'
import { LendingAudit } from './lending.ts'
import { MarginAudit } from './margin.ts'
import { OptionAudit } from './option.ts'
import { OrdersAudit } from './orders.ts'
import { PerpAudit } from './perp.ts'
import { PerpFeesAudit } from './perp-fees.ts'
import { fail } from '../failure.ts'
import { Postings } from './postings.ts'

/**
 * Checks all desks by commands and events alone: after every command it compares the moved money with trades, loans, claims and
 * the tape.
 */
export class DesksAuditor {
  readonly #postings = new Postings()
  readonly #orders = new OrdersAudit(this.#postings)
  readonly #perp = new PerpAudit(this.#orders, this.#postings)
  readonly #perpFees = new PerpFeesAudit(this.#orders.markets)
  readonly #funding = new FundingAudit(this.#orders, this.#perp, this.#postings)
  readonly #funds = new FundsAudit(this.#postings)
  readonly #margin = new MarginAudit(this.#postings)
  readonly #lending = new LendingAudit()
  readonly #option = new OptionAudit(this.#postings)
  #seq = 0

  /** Takes the events of one command. Throws DesksFailure if they are impossible. */
  follow({ command, stamp }: Step, events: readonly Event[]): void {
    const outcome = events.at(-1)
    if (outcome?.type !== 'outcome') return fail('a command without an outcome')
    if (outcome.seq !== ++this.#seq || outcome.at !== stamp.at) fail(`outcome ${outcome.seq} at ${outcome.at}`)
    if ((outcome.refusal !== undefined || outcome.isRepeat) && events.length > 1) fail('a refused or repeated command changed something')
    this.#postings.begin()
    this.#perpFees.begin(stamp.at)
    this.#margin.begin(stamp.at)
    this.#lending.begin(stamp.at)
    this.#option.begin(stamp.at)
    // Entries are the last events of a command, so their sums are compared only after this loop.
    for (const event of events) {
      this.#perp.see(event)
      this.#orders.see(event)
      this.#perpFees.see(event)
      this.#funding.see(event)
      this.#margin.see(event)
      this.#lending.see(event, command)
      this.#option.see(event, command)
      if (event.type === 'entry') this.#postings.see(event)
    }
    this.#postings.check()
    this.#funds.check(command, outcome)
    this.#orders.check()
    this.#perp.check()
    this.#perpFees.check()
    this.#funding.check()
    this.#margin.check(command, outcome)
    this.#option.check(command)
  }

  /** Checks the whole state, including the exchange's own queries. */
  checkAll(exchange: Exchange): void {
    this.#postings.checkAll()
    this.#orders.checkAll()
    this.#perp.checkAll()
    this.#margin.checkAll()
    const text = (all: ReturnType<Postings['balances']>): string =>
      all
        .map(({ account, available, held }) => `${accountKey(account)}: ${available} + ${held}`)
        .sort()
        .join('\n')
    const [summed, has] = [text(this.#postings.balances()), text(exchange.accounts())]
    if (summed !== has) fail(`entries add up to other balances than the exchange has:\n${summed}\n---\n${has}`)
    const { sums, violations } = exchange.trialBalance()
    if (violations.length > 0 || sums.some((sum) => sum !== 0)) fail(`trial balance: ${violations.join(', ')} ${sums.join(' ')}`)
  }
}
