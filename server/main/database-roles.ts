import type { Store } from '../store/open.ts'
import { provideRoles, RolesFault, type RoleUrls } from '../store/roles.ts'
import { type Settings, SettingsFault } from './settings.ts'

/**
 * Where each process of this exchange connects. Undefined in a sandbox whose database lets its owner make no users: then
 * all of them share the owner's, which is said aloud. Production does without only by refusing.
 */
export async function separateRoles(store: Store, settings: Settings, say: (line: string) => void): Promise<RoleUrls | undefined> {
  const { mode, databaseUrl, roleUrls = {} } = settings
  if (databaseUrl === undefined && Object.keys(roleUrls).length > 0)
    throw new SettingsFault('CANDOR_DATABASE_URL_… are users of the database of DATABASE_URL, which is missing')
  try {
    return await provideRoles(store, { given: roleUrls, mayForgetTape: mode === 'sandbox' })
  } catch (cause) {
    if (!(cause instanceof RolesFault) || mode === 'production') throw cause
    say(`${cause.message}. Until then every process uses the database as its owner.`)
    return undefined
  }
}
