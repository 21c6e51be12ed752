import { readMode } from '../../journal/mode.ts'
import { checkUpgrade } from '../../journal/upgrade.ts'
import { databaseRoles } from '../../store/rights.ts'
import { migrate } from '../../store/migrate.ts'
import { roleUrls } from '../../store/roles.ts'
import { type CliCommand, UsageFault, withStore } from '../command.ts'
import { separateRoles } from '../database-roles.ts'
import { inModeOf } from '../settings.ts'

export const databasePrepare: CliCommand = {
  name: 'database prepare',
  about: 'Bring the database at DATABASE_URL up to this version, for roles that start apart. Run once before an upgrade starts',
  operands: [],
  options: {},
  async run({ settings }) {
    if (settings.databaseUrl === undefined)
      throw new UsageFault('DATABASE_URL is missing: npm start prepares the embedded database by itself')
    const lines: string[] = []
    const say = (line: string): void => void lines.push(line)
    return withStore(settings, async (store) => {
      await checkUpgrade(store.pool)
      await migrate(store)
      const urls = await separateRoles(store, inModeOf(settings, await readMode(store.pool)), say)
      return { json: { users: urls === undefined ? [] : Object.keys(urls) }, lines: [...lines, 'The database is ready.'] }
    })
  },
}

export const databaseUrl: CliCommand = {
  name: 'database url',
  about: `Print the URL with which a database user connects: ${databaseRoles.join(', ')}. Use backup for pg_dump`,
  operands: ['USER'],
  options: {},
  async run({ settings, operands }) {
    const role = databaseRoles.find((one) => one === operands[0])
    if (role === undefined) throw new UsageFault(`USER must be one of ${databaseRoles.join(', ')}`)
    return withStore(settings, async (store) => {
      const url = roleUrls(store.url, settings.roleUrls)[role]
      return { json: { user: role, url }, lines: [url] }
    })
  },
}
