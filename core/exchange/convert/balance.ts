import type { Units } from '../../money/brand.ts'
import type { State } from '../state/state.ts'
import { inventoryRow } from './shelves.ts'

/** Checks the invariants of conversions: one sentence for each violation. */
export function convertViolations(x: State): readonly string[] {
  const { convert, ledger } = x
  if (convert.accepted.size === 0 && convert.coming.size === 0) return []
  const violations: string[] = []
  const check = (isRight: boolean, said: string): void => {
    if (!isRight) violations.push(said)
  }
  const [gives, gets, coming] = [new Map<string, Units>(), new Map<number, Units>(), new Map<number, Units>()]
  for (const { user, from, to, give, get, quote } of convert.accepted.values()) {
    add(gives, `${user} ${from}`, give)
    add(gets, to, get)
    add(coming, from, give)
    const held = ledger.held(ledger.findSpot(user, from))
    check(held >= gives.get(`${user} ${from}`)!, `user ${user} holds ${held} of ${from}, less than the accepted quotes`)
    check(!convert.ended.has(quote), `quote ${quote} is accepted and ended`)
  }
  for (const { id } of x.assets) {
    const held = ledger.held(inventoryRow(x, id))
    check(held === (gets.get(id) ?? 0), `the inventory holds ${held} of ${id} instead of ${gets.get(id) ?? 0}`)
    const expected = convert.coming.get(id) ?? 0
    check(expected === (coming.get(id) ?? 0), `${expected} of ${id} come into the inventory instead of ${coming.get(id) ?? 0}`)
  }
  return violations
}

function add<K>(sums: Map<K, Units>, key: K, amount: Units): void {
  sums.set(key, ((sums.get(key) ?? 0) + amount) as Units)
}
