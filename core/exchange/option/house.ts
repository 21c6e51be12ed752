import type { Units } from '../../money/brand.ts'
import type { Row } from '../../ledger/row.ts'
import { writeOptionHouse } from '../../protocol/codec/option-write.ts'
import type { State } from '../state/state.ts'

/** The account that pays profits and receives lost stakes. */
export function houseRow(x: State): Row {
  return x.ledger.systemRow('option-house', x.usdt)
}

/** The house fund in USDT units: free plus held for open orders. */
export function houseFund(x: State): Units {
  if (x.usdt === 0) return 0 as Units
  const row = houseRow(x)
  return (x.ledger.available(row) + x.ledger.held(row)) as Units
}

/** Whether orders are accepted: operators have opened the product, and its fund is not below its floor. */
export function isHouseOpen(x: State): boolean {
  const { terms } = x.option
  return terms !== undefined && terms.isOpen && houseFund(x) >= terms.houseFloor
}

/** Emits when the product closed or opened since the last call. */
export function tellHouse(x: State): void {
  const isOpen = isHouseOpen(x)
  if (isOpen === x.option.isOpen) return
  x.option.isOpen = isOpen
  writeOptionHouse(x.events, isOpen, houseFund(x))
}
