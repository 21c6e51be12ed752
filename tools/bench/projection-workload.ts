import { WrittenJournal } from '../../server/store/projector/test/written-journal.ts'
import type { Store } from '../../server/store/open.ts'
import { emptyProjection } from '../../server/store/projector/rebuild.ts'
import { startProjector } from '../../server/store/projector/projector.ts'

export type AllTables = { readonly commandsPerSecond: number; readonly tradesPerSecond: number; readonly rowsPerSecond: number }

const batches = 4000
const perBatch = 20

/**
 * Mixed orders of twenty customers and makers on three markets, two thirds of them trading, are journaled first; then
 * a projector that starts with empty tables follows to the end.
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
