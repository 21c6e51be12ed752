import type { Exchange } from '@candor/core/exchange/exchange.ts'
import { coreVersion, type Head } from '../../journal/row.ts'
import { saveSnapshot } from '../../journal/snapshots.ts'
import type { EngineOptions } from '../options.ts'

/** Stores the state of a leader that stops. Returns whether it could: without a snapshot the next start replays more. */
export async function leaveSnapshot({ store, log }: EngineOptions, head: Head, exchange: Exchange): Promise<boolean> {
  try {
    await saveSnapshot(store.pool, { ...head, coreVersion, dump: exchange.dump() })
    return true
  } catch (cause) {
    log?.({ message: 'No snapshot could be stored: the next start replays more', cause })
    return false
  }
}
