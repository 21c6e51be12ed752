import type { Millis } from '../../money/brand.ts'
import type { UserId } from '../../protocol/ids.ts'
import { REST_UNTIL, USER } from '../../protocol/codec/layout.ts'
import { writeUserRested } from '../../protocol/codec/event-write.ts'
import { sweepRisk } from '../spot/cancel-all.ts'
import type { Handler } from '../state/handler.ts'

/**
 * `user.rest`: the customer's own pause. An end that is not later than the present one, or not in the future, has no effect.
 * Orders that would open risk are cancelled, oldest first; the rest of a long list is left to clock ticks.
 */
export const restUser: Handler = (x, data, start) => {
  const user = data[start + USER] as UserId
  const until = data[start + REST_UNTIL] as Millis
  if (until <= x.atMs || until <= x.facts.restUntil(user)) return undefined
  x.setRest(user, until)
  writeUserRested(x.events, user, until)
  sweepRisk(x, user)
  return undefined
}
