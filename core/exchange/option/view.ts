import type { Millis, Units } from '../../money/brand.ts'
import type { UserId } from '../../protocol/ids.ts'
import type { OptionStanding, OptionView, RunningOption } from '../../protocol/port.ts'
import type { State } from '../state/state.ts'
import { isSecondOpened } from '../state/ceiling.ts'
import type { Venue } from '../records/venue.ts'
import { houseFund, isHouseOpen } from './house.ts'
import { guardsLeft, hasOption, isPaused, sideLeft } from './open.ts'
import { lossMaxOf, lossOf } from './records/state.ts'
import type { OptionUser } from './records/state.ts'

/** The present offer: terms, markets, house fund. */
export function viewOption(x: State): OptionView {
  return {
    terms: x.option.terms ?? null,
    isOpen: isHouseOpen(x),
    fund: houseFund(x),
    markets: offered(x).map((venue) => ({ market: venue.id, isPaused: isPaused(x, venue) })),
    tape: { tick: x.option.tick, at: x.option.tickedAt },
  }
}

/** A customer's limits and permissions, as of the last command. */
export function viewOptionUser(x: State, user: UserId): OptionStanding {
  const known = x.option.users.get(user)
  const [left, isOpenInRegion] = [viewLeft(x, known), isSecondOpened(x, user)]
  if (known === undefined) {
    const none = 0 as Units
    const never = 0 as Millis
    return {
      isAdmitted: false,
      openStakes: none,
      loss: none,
      lossMax: none,
      nextLossMax: none,
      nextAt: never,
      coolOffUntil: never,
      isGuardSpent: false,
      isOpenInRegion,
      left,
    }
  }
  const lossMax = lossMaxOf(known, x.atMs)
  const isWaiting = x.atMs < known.nextAt
  return {
    isAdmitted: known.isAdmitted,
    openStakes: known.openStakes,
    loss: lossOf(known, x.atMs),
    lossMax,
    nextLossMax: known.nextLossMax,
    nextAt: isWaiting ? known.nextAt : (0 as Millis),
    coolOffUntil: x.atMs < known.coolOffUntil ? known.coolOffUntil : (0 as Millis),
    isGuardSpent: x.option.terms !== undefined && guardsLeft(known, x.atMs, x.option.terms) <= 0,
    isOpenInRegion,
    left,
  }
}

function viewLeft(x: State, known: OptionUser | undefined): OptionStanding['left'] {
  const { terms } = x.option
  if (terms === undefined) return []
  return offered(x).map(({ id }) => ({
    market: id,
    up: sideLeft(known, id, 'up', terms) as Units,
    down: sideLeft(known, id, 'down', terms) as Units,
  }))
}

/** Markets on which Second is offered, by number. */
function offered(x: State): readonly Venue[] {
  return x.venues.filter((venue) => venue !== undefined).filter((venue) => hasOption(x, venue))
}

/** Unsettled orders of a user, oldest first. */
export function viewOptions(x: State, user: UserId): readonly RunningOption[] {
  const open = [...(x.option.users.get(user)?.open ?? [])]
  return open.map(({ strike, isSettled: _, ...order }) => {
    const struck = strike === undefined ? {} : { struck: { strike: strike.price, tick: strike.tick, at: strike.at } }
    return { ...order, ...struck } as unknown as RunningOption
  })
}
