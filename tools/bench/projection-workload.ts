import { setTimeout as sleep } from 'node:timers/promises'
import { WrittenJournal } from '../../server/store/projector/test/written-journal.ts'
import type { Store } from '../../server/store/open.ts'
import { emptyProjection } from '../../server/store/projector/rebuild.ts'
import { startProjector } from '../../server/store/projector/projector.ts'

export type AllTables = { readonly commandsPerSecond: number; readonly tradesPerSecond: number; readonly rowsPerSecond: number }

export type Sustained = {
  readonly commandsPerSecond: number
  readonly tradesPerSecond: number
  /** From the last command until the tables were complete. */
  readonly lagMsAtEnd: number
  readonly lagCommandsMax: number
}

const batches = 4000
const perBatch = 20

/**
 * First journals mixed orders of twenty customers and makers in three markets, two thirds of which trade. Then a projector starts
 * with empty tables and follows to the end.
 */
export async function projectWorkload(store: Store): Promise<AllTables> {
  const journal = new WrittenJournal(store.pool)
  await journal.open()
  await journal.trade(batches, perBatch, 50)
  await emptyProjection(store.pool)
  const started = performance.now()
  const projector = await startProjector({ store, log: (line) => console.error(line) })
  await projector.reached(journal.seq)
  const seconds = (performance.now() - started) / 1000
  await projector[Symbol.asyncDispose]()
  const { rows } = await store.pool.query<{ trades: number; all: number }>(
    `select (select count(*) from trades) as trades,
       (select count(*) from trades) + (select count(*) from orders) + (select count(*) from ledger_entries) as all`,
  )
  const { trades, all } = rows[0] as { trades: number; all: number }
  return { commandsPerSecond: journal.seq / seconds, tradesPerSecond: trades / seconds, rowsPerSecond: all / seconds }
}

/** Executes commands at a steady pace in this process while the projector follows. */
export async function projectAtPace(store: Store, perSecond: number, seconds: number): Promise<Sustained> {
  await store.pool.query('truncate journal, snapshots cascade')
  await emptyProjection(store.pool)
  const journal = new WrittenJournal(store.pool, 2)
  await journal.open()
  await using projector = await startProjector({ store, log: (line) => console.error(line) })
  await projector.reached(journal.seq)
  const first = journal.seq
  const started = performance.now()
  let lagCommandsMax = 0
  for (;;) {
    const elapsed = (performance.now() - started) / 1000
    if (elapsed >= seconds) break
    const missing = elapsed * perSecond - (journal.seq - first)
    if (missing > perBatch) await journal.trade(Math.ceil(missing / (perBatch / 2)), perBatch, 2)
    lagCommandsMax = Math.max(lagCommandsMax, journal.seq - projector.watermark.seq)
    await sleep(5)
  }
  const ended = performance.now()
  await projector.reached(journal.seq)
  const lagMsAtEnd = performance.now() - ended
  const { rows } = await store.pool.query<{ trades: number }>('select count(*) as trades from trades')
  const took = (ended - started) / 1000
  const tradesPerSecond = (rows[0]?.trades ?? 0) / took
  return { commandsPerSecond: (journal.seq - first) / took, tradesPerSecond, lagMsAtEnd, lagCommandsMax }
}
