import { parseUnits } from '@candor/core/money/units.ts'
import type { ProvedLiabilities, TreeKind } from '@candor/core/proof/liabilities.ts'
import type { WireBalances } from '@candor/core/protocol/wire/funds.ts'

/**
 * What a customer has in a tree, in units. `total`: the sum of the tree; undefined: the statement has none of this coin. `now`: what the
 * customer has at present in all accounts; undefined where it is not compared.
 */
export type OwnRow = {
  readonly asset: string
  readonly kind: TreeKind
  readonly scale: number
  readonly amount: number
  readonly total: number | undefined
  readonly now: number | undefined
}

/**
 * What was proved, by coin. With the customer's balances also a row of nothing for every other coin that the statement has or the customer
 * has: a coin that the exchange left out of the proof is not one that nobody looks at.
 */
export function ownRows(
  { own, statement }: Pick<ProvedLiabilities, 'own' | 'statement'>,
  balances: WireBalances | undefined,
): readonly OwnRow[] {
  const proved = own.map(({ asset, kind, amount }): OwnRow => {
    const tree = statement.trees.find((one) => one.asset === asset && one.kind === kind)!
    const now = balances === undefined || kind === 'debts' ? undefined : totalOf(balances, asset, tree.scale)
    return { asset, kind, amount, scale: tree.scale, total: tree.sum, now }
  })
  if (balances === undefined) return proved
  const isProved = (asset: string): boolean => own.some((one) => one.asset === asset && one.kind === 'claims')
  const stated = statement.trees
    .filter(({ asset, kind }) => kind === 'claims' && !isProved(asset))
    .map(({ asset, kind, scale, sum }): OwnRow => ({ asset, kind, amount: 0, scale, total: sum, now: totalOf(balances, asset, scale) }))
  const held = [...new Set(sumsOf(balances).map(({ asset }) => asset))]
    .filter((asset) => !isProved(asset) && !stated.some((one) => one.asset === asset))
    .map((asset): OwnRow => {
      const scale = scaleOf(balances, asset)
      return { asset, kind: 'claims', amount: 0, scale, total: undefined, now: totalOf(balances, asset, scale) }
    })
    .filter(({ now }) => now !== 0)
  const others = [...stated, ...held].toSorted((a, b) => (a.asset < b.asset ? -1 : 1))
  // Coins that the customer has come first: there something may be wrong.
  return [...proved, ...others.filter(({ now }) => now !== 0), ...others.filter(({ now }) => now === 0)]
}

function sumsOf({ accounts }: WireBalances): readonly WireBalances['accounts'][number]['balances'][number][] {
  return accounts.flatMap(({ balances }) => balances)
}

/** All accounts' available and held units of a coin. */
function totalOf(balances: WireBalances, asset: string, scale: number): number {
  const found = sumsOf(balances).filter((one) => one.asset === asset)
  return found.flatMap(({ available, held }) => [available, held]).reduce((total, sum) => total + (parseUnits(sum, scale) ?? 0), 0)
}

/** Digits of a coin that the statement does not have: sums are written with all of them. */
function scaleOf(balances: WireBalances, asset: string): number {
  const texts = sumsOf(balances).flatMap((one) => (one.asset === asset ? [one.available, one.held] : []))
  return Math.max(...texts.map((text) => text.split('.')[1]?.length ?? 0))
}
