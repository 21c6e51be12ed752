import type { Store } from '../store/open.ts'
import { provideRoles, RolesFault, type RoleUrls } from '../store/roles.ts'
import { type Settings, SettingsFault } from './settings.ts'

/**
 * Database addresses for each process of this exchange, each with its own user. Undefined in a sandbox whose database owner may
 * not create users: then all processes share the owner's, and a message says so. Production refuses to start in that case.
 */
export async function separateRoles(store: Store, settings: Settings, say: (line: string) => void): Promise<RoleUrls | undefined> {
  const { mode, databaseUrl, roleUrls = {} } = settings
  if (databaseUrl === undefined && Object.keys(roleUrls).length > 0)
    throw new SettingsFault('DATABASE_URL is missing: CANDOR_DATABASE_URL_… name users of its database')
  try {
    return await provideRoles(store, { given: roleUrls, mayForgetTape: mode === 'sandbox' })
  } catch (cause) {
    if (!(cause instanceof RolesFault) || mode === 'production') throw cause
    say(`${cause.message}. Until then every process uses the database as its owner.`)
    return undefined
  }
}
