/**
 * Makes the statement of liabilities that is due, as a process of its own: `CANDOR_STATEMENT_DATABASE` is the database's
 * address, `CANDOR_STATEMENT_AT` the time of the statement.
 */
import { takeIdleOnly } from '../../idle-class.ts'
import { openStore, type Store } from '../../store/open.ts'
import { LiabilityMaker } from './maker.ts'

/** A statement of more balances takes seconds of the processor. */
const manyBalances = 100_000

async function hasMany({ pool }: Store): Promise<boolean> {
  const { rows } = await pool.query<{ estimate: number }>("select reltuples as estimate from pg_class where oid = 'balances'::regclass")
  return rows[0]!.estimate > manyBalances
}

if (import.meta.main) {
  // Its parent is gone: the statement is left to the next process.
  const leave = (): never => process.exit(1)
  process.on('disconnect', leave)
  const { CANDOR_STATEMENT_DATABASE: databaseUrl, CANDOR_STATEMENT_AT: at } = process.env
  {
    await using store = await openStore({ dataFolder: '', databaseUrl, connections: 2 })
    // A small one is soon over, and is made also where others always want the processor.
    if (await hasMany(store)) await takeIdleOnly(process.pid)
    await new LiabilityMaker(store.pool, () => Number(at)).turn()
  }
  process.off('disconnect', leave)
  process.disconnect?.()
}
