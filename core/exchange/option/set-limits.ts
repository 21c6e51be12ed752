import type { Millis, Units } from '../../money/brand.ts'
import type { UserId } from '../../protocol/ids.ts'
import { OPTION_COOL_OFF, OPTION_LOSS_MAX, USER } from '../../protocol/codec/layout.ts'
import { writeOptionLimits } from '../../protocol/codec/option-write.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from '../state/state.ts'
import { lossMaxOf } from './records/state.ts'

const dayMs = 86_400_000
/** Wait for a raised limit while there are no terms. */
const waitMs = dayMs
const coolOffMax = 366 * dayMs
const lossLimit = 2 ** 50

/**
 * `option.setLimits`: a lower loss limit applies at once. A higher one, or none (0), applies after the wait; until then, setting
 * the present limit withdraws the change. A cool-off can start or be extended, never shortened; 0 leaves it unchanged.
 */
export function setOptionLimits(x: State, data: Float64Array, start: number): Refusal | undefined {
  const user = data[start + USER] as UserId
  const lossMax = data[start + OPTION_LOSS_MAX] as Units
  const coolOffUntil = data[start + OPTION_COOL_OFF] as Millis
  const until = x.option.users.get(user)?.coolOffUntil ?? 0
  if (lossMax < 0 || lossMax > lossLimit) return 'LIMIT_INVALID'
  const isCoolOffRight = coolOffUntil >= until && coolOffUntil > x.atMs && coolOffUntil <= x.atMs + coolOffMax
  if (coolOffUntil !== 0 && !isCoolOffRight) return 'LIMIT_INVALID'

  const known = x.option.user(user)
  const holds = lossMaxOf(known, x.atMs)
  const isHigher = holds !== 0 && (lossMax === 0 || lossMax > holds)
  const wait = isHigher ? (x.option.terms?.limitWaitMs ?? waitMs) : 0
  known.lossMax = wait === 0 ? lossMax : holds
  known.nextLossMax = lossMax
  known.nextAt = (wait === 0 ? 0 : x.atMs + wait) as Millis
  if (coolOffUntil !== 0) known.coolOffUntil = coolOffUntil
  writeOptionLimits(x.events, {
    user,
    lossMax: known.lossMax,
    nextLossMax: lossMax,
    nextAt: known.nextAt,
    coolOffUntil: known.coolOffUntil,
  })
  return undefined
}
