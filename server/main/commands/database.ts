import { databaseRoles } from '../../store/rights.ts'
import { roleUrls } from '../../store/roles.ts'
import { type CliCommand, UsageFault, withStore } from '../command.ts'

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
