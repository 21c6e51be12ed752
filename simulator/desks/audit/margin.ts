import type { Command } from '@candor/core/protocol/command/index.ts'
import type { MarginTerms } from '@candor/core/protocol/command/margin.ts'
import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import type { ClaimChanged, LoanChanged, MarginLiquidated, PoolChanged } from '@candor/core/protocol/event/margin.ts'
import { RateAudit } from './rate.ts'
import { fail } from '../failure.ts'
import { PriceAudit } from './price.ts'
import { hourMs, spotMarkets } from '../plans.ts'
import type { Postings } from './postings.ts'

type Debt = { principal: number; interest: number; paidHour: number }
type Place = { readonly user: number; amount: number }

/** Time after an outage of a price during which nothing opens and nothing is liquidated. */
const openingMs = 5_000
const liquidationMs = 10_000
/** Above this level an account's own money covers a trade at the index price and all its costs. */
const takenBelowPpm = 1_020_000
/** Most places in a queue per lender. */
const placesMax = 20
/** Most claims paid per command. */
const paymentsMax = 64

/** Checks loans and pools: every debt against its changes, every claim against its entries, and the order of the queue. */
export class MarginAudit {
  readonly #postings: Postings
  readonly #rates = new RateAudit()
  readonly #debts = new Map<string, Debt>()
  /** By asset: the sum of all debts. */
  readonly #owed = new Map<number, number>()
  readonly #queues = new Map<number, Place[]>()
  readonly #pools = new Map<number, PoolChanged>()
  readonly #prices = new PriceAudit()
  /** Accounts that the fund took over. */
  readonly #taken = new Set<string>()
  #terms: MarginTerms | undefined
  #at = 0
  // State of the current command:
  #borrowed = new Map<string, number>()
  readonly #claims = new Map<string, ClaimChanged>()
  readonly #earned = new Map<string, number>()
  readonly #reportedPools = new Set<number>()
  readonly #loanDeltas = new Map<number, number>()
  readonly #changed = new Set<string>()
  #payments = 0

  constructor(postings: Postings) {
    this.#postings = postings
  }

  begin(at: number): void {
    this.#at = at
    this.#rates.begin(at)
    this.#borrowed = new Map()
    this.#claims.clear()
    this.#earned.clear()
    this.#reportedPools.clear()
    this.#loanDeltas.clear()
    this.#changed.clear()
    this.#payments = 0
  }

  see(event: Event): void {
    switch (event.type) {
      case 'index.ticked':
        return this.#prices.tick(event.market, event.price, event.isGood, this.#at)
      case 'margin.terms':
        this.#terms = event.terms
        this.#rates.terms(event.terms)
        return
      case 'margin.loan':
        return this.#loan(event)
      case 'margin.liquidated':
        return this.#liquidated(event)
      case 'margin.level':
        if (event.state === 'safe') this.#taken.delete(`${event.user} ${event.market}`)
        return
      case 'lend.claim': {
        const key = `user ${event.user} lend ${event.asset}`
        this.#claims.set(key, event)
        this.#earned.set(key, (this.#earned.get(key) ?? 0) + event.earned)
        this.#payments++
        return
      }
      case 'lend.pool':
        this.#pools.set(event.asset, event)
        this.#rates.pool(event)
        this.#reportedPools.add(event.asset)
        return
      default:
    }
  }

  /** Called at the end of a command. */
  check(command: Command, { refusal, isRepeat }: OutcomeEvent): void {
    const postings = this.#postings
    for (const [asset, delta] of this.#loanDeltas) {
      const outside = postings.balance(`outside:loans ${asset}`).available
      if (outside !== -(this.#owed.get(asset) ?? 0))
        fail(`outside:loans of ${asset} is ${outside}, debts are ${this.#owed.get(asset)}, ${delta} more`)
      if (!this.#reportedPools.has(asset)) fail(`debts in ${asset} changed without an event of its pool`)
    }
    for (const [key, { account, byReason }] of postings.touched) {
      if ('system' in account && account.system === 'outside:loans' && !this.#loanDeltas.has(account.asset))
        fail(`${key} changed without a debt`)
      if (!('user' in account) || account.kind !== 'lend') continue
      const reported = this.#claims.get(key)
      const { available, held } = postings.balance(key)
      if (reported === undefined || reported.claim !== available + held || reported.queued !== held)
        fail(`${key} has ${available} + ${held}, the last event reported ${reported?.claim}`)
      if ((byReason.get('interest')?.delta ?? 0) !== (this.#earned.get(key) ?? 0))
        fail(`${key} earned ${this.#earned.get(key)} by its claims, another sum by its entries`)
    }
    const moved = new Set([...this.#reportedPools, ...this.#loanDeltas.keys()])
    const isDone = refusal === undefined && !isRepeat
    for (const asset of moved) this.#queue(asset, isDone ? command : undefined)
    for (const asset of moved) this.#pool(asset)
    if (isDone && command.type === 'margin.borrow') this.#borrow(command.asset)
  }

  checkAll(): void {
    for (const [asset, sum] of this.#owed) {
      let debts = 0
      for (const [key, { principal, interest }] of this.#debts) if (key.endsWith(` ${asset}`)) debts += principal + interest
      if (debts !== sum) fail(`debts in ${asset} are ${debts}, not ${sum}`)
    }
  }

  debt(user: number, market: number, asset: number): number {
    const debt = this.#debts.get(`${user} ${market} ${asset}`)
    return debt === undefined ? 0 : debt.principal + debt.interest
  }

  /** A debt must be the old debt plus the change. Interest is paid first, and charged once an hour at the hour's rate. */
  #loan({ user, market, asset, cause, delta, principal, interest }: LoanChanged): void {
    const key = `${user} ${market} ${asset}`
    const hour = Math.floor(this.#at / hourMs)
    this.#changed.add(key)
    const debt = this.#debts.get(key) ?? { principal: 0, interest: 0, paidHour: hour }
    if (cause === 'borrow' || cause === 'auto-borrow') {
      this.#lent(user, market, asset, delta)
      debt.principal += delta
      this.#borrowed.set(key, delta)
    } else if (cause === 'interest') {
      this.#interest(key, asset, debt, delta, hour)
      debt.interest += delta
    } else {
      if (delta >= 0) fail(`a repayment of ${-delta} by ${key}`)
      const first = Math.min(-delta, debt.interest)
      debt.interest -= first
      debt.principal -= -delta - first
    }
    if (debt.principal !== principal || debt.interest !== interest || principal < 0 || interest < 0) {
      fail(`debt ${key} is ${debt.principal} + ${debt.interest}, the event reports ${principal} + ${interest} after ${cause} of ${delta}`)
    }
    this.#debts.set(key, debt)
    if (principal + interest === 0) this.#debts.delete(key)
    this.#owed.set(asset, (this.#owed.get(asset) ?? 0) + delta)
    this.#loanDeltas.set(asset, (this.#loanDeltas.get(asset) ?? 0) + delta)
  }

  /** A loan must have the minimum value and a good price, and keep the user's debts in all accounts within the share of the pool. */
  #lent(user: number, market: number, asset: number, amount: number): void {
    const terms = this.#terms ?? fail('a loan without terms')
    const where = `${user}/${market}`
    if (this.#prices.value(asset, amount) < terms.loanMin) fail(`a loan of ${amount} of ${asset} to ${where}`)
    const pair = spotMarkets.find((plan) => plan.market === market)
    for (const one of pair === undefined ? [asset] : [asset, pair.base, pair.quote])
      if (!this.#prices.isGood(one, this.#at, openingMs)) fail(`a loan to ${where} without a good price of ${one}`)
    let owed = amount
    for (const [key, { principal, interest }] of this.#debts)
      if (key.startsWith(`${user} `) && key.endsWith(` ${asset}`)) owed += principal + interest
    const supplied = this.#pools.get(asset)?.supplied ?? 0
    // Interest charged by the same command before the loan also enlarges the pool.
    if (owed * 1_000_000 > supplied * terms.userSharePpm * 1.001 + 1e9)
      fail(`user ${user} owes ${owed} of the ${supplied} of pool ${asset}`)
  }

  /** A loan's first hour costs at least the rate of the hour and at most the rate of an empty pool. */
  #interest(key: string, asset: number, debt: Debt, delta: number, hour: number): void {
    const terms = this.#terms ?? fail('interest without terms')
    const fresh = this.#borrowed.get(key)
    const [principal, hours] = fresh === undefined ? [debt.principal, hour - debt.paidHour] : [fresh, 1]
    if (fresh === undefined) debt.paidHour = hour
    else this.#borrowed.delete(key)
    if (hours < 1) fail(`debt ${key} is charged twice in an hour`)
    const [low, high] = this.#rates.bounds(asset)
    const [least, most] = [Math.max(terms.rateZero, low), fresh === undefined ? Math.min(terms.rateFull, high) : terms.rateFull]
    const [each, eachMost] = [ceilRate(principal, Math.floor(least)), ceilRate(principal, Math.ceil(most))]
    // Hours in which the account had nothing left to pay with are not charged.
    const charged = Math.min(hours, Math.floor(delta / each))
    if (charged < 1 || delta > charged * eachMost)
      fail(`debt ${key} of ${principal} is charged ${delta} for ${hours} hours that cost ${each} to ${eachMost}`)
  }

  #liquidated({ user, market, order, levelPpm, liquidationPpm, assets, debt, fee, insured }: MarginLiquidated): void {
    const terms = this.#terms as MarginTerms
    const call = market === 0 ? terms.crossCallPpm : liquidationPpm + terms.isolatedCallPpm
    if (debt <= 0 || BigInt(levelPpm) !== (BigInt(assets) * 1_000_000n) / BigInt(debt))
      fail(`a level of ${levelPpm} with ${assets} and a debt of ${debt}`)
    // The fund sells an account that it took over completely, at any margin level.
    const isTaken = this.#taken.has(`${user} ${market}`)
    if (levelPpm >= call && !isTaken) fail(`account ${user}/${market} is liquidated at ${levelPpm}, above its warning`)
    if (order === 0 && insured === 0) {
      if (levelPpm >= takenBelowPpm) fail(`account ${user}/${market} is taken over at ${levelPpm}`)
      this.#taken.add(`${user} ${market}`)
    }
    const pair = spotMarkets.find((plan) => plan.market === market)
    for (const asset of pair === undefined ? [] : [pair.base, pair.quote])
      if (!this.#prices.isGood(asset, this.#at, liquidationMs))
        fail(`account ${user}/${market} is liquidated without a good price of ${asset}`)
    const isOwed = (asset: number): boolean =>
      this.#debts.has(`${user} ${market} ${asset}`) || this.#changed.has(`${user} ${market} ${asset}`)
    const owed = [...this.#owed.keys()].filter(isOwed)
    if (!owed.some((asset) => this.#prices.isGood(asset, this.#at, liquidationMs)))
      fail(`account ${user}/${market} is liquidated without a good price of anything owed`)
    if (fee < 0 || insured < 0) fail(`account ${user}/${market}: fee ${fee}, insured ${insured}`)
  }

  /** Payments must go to the first of the queue. */
  #queue(asset: number, command: Command | undefined): void {
    const queue = this.#queues.get(asset) ?? []
    let paid = 0
    for (const { account, byReason } of this.#postings.touched.values()) {
      if ('user' in account && account.kind === 'spot' && account.asset === asset) paid += byReason.get('withdraw')?.delta ?? 0
    }
    if (command?.type === 'lend.withdraw' && command.asset === asset) {
      const atOnce = queue.length > 0 ? 0 : Math.min(command.amount, paid)
      paid -= atOnce
      if (atOnce < command.amount) join(queue, command.user, command.amount - atOnce)
    }
    const isCancel = command?.type === 'lend.cancelWithdraw' && command.asset === asset
    let left = isCancel ? queue.filter(({ user }) => user !== command.user) : queue
    while (paid > 0) {
      const first = left[0] ?? fail(`${paid} of ${asset} were paid to nobody who waits`)
      const part = Math.min(paid, first.amount)
      first.amount -= part
      paid -= part
      if (first.amount === 0) left = left.slice(1)
    }
    this.#queues.set(asset, left)
    const waiting = new Map<number, number>()
    for (const { user, amount } of left) waiting.set(user, (waiting.get(user) ?? 0) + amount)
    for (const { account } of this.#postings.touched.values()) {
      if (!('user' in account) || account.kind !== 'lend' || account.asset !== asset) continue
      const { held } = this.#postings.balance(`user ${account.user} lend ${asset}`)
      if (held !== (waiting.get(account.user) ?? 0))
        fail(`user ${account.user} waits for ${held} of ${asset}, in the queue are ${waiting.get(account.user) ?? 0}`)
    }
  }

  /** Claims and interest must cover the loans, and free money must go to lenders in the queue. */
  #pool(asset: number): void {
    const pool = this.#pools.get(asset) ?? fail(`no event reported pool ${asset}`)
    const owed = this.#owed.get(asset) ?? 0
    let claims = 0
    for (const { account, available, held } of this.#postings.balances()) {
      if ('user' in account && account.kind === 'lend' && account.asset === asset) claims += available + held
    }
    const interest = this.#postings.balance(`lend-interest ${asset}`).available
    const queued = (this.#queues.get(asset) ?? []).reduce((sum, { amount }) => sum + amount, 0)
    if (pool.borrowed !== owed) fail(`pool ${asset} says that ${pool.borrowed} are owed, debts are ${owed}`)
    if (pool.queued !== queued) fail(`pool ${asset} says that ${pool.queued} wait, the queue has ${queued}`)
    if (pool.supplied > claims + interest || pool.supplied < claims)
      fail(`pool ${asset} says ${pool.supplied}, claims are ${claims} and interest ${interest}`)
    const free = claims + interest - owed
    if (free < 0) fail(`pool ${asset} lent ${-free} more than it has`)
    if (free > 0 && queued > 0 && this.#payments < paymentsMax) fail(`${queued} of ${asset} wait while ${free} are free`)
  }

  #borrow(asset: number): void {
    const { supplied, borrowed } = this.#pools.get(asset) as PoolChanged
    const stop = BigInt(supplied) * BigInt((this.#terms as MarginTerms).borrowStopPpm)
    const interest = this.#postings.posted(`lend-interest ${asset}`, 'interest')
    if (BigInt(borrowed - Math.max(0, interest)) * 1_000_000n > stop) fail(`${borrowed} of ${supplied} of ${asset} are lent`)
  }
}

function join(queue: Place[], user: number, amount: number): void {
  const own = queue.filter((place) => place.user === user)
  const last = own.length >= placesMax ? own.at(-1) : undefined
  if (last !== undefined) queue.splice(queue.indexOf(last), 1)
  queue.push({ user, amount: amount + (last?.amount ?? 0) })
}

/** ⌈amount × rate ÷ 10^12⌉, exact. */
function ceilRate(amount: number, rate: number): number {
  return Number((BigInt(amount) * BigInt(rate) + 999_999_999_999n) / 1_000_000_000_000n)
}
