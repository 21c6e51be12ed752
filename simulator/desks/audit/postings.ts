import { accountKey } from '../../auditor.ts'
import type { AccountRef } from '@candor/core/protocol/account.ts'
import type { EntryEvent, EntryReason } from '@candor/core/protocol/event/index.ts'
import { checkReason } from './allowed.ts'
import { fail } from '../failure.ts'

type Sum = { delta: number; heldDelta: number }
type Touched = { readonly account: AccountRef; readonly byReason: Map<EntryReason, Sum> }

const nothing: Sum = { delta: 0, heldDelta: 0 }

/** Postings of one command, by account and reason, and the balances from all entries so far. */
export class Postings {
  readonly #balances = new Map<string, { readonly account: AccountRef; available: number; held: number }>()
  touched = new Map<string, Touched>()

  begin(): void {
    this.touched = new Map()
  }

  see({ account, reason, delta, heldDelta, available, held }: EntryEvent): void {
    const key = accountKey(account)
    checkReason(account, reason)
    for (const value of [delta, heldDelta, available, held]) if (!Number.isSafeInteger(value)) fail(`${value} in an entry of ${key}`)
    const balance = this.#balances.get(key) ?? { account, available: 0, held: 0 }
    balance.available += delta
    balance.held += heldDelta
    this.#balances.set(key, balance)
    if (balance.available !== available || balance.held !== held)
      fail(`${key} has ${available} + ${held} by its entry, but by all entries ${balance.available} + ${balance.held}`)
    const isOutside = 'system' in account && account.system.startsWith('outside:')
    if (held < 0 || (available < 0 && !isOutside)) fail(`${key} is below zero: ${available} + ${held}`)
    const touched = this.touched.get(key) ?? { account, byReason: new Map<EntryReason, Sum>() }
    const sum = touched.byReason.get(reason) ?? nothing
    touched.byReason.set(reason, { delta: sum.delta + delta, heldDelta: sum.heldDelta + heldDelta })
    this.touched.set(key, touched)
  }

  /** Called at the end of a command, which must not have created money. */
  check(): void {
    const sums = new Map<number, number>()
    const neutral = new Map<string, number>()
    const isFunding = this.touched.get('option-house 1')?.byReason.has('transfer') === true
    for (const [key, { account, byReason }] of this.touched) {
      for (const [reason, { delta, heldDelta }] of byReason) {
        sums.set(account.asset, (sums.get(account.asset) ?? 0) + delta + heldDelta)
        if ((reason === 'hold' || reason === 'release') && delta + heldDelta !== 0)
          fail(`${reason} of ${key} moves ${delta} and ${heldDelta}`)
        // Such money moves between accounts of one user. For the house fund the command itself names the amount.
        if (reason !== 'transfer' && reason !== 'supply' && reason !== 'withdraw') continue
        if (!('user' in account) && key !== 'option-house 1') fail(`${reason} of ${key}`)
        if (isFunding) continue
        const own = `${'user' in account ? account.user : ''} ${account.asset} ${reason}`
        neutral.set(own, (neutral.get(own) ?? 0) + delta + heldDelta)
      }
    }
    for (const [asset, sum] of sums) if (sum !== 0) fail(`entries of asset ${asset} sum to ${sum}`)
    for (const [own, sum] of neutral) if (sum !== 0) fail(`user, asset and reason ${own} gain ${sum}`)
  }

  /** The balances of each asset must sum to zero. */
  checkAll(): void {
    const sums = new Map<number, bigint>()
    for (const { account, available, held } of this.#balances.values())
      sums.set(account.asset, (sums.get(account.asset) ?? 0n) + BigInt(available) + BigInt(held))
    for (const [asset, sum] of sums) if (sum !== 0n) fail(`asset ${asset} sums to ${sum}`)
  }

  balance(key: string): { readonly available: number; readonly held: number } {
    return this.#balances.get(key) ?? { available: 0, held: 0 }
  }

  /** All accounts with a balance. */
  balances(): readonly { readonly account: AccountRef; readonly available: number; readonly held: number }[] {
    return [...this.#balances.values()].filter(({ available, held }) => available !== 0 || held !== 0)
  }

  /** Postings of the current command to an account for a reason, available plus held. */
  posted(key: string, reason: EntryReason): number {
    const { delta, heldDelta } = this.touched.get(key)?.byReason.get(reason) ?? nothing
    return delta + heldDelta
  }
}
