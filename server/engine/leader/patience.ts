import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing } from '../../store/fault.ts'
import type { EngineOptions } from '../options.ts'

/** Between two tries while the database is away, in milliseconds. */
const retryMs = 200

/**
 * Tries again as long as the database is away, and says so at the first of several failures. Undefined when it was stopped meanwhile.
 *
 * onAway  called after each failure
 * throws  errors that a retry can't fix
 */
export async function patiently<T>(
  { log }: Pick<EngineOptions, 'log'>,
  isStopped: () => boolean,
  run: () => Promise<T>,
  onAway: () => void = () => undefined,
): Promise<T | undefined> {
  let isSaid = false
  while (!isStopped()) {
    try {
      return await run()
    } catch (cause) {
      if (isStopped()) return undefined
      if (!isPassing(cause)) throw cause
      if (!isSaid) log?.({ message: 'The standby waits for the database', cause })
      isSaid = true
      onAway()
      await sleep(retryMs)
    }
  }
  return undefined
}
