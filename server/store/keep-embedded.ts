import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from './embedded.ts'
import type { Store } from './open.ts'

const lookEveryMs = 1_000

/**
 * Restarts the embedded server when it has died, killed or for lack of memory; all other processes wait for it and continue by
 * themselves. A server that was stopped by hand is restarted, too.
 *
 * say  progress for people
 */
export function keepEmbedded(store: Store, dataFolder: string, say: (line: string) => void): AsyncDisposable {
  const ending = new AbortController()
  const running = look()
  return {
    async [Symbol.asyncDispose]() {
      ending.abort()
      await running
    },
  }

  async function look(): Promise<void> {
    for (;;) {
      await sleep(lookEveryMs, undefined, { signal: ending.signal }).catch(() => undefined)
      if (ending.signal.aborted) return
      if (await answers()) continue
      if (ending.signal.aborted) return
      say('The database ended and is started again.')
      try {
        const { url } = await startEmbedded(dataFolder)
        if (url !== store.url) say('The database had to take another port: stop Candor and start it again.')
      } catch (cause) {
        say(`The database did not start: ${(cause as Error).message}`)
      }
    }
  }

  function answers(): Promise<boolean> {
    return store.pool.query('select 1').then(
      () => true,
      () => false,
    )
  }
}
