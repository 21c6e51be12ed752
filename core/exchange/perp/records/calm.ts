import type { PerpAccount } from './state.ts'

/**
 * Accounts with several cross positions, ordered by how far marks may move before the account could be close to liquidation, then
 * by user. A tick looks only at accounts whose bound is reached. `at` of an account is its place here; −1: none.
 */
export class Calm {
  readonly #heap: PerpAccount[] = []

  get count(): number {
    return this.#heap.length
  }

  get first(): PerpAccount | undefined {
    return this.#heap[0]
  }

  /** Sorted by user: the only order that a restored exchange has too. */
  sorted(): PerpAccount[] {
    return [...this.#heap].sort((a, b) => a.user - b.user)
  }

  /** Inserts an account, or moves it to another place. */
  put(account: PerpAccount, calmUntil: number): void {
    account.calmUntil = calmUntil
    if (account.at < 0) account.at = this.#heap.push(account) - 1
    this.#down(this.#up(account.at))
  }

  remove(account: PerpAccount): void {
    const { at } = account
    if (at < 0) return
    const last = this.#heap.pop()!
    account.at = -1
    if (last === account) return
    this.#heap[at] = last
    last.at = at
    this.#down(this.#up(at))
  }

  #up(from: number): number {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if (!isBefore(this.#heap[at]!, this.#heap[parent]!)) break
      this.#swap(at, parent)
      at = parent
    }
    return at
  }

  #down(from: number): void {
    let at = from
    for (;;) {
      let least = at
      for (let child = 2 * at + 1; child <= 2 * at + 2 && child < this.#heap.length; child++) {
        if (isBefore(this.#heap[child]!, this.#heap[least]!)) least = child
      }
      if (least === at) return
      this.#swap(at, least)
      at = least
    }
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#heap[a]!, this.#heap[b]!]
    this.#heap[a] = other
    this.#heap[b] = one
    other.at = a
    one.at = b
  }
}

function isBefore(a: PerpAccount, b: PerpAccount): boolean {
  return a.calmUntil < b.calmUntil || (a.calmUntil === b.calmUntil && a.user < b.user)
}
