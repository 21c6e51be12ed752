/** Makes the statement of liabilities that is due, as a process of its own: `CANDOR_STATEMENT_DATABASE` is the database's address. */
import { openStore } from '../../store/open.ts'
import { LiabilityMaker } from './maker.ts'

if (import.meta.main) {
  // A statement that nobody waits for any more is left to the next process.
  process.on('disconnect', () => process.exit(1))
  const { CANDOR_STATEMENT_DATABASE: databaseUrl } = process.env
  await using store = await openStore({ dataFolder: '', databaseUrl, connections: 2 })
  await new LiabilityMaker(store.pool).turn()
  process.disconnect?.()
}
