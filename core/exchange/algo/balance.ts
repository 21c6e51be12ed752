import { algoBounds } from '../../risk/algo.ts'
import type { State } from '../state/state.ts'
import { TWAP } from './records/end.ts'

/** Broken rules of running orders in parts: a user has too many, more is left than was ordered, or the schedule is over. */
export function algoViolations({ algo }: State): readonly string[] {
  const wrong: string[] = []
  for (const each of algo.all()) {
    const { number, kind, left, lots, partsLeft, parts, user } = each
    if (algo.countOf(user) > algoBounds.running) wrong.push(`user ${user} has more than ${algoBounds.running} running orders in parts`)
    if (kind === TWAP && (left <= 0 || left > lots || partsLeft <= 0 || partsLeft >= parts))
      wrong.push(`order in parts ${number} has ${left} of ${lots} lots and ${partsLeft} of ${parts} parts left`)
  }
  return wrong
}
