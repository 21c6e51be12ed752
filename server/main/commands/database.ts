import { databaseRoles } from '../../store/rights.ts'
import { roleUrls } from '../../store/roles.ts'
import { type CliCommand, UsageFault, withStore } from '../command.ts'

export const databaseUrl: CliCommand = {
  name: 'database url',
  about: `Print the database URL of one of its users: ${databaseRoles.join(', ')}. pg_dump uses that of backup`,
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
