import { setTimeout as sleep } from 'node:timers/promises'

const lookEveryMs = 100

let interruption = new AbortController()

/** Ends all waits that are pending now; later ones are not concerned. */
export function interruptWaits(): void {
  interruption.abort()
  interruption = new AbortController()
}

/**
 * Waits until the condition returns something other than undefined and false. A condition that throws does not hold yet.
 *
 * what    what is waited for, for the error
 * throws  Error with the last cause after `maxMs`, or when waits are interrupted
 */
export async function until<T>(
  what: string,
  maxMs: number,
  condition: () => T | Promise<T>,
): Promise<Exclude<Awaited<T>, undefined | false>> {
  const endMs = performance.now() + maxMs
  const { signal } = interruption
  let cause: unknown
  for (;;) {
    try {
      const found = await condition()
      if (found !== undefined && found !== false) return found as Exclude<Awaited<T>, undefined | false>
      cause = undefined
    } catch (thrown) {
      cause = thrown
    }
    if (signal.aborted) throw new Error(`interrupted while waiting: ${what}`)
    if (performance.now() > endMs) throw new Error(`waited ${maxMs / 1_000} s in vain: ${what}`, { cause })
    await sleep(lookEveryMs)
  }
}
