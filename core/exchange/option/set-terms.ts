import { windowMsOf } from '../../proof/second.ts'
import { decodeCommand } from '../../protocol/codec/command.ts'
import { writeOptionTermsChanged } from '../../protocol/codec/option-write.ts'
import type { OptionTerms, SetOptionTerms } from '../../protocol/command/option.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from '../state/state.ts'
import { tellHouse } from './house.ts'

const million = 1_000_000
const ratesMax = 20
const stakesMax = 2 ** 50
const dayMs = 86_400_000
const minuteMs = 60_000
const ordersMax = 1_000_000

/** `option.setTerms`: for new orders; open orders keep their own. */
export function setOptionTerms(x: State, data: Float64Array, start: number): Refusal | undefined {
  const { terms } = decodeCommand(data, start).command as SetOptionTerms
  if (!areTermsValid(terms)) return 'FIELD_INVALID'
  changeTerms(x, terms)
  return undefined
}

export function changeTerms(x: State, terms: OptionTerms): void {
  x.option.terms = terms
  writeOptionTermsChanged(x.events, terms)
  tellHouse(x)
}

/** Whether every order can be decided under these terms. */
export function areTermsValid(terms: OptionTerms): boolean {
  const isWithin = (value: number, least: number, most: number): boolean => value >= least && value <= most
  const { rates } = terms
  return (
    isWithin(rates.length, 1, ratesMax) &&
    rates.every(({ seconds }, i) => isWithin(seconds, i === 0 ? 1 : rates[i - 1]!.seconds + 1, dayMs / 1000)) &&
    rates.every(({ profitPpm }) => isWithin(profitPpm, 1, million)) &&
    isWithin(terms.stakeMin, 1, terms.stakeMax) &&
    isWithin(terms.openMax, terms.stakeMax, stakesMax) &&
    isWithin(terms.sideMax, terms.stakeMin, stakesMax) &&
    isWithin(terms.strikeDelayMs, 1, minuteMs) &&
    isWithin(terms.windowPpm, 1, million) &&
    isWithin(terms.windowMaxMs, 1, minuteMs) &&
    isWithin(terms.gapMaxMs, 1, minuteMs) &&
    rates.every(({ seconds }) => hasStrikeBeforeWindow(terms, seconds)) &&
    isWithin(terms.marketExposurePpm, 0, million) &&
    isWithin(terms.totalExposurePpm, 0, million) &&
    isWithin(terms.groupExposurePpm, 0, million) &&
    isWithin(terms.groupPpm, 0, million) &&
    isWithin(terms.guardVoidsFree, 0, ordersMax) &&
    isWithin(terms.guardVoidsPpm, 0, million) &&
    isWithin(terms.houseFloor, 0, stakesMax) &&
    isWithin(terms.limitWaitMs, 0, 30 * dayMs)
  )
}

/** Whether the latest tick that may give the strike comes before the window: then the price at the start of the window is known. */
function hasStrikeBeforeWindow(terms: OptionTerms, seconds: number): boolean {
  const windowMs = windowMsOf(seconds, terms.windowPpm, terms.windowMaxMs)
  return windowMs >= 1 && seconds * 1000 - windowMs > terms.gapMaxMs
}
