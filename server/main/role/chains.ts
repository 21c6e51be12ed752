import { digestSigner } from '../../chains/keys.ts'
import { startWorkers } from '../../chains/worker/workers.ts'
import type { Link } from '../../engine/link.ts'
import { topics } from '../../gateway/topics.ts'
import { ProcessReport } from '../../watch/process.ts'
import { chainsOf } from '../chains/config.ts'
import type { Ground } from '../roles.ts'
import { SettingsFault } from '../settings.ts'

/** Starts the process that reads chains, credits deposits and pays withdrawals. It has no key that moves coins. */
export async function startChains({ settings, store, logger }: Ground, link: Link): Promise<AsyncDisposable> {
  const config = chainsOf(settings)
  if (config === undefined) throw new SettingsFault('CANDOR_CHAINS is missing')
  const sign = digestSigner(settings.chainsFolder!, 'reconciliation')
  await using parts = new AsyncDisposableStack()
  parts.use(new ProcessReport('chains', undefined, (told) => link.publish(topics.chainsMetrics, told)))
  const workers = await startWorkers({
    ...{ pool: store.pool, config, ask: link.ask, submit: link.submit, sign, clock: Date.now },
    log: ({ message, cause }) => logger.warn(cause === undefined ? {} : { err: cause }, message),
  })
  link.onPublished(topics.chains, () => workers.poke())
  parts.use(workers)
  return parts.move()
}
