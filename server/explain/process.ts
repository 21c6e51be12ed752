/** Works out the explanations that wait, as a process of its own: `CANDOR_EXPLAIN_DATABASE` is the database's address. */
import { openStore } from '../store/open.ts'
import { Explainer } from './explainer.ts'

if (import.meta.main) {
  // Its parent is gone: the requests are left to the next process.
  const leave = (): never => process.exit(1)
  process.on('disconnect', leave)
  const { CANDOR_EXPLAIN_DATABASE: databaseUrl } = process.env
  {
    await using store = await openStore({ dataFolder: '', databaseUrl, connections: 3 })
    const onFault = (cause: unknown): void => {
      process.stderr.write(`${String(cause)}\n`)
      // Its parent reads the words of a process that failed.
      process.exitCode = 1
    }
    await new Explainer(store.pool, { onFault }).turn()
  }
  process.off('disconnect', leave)
  process.disconnect?.()
}
