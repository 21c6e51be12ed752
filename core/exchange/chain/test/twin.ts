/** A slow, obvious version of deposits and withdrawals, written from the specification alone. One asset, priced in itself. */
type Credit = { user: number; network: number; credit: number; amount: number; state: 'unfinal' | 'final' | 'orphaned' }
type Withdrawal = {
  readonly number: number
  readonly user: number
  readonly network: number
  readonly amount: number
  readonly fee: number
  readonly people: number
  readonly day: number
  state: 'requested' | 'approved' | 'rejected' | 'cancelled' | 'paid' | 'failed'
}
type Terms = { isOpen: boolean; min: number; fee: number; autoMax: number; singleMax: number }

export class Twin {
  readonly credits: Credit[] = []
  readonly withdrawals: Withdrawal[] = []
  readonly terms = new Map<number, Terms>()
  /** Everything that ever happened to a user's available sum and debt. */
  readonly moves: { user: number; available: number; debt: number }[] = []
  readonly frozen = new Set<number>()
  fees = 0
  readonly dayMax: number

  constructor(dayMax: number) {
    this.dayMax = dayMax
  }

  available(user: number): number {
    return sum(this.moves.filter((move) => move.user === user).map((move) => move.available))
  }

  debt(user: number): number {
    return sum(this.moves.filter((move) => move.user === user).map((move) => move.debt))
  }

  held(user: number): number {
    return sum(this.openOf(user).map(({ amount }) => amount))
  }

  unfinal(user: number): number {
    return sum(this.credits.filter((credit) => credit.user === user && credit.state === 'unfinal').map(({ amount }) => amount))
  }

  openOf(user: number): readonly Withdrawal[] {
    return this.withdrawals.filter((one) => one.user === user && isOpen(one))
  }

  withdrawn(user: number, day: number): number {
    const ofDay = this.withdrawals.filter((one) => one.user === user && one.day === day)
    return sum(ofDay.filter((one) => isOpen(one) || one.state === 'paid').map(({ amount }) => amount))
  }

  /** What came in on a network, less what was dropped and paid. */
  flow(network: number): number {
    const came = this.credits.filter((credit) => credit.network === network && credit.state !== 'orphaned')
    const left = this.withdrawals.filter((one) => one.network === network && one.state === 'paid')
    return sum(came.map(({ amount }) => amount)) - sum(left.map(({ amount, fee }) => amount - fee))
  }

  credit(user: number, network: number, credit: number, amount: number, isFinal: boolean): string | undefined {
    if (this.#credit(network, credit) !== undefined) return undefined
    if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
    this.credits.push({ user, network, credit, amount, state: isFinal ? 'final' : 'unfinal' })
    const repaid = Math.min(this.debt(user), amount)
    this.moves.push({ user, available: amount - repaid, debt: -repaid })
    return undefined
  }

  final(network: number, credit: number): string | undefined {
    const known = this.#credit(network, credit)
    if (known === undefined || known.state === 'orphaned') return 'CREDIT_UNKNOWN'
    known.state = 'final'
    return undefined
  }

  orphan(network: number, credit: number): string | undefined {
    const known = this.#credit(network, credit)
    if (known === undefined) return 'CREDIT_UNKNOWN'
    if (known.state === 'final') return 'CREDIT_FINAL'
    if (known.state === 'orphaned') return undefined
    known.state = 'orphaned'
    const taken = Math.min(this.available(known.user), known.amount)
    this.moves.push({ user: known.user, available: -taken, debt: known.amount - taken })
    return undefined
  }

  repay(user: number): string | undefined {
    const repaid = Math.min(this.debt(user), this.available(user))
    if (this.debt(user) === 0) return 'NOTHING_OWED'
    if (repaid === 0) return 'INSUFFICIENT_BALANCE'
    this.moves.push({ user, available: -repaid, debt: -repaid })
    return undefined
  }

  /** The user moves money away from the spot account (+), or back to it (−). */
  move(user: number, amount: number): void {
    this.moves.push({ user, available: -amount, debt: 0 })
  }

  setTerms(network: number, terms: Terms): string | undefined {
    const { min, fee, autoMax, singleMax } = terms
    if (fee < 0 || fee >= min || autoMax < 0 || autoMax > singleMax) return 'FIELD_INVALID'
    this.terms.set(network, terms)
    return undefined
  }

  request(number: number, day: number, user: number, network: number, amount: number, fee: number): string | undefined {
    const terms = this.terms.get(network)
    if (this.frozen.has(user)) return 'USER_FROZEN'
    if (this.debt(user) > 0) return 'DEPOSIT_DEBT'
    if (terms === undefined || !terms.isOpen) return 'WITHDRAWALS_CLOSED'
    if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
    if (fee !== terms.fee) return 'FEE_CHANGED'
    if (amount > this.available(user)) return 'INSUFFICIENT_BALANCE'
    if (this.available(user) - amount < this.unfinal(user)) return 'DEPOSIT_NOT_FINAL'
    if (this.withdrawn(user, day) + amount > this.dayMax) return 'DAILY_LIMIT'
    if (amount < terms.min) return 'AMOUNT_TOO_SMALL'
    if (this.openOf(user).length >= 32) return 'WITHDRAWALS_OPEN_LIMIT'
    const people = amount <= terms.autoMax ? 0 : amount <= terms.singleMax ? 1 : 2
    this.withdrawals.push({ number, user, network, amount, fee, people, day, state: 'requested' })
    this.moves.push({ user, available: -amount, debt: 0 })
    return undefined
  }

  cancel(user: number, number: number): string | undefined {
    const one = this.#withdrawal(number)
    if (one === undefined || one.user !== user) return 'WITHDRAWAL_UNKNOWN'
    return this.#end(one, 'cancelled', one.state === 'requested')
  }

  decide(number: number, isApproved: boolean, first: number, second: number): string | undefined {
    const one = this.#withdrawal(number)
    if (one === undefined) return 'WITHDRAWAL_UNKNOWN'
    if (!isApproved) return this.#end(one, 'rejected', one.state === 'requested')
    if (one.state === 'paid' || one.state === 'failed') return undefined
    if (!isOpen(one)) return 'WITHDRAWAL_STATE'
    const people = [first, second].filter((person, i, all) => person > 0 && all.indexOf(person) === i).length
    if (people < one.people) return 'FORBIDDEN'
    if (one.state === 'approved') return undefined
    if (this.frozen.has(one.user)) return 'USER_FROZEN'
    if (this.debt(one.user) > 0) return 'DEPOSIT_DEBT'
    one.state = 'approved'
    return undefined
  }

  finish(number: number, isPaid: boolean): string | undefined {
    const one = this.#withdrawal(number)
    if (one === undefined) return 'WITHDRAWAL_UNKNOWN'
    const isNew = one.state === 'approved'
    const refusal = this.#end(one, isPaid ? 'paid' : 'failed', isNew)
    if (refusal === undefined && isNew && isPaid) this.fees += one.fee
    return refusal
  }

  #end(one: Withdrawal, end: Withdrawal['state'], isAllowed: boolean): string | undefined {
    if (one.state === end) return undefined
    if (!isAllowed) return 'WITHDRAWAL_STATE'
    one.state = end
    if (end !== 'paid') this.moves.push({ user: one.user, available: one.amount, debt: 0 })
    return undefined
  }

  #credit(network: number, credit: number): Credit | undefined {
    return this.credits.find((one) => one.network === network && one.credit === credit)
  }

  #withdrawal(number: number): Withdrawal | undefined {
    return this.withdrawals.find((one) => one.number === number)
  }
}

function isOpen({ state }: Withdrawal): boolean {
  return state === 'requested' || state === 'approved'
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
