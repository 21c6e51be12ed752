import type { OrderHooks } from '../venue.ts'
import { contractOf, drop, reasonNumber } from './close.ts'
import { flush } from './flush.ts'
import { wake } from './wake.ts'

const CANCELLED = reasonNumber('cancelled')

/** How orders of contracts end at their owner's wish, and how those act that slept. */
export const perpHooks: OrderHooks = {
  cancel(x, _venue, slot) {
    drop(x, contractOf(x, slot), slot, CANCELLED)
    flush(x)
  },
  wake(x, _venue, slot) {
    wake(x, slot, 0)
  },
}
