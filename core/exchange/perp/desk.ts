import type { Millis } from '../../money/brand.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import type { PerpDesk } from '../state/desks.ts'
import { contractOf, drop, reasonNumber } from './positions/close.ts'
import { flush } from './positions/flush.ts'
import { wake } from './handlers/wake.ts'

const CANCELLED = reasonNumber('cancelled')

/** Cancels Futures orders on behalf of their owners, and lets sleeping ones act. */
export const perpDesk: PerpDesk = {
  cancel(x, slot, reason = CANCELLED) {
    drop(x, contractOf(x, slot as OrderSlot), slot as OrderSlot, reason)
    flush(x)
  },
  wake(x, slot) {
    wake(x, slot as OrderSlot, 0 as Millis)
  },
}
