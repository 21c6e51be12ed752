import type { TierNumber, UserId } from '../../protocol/ids.ts'
import type { FirmStanding } from '../../protocol/port.ts'
import { withdrawnMax } from '../chain/limit.ts'
import type { State } from '../state/state.ts'

/** Reads of firms, for queries. */
export type FirmReads = { standing(user: UserId): FirmStanding }

/** The user's firm as of the last command. `main` 0: the user is a person. */
export function firmReads(x: State): FirmReads {
  return {
    standing: (user) => ({
      main: x.firm.mainOf(user),
      tier: x.firm.termsOf(user)?.tier ?? (0 as TierNumber),
      withdrawMax: withdrawnMax(x, user),
    }),
  }
}
