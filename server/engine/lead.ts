import { JournalWriter } from '../journal/append.ts'
import { recover, type Recovered, type RecoverOptions } from '../journal/recover.ts'
import { RolledBack } from '../journal/witness.ts'
import type { EngineOptions } from './options.ts'

export type Led = Recovered & { readonly writer: JournalWriter }

type Watch = RecoverOptions & {
  /** Asked after the recovery, before the writer is handed over: an engine that stops leaves no writer open. */
  readonly isStopped: () => boolean
}

const shortOfMemory =
  'The system does not give the memory for all tables at once: each large table is copied when it grows, and that stops trading for a moment'

/**
 * Takes the leadership and recovers the state at the end of the journal; undefined when the engine was stopped meanwhile. Throws
 * RolledBack when the database lacks commands that were acknowledged before. After any error the leadership is given back.
 */
export async function lead(options: EngineOptions, watch: Watch): Promise<Led | undefined> {
  const { store, giveUpMs, witness, reservesTables = true, log } = options
  await witness?.check(store.pool)
  const seen = witness?.seen
  const writer = await JournalWriter.lead(store.url, {
    ...(giveUpMs === undefined ? {} : { giveUpMs }),
    ...(seen === undefined ? {} : { seenEpoch: seen.epoch }),
  })
  try {
    const recovered = await recover(store.pool, watch)
    if (watch.isStopped()) {
      await writer.close()
      return undefined
    }
    const { head } = recovered
    if (seen !== undefined && head.seq < seen.seq) throw new RolledBack(head, seen)
    // This writer's epoch is recorded outside the database before anything is written under it.
    witness?.note(writer.epoch, head)
    await witness?.flush()
    if (reservesTables && !recovered.exchange.reserve()) log?.({ message: shortOfMemory })
    if (!watch.isStopped()) return { ...recovered, writer }
    await writer.close()
    return undefined
  } catch (cause) {
    await writer.close()
    throw cause
  }
}
