import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { DepositFinal, WithdrawalFacts } from '@candor/core/protocol/event/chain.ts'
import type { EntryReason, Event } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { accountKey } from '../auditor.ts'
import { users } from './plans.ts'

const reasons: ReadonlySet<EntryReason> = new Set(['deposit', 'deposit-reversed', 'deposit-debt', 'withdrawal', 'withdrawal-fee'])

/** Checks deposits and withdrawals by events alone: what may follow what, the entries of each, and the sums of all. */
export class ChainAudit {
  readonly #credited = new Set<string>()
  readonly #unfinal = new Map<string, number>()
  readonly #open = new Map<number, { readonly people: number; isApproved: boolean }>()
  /** By network and asset, by asset, and by user and asset. */
  readonly #flows = new Map<string, number>()
  readonly #posted = new Map<number, number>()
  readonly #debts = new Map<string, number>()
  /** Of the running command: what accounts should gain for a reason, available and held together. */
  #expected = new Map<string, number>()

  /** Takes the events of one command. Throws when they are impossible. */
  follow(events: readonly Event[]): void {
    this.#expected = new Map()
    for (const event of events) this.#see(event)
    for (const event of events) {
      if (event.type !== 'entry') continue
      const { account, reason, delta, heldDelta } = event
      if (reason === 'posting' && accountKey(account).startsWith('outside:chain')) add(this.#posted, account.asset, delta)
      if (reasons.has(reason)) add(this.#expected, `${accountKey(account)} ${reason}`, -delta - heldDelta)
    }
    for (const [what, missing] of this.#expected) if (missing !== 0) throw new Error(`${what} differs by ${missing} from its event`)
  }

  /** Compares all sums with those of the exchange. */
  checkAll(exchange: Exchange): void {
    const funds = new Map(exchange.accounts().map(({ account, available }) => [accountKey(account), available as number]))
    for (const { id } of exchange.listing().assets) {
      const flow = [...this.#flows].reduce((sum, [key, value]) => sum + (key.endsWith(` ${id}`) ? value : 0), 0)
      const debt = [...this.#debts].reduce((sum, [key, value]) => sum + (key.endsWith(` ${id}`) ? value : 0), 0)
      same(`outside:chain ${id}`, funds.get(`outside:chain ${id}`) ?? 0, (this.#posted.get(id) ?? 0) - flow)
      same(`outside:debts ${id}`, funds.get(`outside:debts ${id}`) ?? 0, -debt)
    }
    const flows = exchange.chain.flows().map(({ network, asset, flow }) => `${network} ${asset}: ${flow}`)
    const own = [...this.#flows].filter(([, flow]) => flow !== 0).map(([key, flow]) => `${key}: ${flow}`)
    same('flows', flows.toSorted().join(), own.toSorted().join())
    const open = exchange.chain.withdrawals().map(({ withdrawal, isApproved }) => `${withdrawal} ${isApproved}`)
    same('open withdrawals', open.join(), [...this.#open].map(([number, { isApproved }]) => `${number} ${isApproved}`).join())
    same('unfinal deposits', exchange.chain.unfinal().length, this.#unfinal.size)
    const debts = users.flatMap((user) =>
      exchange.chain.standing(user as UserId).debts.map(({ asset, amount }) => `${user} ${asset}: ${amount}`),
    )
    const owed = [...this.#debts].filter(([, debt]) => debt !== 0).map(([key, debt]) => `${key}: ${debt}`)
    same('debts', debts.toSorted().join(), owed.toSorted().join())
  }

  #see(event: Event): void {
    switch (event.type) {
      case 'deposit.credited': {
        const { network, credit, user, asset, amount, repaid, isFinal } = event
        const key = `${network} ${credit}`
        if (this.#credited.has(key)) throw new Error(`credit ${key} twice`)
        this.#credited.add(key)
        if (!isFinal) this.#unfinal.set(key, amount)
        add(this.#flows, `${network} ${asset}`, amount)
        this.#move(`outside:chain ${asset}`, `user ${user} spot ${asset}`, 'deposit', amount)
        this.#owe(event, -repaid)
        this.#move(`user ${user} spot ${asset}`, `outside:debts ${asset}`, 'deposit-debt', repaid)
        break
      }
      case 'deposit.final':
        this.#settle(event)
        break
      case 'deposit.orphaned': {
        const { network, user, asset, amount, taken } = event
        this.#settle(event)
        add(this.#flows, `${network} ${asset}`, -amount)
        this.#move(`user ${user} spot ${asset}`, `outside:chain ${asset}`, 'deposit-reversed', taken)
        this.#owe(event, amount - taken)
        this.#move(`outside:debts ${asset}`, `outside:chain ${asset}`, 'deposit-debt', amount - taken)
        break
      }
      case 'deposit.repaid':
        this.#owe(event, -event.amount)
        this.#move(`user ${event.user} spot ${event.asset}`, `outside:debts ${event.asset}`, 'deposit-debt', event.amount)
        break
      case 'withdrawal.requested':
        this.#open.set(event.withdrawal, { people: event.people, isApproved: false })
        break
      case 'withdrawal.approved': {
        const known = this.#known(event, false)
        const people = new Set([event.first, event.second].filter((person) => person > 0))
        if (people.size < known.people) throw new Error(`withdrawal ${event.withdrawal} approved by ${people.size}`)
        known.isApproved = true
        break
      }
      case 'withdrawal.rejected':
      case 'withdrawal.cancelled':
        this.#end(event, false)
        break
      case 'withdrawal.failed':
        this.#end(event, true)
        break
      case 'withdrawal.paid': {
        const { user, asset, network, amount, fee } = event
        this.#end(event, true)
        add(this.#flows, `${network} ${asset}`, fee - amount)
        this.#move(`user ${user} spot ${asset}`, `outside:chain ${asset}`, 'withdrawal', amount - fee)
        this.#move(`user ${user} spot ${asset}`, `fees ${asset}`, 'withdrawal-fee', fee)
        break
      }
      default:
    }
  }

  #move(from: string, to: string, reason: EntryReason, amount: number): void {
    add(this.#expected, `${from} ${reason}`, -amount)
    add(this.#expected, `${to} ${reason}`, amount)
  }

  #owe({ user, asset, debt }: { readonly user: number; readonly asset: number; readonly debt: number }, change: number): void {
    add(this.#debts, `${user} ${asset}`, change)
    same(`debt of user ${user} in ${asset}`, debt, this.#debts.get(`${user} ${asset}`) ?? 0)
  }

  #settle({ network, credit, amount }: Omit<DepositFinal, 'type'>): void {
    same(`unfinal credit ${network} ${credit}`, amount, this.#unfinal.get(`${network} ${credit}`) ?? 0)
    this.#unfinal.delete(`${network} ${credit}`)
  }

  #known({ withdrawal }: WithdrawalFacts, isApproved: boolean): { readonly people: number; isApproved: boolean } {
    const known = this.#open.get(withdrawal)
    if (known?.isApproved !== isApproved)
      throw new Error(`withdrawal ${withdrawal} is ${known === undefined ? 'not open' : 'in another state'}`)
    return known
  }

  #end(event: WithdrawalFacts, isApproved: boolean): void {
    this.#known(event, isApproved)
    this.#open.delete(event.withdrawal)
  }
}

function add<K>(sums: Map<K, number>, key: K, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount)
}

function same(what: string, is: number | string, should: number | string): void {
  if (is !== should) throw new Error(`${what} is ${is} instead of ${should}`)
}
