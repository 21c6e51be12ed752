/**
 * Makes the statement of liabilities that is due, as a process of its own: `CANDOR_STATEMENT_DATABASE` is the database's
 * address, `CANDOR_STATEMENT_AT` the time of the statement.
 */
import { openStore } from '../../store/open.ts'
import { LiabilityMaker } from './maker.ts'

if (import.meta.main) {
  // Its parent is gone: the statement is left to the next process.
  const leave = (): never => process.exit(1)
  process.on('disconnect', leave)
  const { CANDOR_STATEMENT_DATABASE: databaseUrl, CANDOR_STATEMENT_AT: at } = process.env
  {
    await using store = await openStore({ dataFolder: '', databaseUrl, connections: 2 })
    await new LiabilityMaker(store.pool, () => Number(at)).turn()
  }
  process.off('disconnect', leave)
  process.disconnect?.()
}
