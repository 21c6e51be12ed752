/**
 * The engine as a process of its own, as the exchange runs it: `engine-process.ts DATABASE_URL SOCKET [standby]`. Prints `ready` when
 * it leads, and `standby` when it is hot.
 */
import { openStore } from '../../store/open.ts'
import { migrate } from '../../store/migrate.ts'
import { Engine } from '../engine.ts'
import { serveLink } from '../serve-link.ts'

const [databaseUrl, socket, standby] = process.argv.slice(2) as [string, string, string | undefined]
const store = await openStore({ dataFolder: '.', databaseUrl, connections: 3 })
await migrate(store)
const engine = new Engine({
  store,
  standby: standby === 'standby',
  log: ({ message, cause }) => console.error(message, cause instanceof Error ? cause.message : ''),
})
engine.onState((state) => {
  if (state === 'standby') process.stdout.write('standby\n')
  if (state === 'halted' || state === 'fenced') process.exit(3)
})
await engine.begin()
const served = await serveLink(engine, socket)
// Before it says that it is ready: whoever waits for that may end it at once.
process.on('SIGTERM', async () => {
  await served[Symbol.asyncDispose]()
  await engine.stop()
  await store[Symbol.asyncDispose]()
})
process.stdout.write('ready\n')
