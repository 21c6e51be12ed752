import type { FirmAccountOfKey } from '../../store/query/programs/sub-accounts.ts'
import { invalid } from '../errors.ts'
import * as param from '../params.ts'

/** Nothing is ever delivered below `.invalid` (RFC 2606). */
const domain = 'sub.invalid'

export const email = param.text(/^[A-Za-z0-9_.@-]{1,100}$/)

/** The made-up address by which programs name an account of a firm. A UID never changes. */
export const emailOf = (uid: string): string => `${uid}_virtual@${domain}`

/** The account of this address, which the core knows. `parameter`: where it was sent. throws  ApiError -1130 */
export function accountAt(accounts: readonly FirmAccountOfKey[], address: string, parameter: string) {
  const found = accounts.find(({ uid }) => emailOf(uid) === address)
  const user = found?.user ?? null
  if (found === undefined || user === null) throw invalid(parameter)
  return { ...found, user }
}
