import { scaleOf } from '@candor/core/money/scale.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { OptionTerms } from '@candor/core/protocol/command/option.ts'
import type { OptionView } from '@candor/core/protocol/port.ts'
import { type CliCommand, withExchange } from '../command.ts'
import { firstAssets } from '../defaults.ts'

const usdtScale = scaleOf(firstAssets, 'USDT')
const hourMs = 3_600_000
const percentPpm = 4

export const showOption: CliCommand = {
  name: 'option show',
  about: 'Show the terms of Second and its house fund',
  operands: [],
  options: {},
  run: (input) =>
    withExchange(input.settings, async (link) => {
      const view = await link.ask.optionTerms()
      return { json: { ...view }, lines: [...stateOf(view), ...(view.terms === null ? [] : linesOf(view.terms))] }
    }),
}

function stateOf({ isOpen, terms, fund }: OptionView): readonly string[] {
  const state = isOpen ? 'open' : terms?.isOpen === true ? 'closed: the house fund is below its floor' : 'closed'
  return [`Second is ${state}, house fund ${formatUnits(fund, usdtScale)} USDT`]
}

function linesOf(terms: OptionTerms): readonly string[] {
  const usdt = (units: number): string => `${formatUnits(units, usdtScale)} USDT`
  const percent = (ppm: number): string => `${formatUnits(ppm, percentPpm)} %`
  return [
    `takes orders: ${terms.isOpen ? 'yes' : 'no'}`,
    `rates: ${terms.rates.map(({ seconds, profitPpm }) => `${seconds} s ${percent(profitPpm)}`).join(', ')}`,
    `stake: ${usdt(terms.stakeMin)} to ${usdt(terms.stakeMax)}, open per customer at most ${usdt(terms.openMax)}, in one direction ${usdt(terms.sideMax)}`,
    `exposure: at most ${percent(terms.marketExposurePpm)} of the house fund per market, ${percent(terms.totalExposurePpm)} in all markets`,
    `move of all coins: at most ${percent(terms.groupExposurePpm)} of the house fund; each market counts ${percent(terms.groupPpm)} of the others`,
    `customer’s guard: voids at most ${terms.guardVoidsFree} orders a day, or ${percent(terms.guardVoidsPpm)} of the day’s orders if that is more`,
    `house floor: ${usdt(terms.houseFloor)}`,
    `raised loss limit: applies after ${terms.limitWaitMs / hourMs} h`,
    `strike: after ${terms.strikeDelayMs} ms; longest gap of the index ${terms.gapMaxMs} ms`,
  ]
}
