/** The inventory of conversions, and how far they may move it. */
import type { Row } from '../../ledger/row.ts'
import type { Units } from '../../money/brand.ts'
import type { AssetId } from '../../protocol/ids.ts'
import type { State } from '../state/state.ts'

export function inventoryRow(x: State, asset: AssetId): Row {
  return x.ledger.systemRow('convert-inventory', asset)
}

/** Units of an asset that the inventory will have once all accepted quotes are converted. */
export function inventoryOf(x: State, asset: AssetId): Units {
  return (x.ledger.available(inventoryRow(x, asset)) + (x.convert.coming.get(asset) ?? 0)) as Units
}

type Move = { readonly from: AssetId; readonly to: AssetId; readonly give: Units; readonly get: Units }

/**
 * Whether the inventory has what the user gets, and stays within the bands of its targets. Of an asset that is outside its band already, a
 * conversion may bring the inventory back inside.
 */
export function isWithinShelves(x: State, { from, to, give, get }: Move): boolean {
  const [into, out] = [x.convert.shelf(from), x.convert.shelf(to)]
  if (into === undefined || out === undefined) return false
  // Sums that are still expected can't be paid out.
  if (x.ledger.available(inventoryRow(x, to)) < get) return false
  const [fuller, emptier] = [inventoryOf(x, from) + give, inventoryOf(x, to) - get]
  return fuller <= into.target + into.band && emptier >= out.target - out.band
}
