import type { Link } from '../../engine/link.ts'
import { FirmsDesk } from '../../firms/desk.ts'
import type { Identity } from '../../identity/identity.ts'
import { usdtText } from '../../live/accounts/holdings.ts'
import { remainsOf } from '../../live/accounts/remains.ts'
import type { Staff } from '../../staff/staff.ts'
import type { Ground } from '../roles.ts'

/** Firms, their accounts in the core, and their members. */
export function openFirms(
  { settings, store, logger }: Ground,
  { ask, submit }: Link,
  { keys, sessions }: Identity,
  { log }: Staff,
): FirmsDesk {
  return new FirmsDesk({
    ...{ store, submit, keys, sessions, log, unservedCountries: settings.unservedCountries },
    async isEmpty(user) {
      const { balances, ...counts } = await remainsOf(ask, user)
      return balances.length === 0 && Object.values(counts).every((count) => count === 0)
    },
    standing: (main) => ask.firmStanding(main),
    amountText: (units) => usdtText(BigInt(units)),
    onFault: (cause) => logger.warn({ err: cause }, 'an account of a firm could not be opened yet'),
  })
}
