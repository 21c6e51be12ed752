import type { SystemAccount } from '@candor/core/protocol/account.ts'
import type { PresaleTerms } from '@candor/core/protocol/command/presale.ts'
import type { PresaleAllocated, PresaleEvent } from '@candor/core/protocol/event/presale.ts'
import type { EntryReason, Event } from '@candor/core/protocol/event/index.ts'
import type { AssetId } from '@candor/core/protocol/ids.ts'
import { accountKey } from '../auditor.ts'

const reasons: ReadonlySet<EntryReason> = new Set(['presale-subscribe', 'presale-refund', 'presale-allocate', 'presale-release'])
const dayMs = 86_400_000

type Sale = {
  terms: PresaleTerms
  readonly sums: Map<number, number>
  readonly got: Map<number, PresaleAllocated>
  readonly free: Map<number, number>
  isEnded: boolean
}

/** Checks presales by events alone: what may follow what, the entries of each, who got how much of what, and when. */
export class PresaleAudit {
  readonly #sales = new Map<number, Sale>()
  /** Of the running command: what accounts should gain for a reason, available and held. */
  #expected = new Map<string, number>()
  sold = 0
  released = 0

  /** Takes the events of one command at this time. Throws when they are impossible. */
  follow(events: readonly Event[], at: number): void {
    this.#expected = new Map()
    for (const event of events) if (event.type.startsWith('presale.')) this.#see(event as PresaleEvent, at)
    for (const event of events) {
      if (event.type !== 'entry' || !reasons.has(event.reason)) continue
      const { account, reason, delta, heldDelta } = event
      this.#gains(`${accountKey(account)} ${reason} available`, -delta)
      this.#gains(`${accountKey(account)} ${reason} held`, -heldDelta)
    }
    for (const [what, missing] of this.#expected) if (missing !== 0) throw new Error(`${what} differs by ${missing} from its event`)
  }

  #see(event: PresaleEvent, at: number): void {
    if (event.type === 'presale.set') return this.#set(event.presale, event.terms, at)
    const sale = this.#sales.get(event.presale)
    if (sale === undefined) throw new Error(`${event.type} of an unknown presale ${event.presale}`)
    const { terms, sums, got, free } = sale
    const key = (asset: AssetId): string => ('user' in event ? accountKey({ user: event.user, kind: 'spot', asset }) : '')
    const own = (system: SystemAccount, asset: AssetId): string => accountKey({ system, asset })
    switch (event.type) {
      case 'presale.subscribed': {
        must(at >= terms.startsAt && at < terms.endsAt && !sale.isEnded, 'a subscription outside of the window')
        sums.set(event.user, (sums.get(event.user) ?? 0) + event.amount)
        const total = [...sums.values()].reduce((all, one) => all + one, 0)
        must(event.total === sums.get(event.user) && event.total <= terms.subscriptionMax, 'a wrong total')
        must(event.subscribed === total && event.subscribers === sums.size, 'a wrong sum of subscriptions')
        this.#gains(`${key(terms.pay)} presale-subscribe available`, -event.amount)
        this.#gains(`${own('presale-escrow', terms.pay)} presale-subscribe available`, event.amount)
        return
      }
      case 'presale.allocated': {
        must(event.cost + event.refunded === sums.get(event.user) && event.refunded >= 0, 'cost and refund are not the subscription')
        must(event.allocated <= terms.purchaseLimit && event.released <= event.allocated && !got.has(event.user), 'a wrong allocation')
        got.set(event.user, event)
        free.set(event.user, event.released)
        this.#gains(`${key(terms.token)} presale-allocate available`, event.released)
        this.#gains(`${key(terms.token)} presale-allocate held`, event.allocated - event.released)
        this.#gains(`${key(terms.pay)} presale-refund available`, event.refunded)
        this.#gains(`${own('presale-escrow', terms.pay)} presale-refund available`, -event.refunded)
        return
      }
      case 'presale.ended': {
        must(got.size === sums.size && !sale.isEnded, 'an end without all allocations')
        sale.isEnded = true
        const all = [...got.values()]
        must(event.sold === all.reduce((sum, one) => sum + one.allocated, 0) && event.sold <= terms.supply, 'a wrong sum of sold tokens')
        must(event.proceeds === all.reduce((sum, one) => sum + one.cost, 0), 'wrong proceeds')
        if (event.outcome === 'cancelled') must(at < terms.endsAt && event.sold === 0, 'a cancelled presale sold')
        else must(at >= terms.endsAt, 'an early end')
        if (event.outcome === 'allocated') this.#compareShares(sale, event.sold)
        this.sold += event.sold
        this.#gains(`${own('presale-escrow', terms.pay)} presale-allocate available`, -event.proceeds)
        this.#gains(`${own('presale-proceeds', terms.pay)} presale-allocate available`, event.proceeds)
        this.#gains(`${own('presale-tokens', terms.token)} presale-allocate held`, -event.sold)
        return
      }
      case 'presale.released': {
        const before = free.get(event.user)!
        must(sale.isEnded && event.amount > 0 && event.released === before + event.amount, 'a wrong release')
        must(event.released <= got.get(event.user)!.allocated && at >= terms.endsAt + event.day * dayMs, 'an early release')
        free.set(event.user, event.released)
        this.released++
        this.#gains(`${key(terms.token)} presale-release available`, event.amount)
        this.#gains(`${key(terms.token)} presale-release held`, -event.amount)
        return
      }
      case 'presale.unlocked':
        for (const [user, { allocated }] of got)
          must(free.get(user) === allocated, `locked tokens of user ${user} after the end of the lock-up`)
        if ([...got.values()].some(({ allocated, released }) => released < allocated))
          must(at >= terms.endsAt + terms.release.lockDays * dayMs, 'an early end of the lock-up')
    }
  }

  #set(presale: number, terms: PresaleTerms, at: number): void {
    const known = this.#sales.get(presale)
    must(known === undefined || (at < known.terms.startsAt && !known.isEnded), 'terms of a presale that has begun')
    if (known === undefined) this.#sales.set(presale, { terms, sums: new Map(), got: new Map(), free: new Map(), isEnded: false })
    else known.terms = terms
  }

  /** Whoever gets less than they could take has about the same share of their sum as all such, and then nothing is left over. */
  #compareShares({ terms, sums, got }: Sale, sold: number): void {
    const { price, purchaseLimit, supply } = terms
    const short = [...got.values()].filter(({ user, allocated }) => {
      const buys = (BigInt(sums.get(user)!) * BigInt(price.per)) / BigInt(price.pay)
      return allocated < purchaseLimit && BigInt(allocated) < buys
    })
    must(short.length === 0 || sold === supply, 'tokens are left over, and a subscriber got less than they pay for')
    // (other − 1) ÷ its sum is at most (one + 1) ÷ its sum: nobody is served better than somebody who got too little.
    for (const one of short)
      for (const other of got.values())
        must(
          BigInt(other.allocated - 1) * BigInt(sums.get(one.user)!) <= BigInt(one.allocated + 1) * BigInt(sums.get(other.user)!),
          `user ${other.user} is served better than user ${one.user}`,
        )
  }

  #gains(what: string, amount: number): void {
    this.#expected.set(what, (this.#expected.get(what) ?? 0) + amount)
  }
}

function must(isRight: boolean, said: string): void {
  if (!isRight) throw new Error(said)
}
