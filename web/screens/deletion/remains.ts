import type { WireDeletion } from '@candor/core/protocol/wire/deletion.ts'

const counted = ['openOrders', 'algos', 'positions', 'loans', 'claims', 'options', 'debts', 'withdrawals', 'presales'] as const
type Counted = (typeof counted)[number]

/** Open things of the account; kinds without any are left out. */
export function countsOf(state: WireDeletion): readonly (readonly [Counted, number])[] {
  return counted.flatMap((name) => (state[name] > 0 ? [[name, state[name]] as const] : []))
}

/** Whether the account can be deleted: nothing is open, and no balance is left that is not given up. */
export function isEmpty(state: WireDeletion, givesUp: boolean): boolean {
  return countsOf(state).length === 0 && (state.remains.length === 0 || (givesUp && state.mayGiveUp))
}
