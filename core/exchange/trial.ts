import { algoViolations } from './algo/balance.ts'
import { chainViolations } from './chain/balance.ts'
import { convertViolations } from './convert/balance.ts'
import { firmViolations } from './firm/balance.ts'
import { marginViolations } from './margin/balance.ts'
import { perpViolations } from './perp/balance.ts'
import { referralViolations } from './referral/balance.ts'
import { presaleViolations } from './presale/balance.ts'
import type { State } from './state/state.ts'

/** `sums`: by asset number; all must be 0. `violations`: broken invariants of the accounts and of all products; must be empty. */
export function trialOfState(x: State): { readonly sums: readonly number[]; readonly violations: readonly string[] } {
  const { sums, violations } = x.ledger.trialBalance()
  const ofProducts = [
    chainViolations,
    convertViolations,
    marginViolations,
    perpViolations,
    presaleViolations,
    referralViolations,
    firmViolations,
    algoViolations,
  ].flatMap((of) => of(x))
  return { sums, violations: [...violations, ...ofProducts] }
}
