import type { Millis, Ppm, Units } from '@candor/core/money/brand.ts'
import { scaleOf } from '@candor/core/money/scale.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { OptionRate, OptionTerms } from '@candor/core/protocol/command/option.ts'
import type { OptionView } from '@candor/core/protocol/port.ts'
import type { Link } from '../../engine/link.ts'
import type { Store } from '../../store/open.ts'
import {
  type CliCommand,
  CommandFault,
  type Input,
  type Option,
  optional,
  type Result,
  text,
  UsageFault,
  withExchange,
} from '../command.ts'
import { firstAssets } from '../defaults.ts'
import { approve, close, type Ground, type Party, propose, ProposalFault } from '../option-decisions.ts'
import { findAccount } from './user.ts'

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

const person = (about: string): Option => ({ type: 'string', value: 'EMAIL', about, isRequired: true })
const reason: Option = {
  type: 'string',
  value: 'TEXT',
  about: 'reason, stored in the journal: at most 120 ASCII characters',
  isRequired: true,
}
const sum = (about: string): Option => ({ type: 'string', value: 'USDT', about })
const number = (value: string, about: string): Option => ({ type: 'string', value, about })

const changing: Readonly<Record<string, Option>> = {
  by: person('the proposing operator'),
  reason,
  fund: sum('amount that the firm pays into the house fund'),
  from: { type: 'string', value: 'EMAIL', about: "the firm's own account; its spot balance pays --fund" },
  rates: number('S=P,…', 'durations in seconds and the profit of a win in percent, e.g. 30=80,60=82'),
  'stake-min': sum('smallest stake'),
  'stake-max': sum('largest stake'),
  'open-max': sum('largest total of open stakes of one customer'),
  'side-max': sum('largest total of open stakes of one customer in one direction'),
  'market-exposure': number('PERCENT', 'share of the house fund that one market may lose'),
  'total-exposure': number('PERCENT', 'share of the house fund that all markets may lose'),
  'group-exposure': number('PERCENT', 'share of the house fund that a move of all coins in one direction may cost'),
  group: number('PERCENT', 'share of the other markets that counts in each market'),
  'guard-voids': number('ORDERS', 'number of orders per day that the guard of a customer may void'),
  'guard-share': number('PERCENT', 'the same as a share of the orders of that day, if that is more'),
  'house-floor': sum('Second closes when the house fund falls below this'),
  'limit-wait': number('HOURS', 'time before a raised loss limit of a customer applies'),
  gap: number('MS', 'longest gap between index prices; a longer one voids the order'),
}

export const openOption: CliCommand = {
  name: 'option open',
  about: 'Propose to open Second for orders; another operator must approve',
  operands: [],
  options: changing,
  run: (input) => runProposal(input, true),
}

export const setOption: CliCommand = {
  name: 'option set',
  about: 'Propose new terms for Second, or a payment into its house fund; another operator must approve',
  operands: [],
  options: changing,
  run: (input) => runProposal(input, undefined),
}

export const approveOption: CliCommand = {
  name: 'option approve',
  about: 'Approve a proposal of another operator for Second; the journaled command names both',
  operands: ['NUMBER'],
  options: {
    by: person('the approving operator, who must not be the one who proposed'),
    fund: sum('the payment into the house fund, typed again; omit it if the proposal has none'),
  },
  run(input) {
    const [given = ''] = input.operands
    if (!/^[0-9]{1,15}$/.test(given)) throw new UsageFault('NUMBER must be the number of a proposal')
    return decided(input, async (ground, link) => {
      const seq = await approve(
        ground,
        Number(given),
        await partyOf(ground.store, text(input, 'by')),
        amountOf(input, 'fund') ?? (0 as Units),
      )
      const view = await link.ask.optionTerms()
      return { json: { proposal: Number(given), seq, ...view }, lines: [`Executed with command ${seq}`, ...stateOf(view)] }
    })
  },
}

export const closeOption: CliCommand = {
  name: 'option close',
  about: 'Close Second for new orders at once; running orders are settled',
  operands: [],
  options: { by: person('the operator who closes Second'), reason },
  run: (input) =>
    decided(input, async (ground, link) => {
      const seq = await close(ground, await partyOf(ground.store, text(input, 'by')), reasonOf(input))
      const view = await link.ask.optionTerms()
      return { json: { seq, ...view }, lines: [`Closed with command ${seq}`, ...stateOf(view)] }
    }),
}

function runProposal(input: Input, isOpen: boolean | undefined): Promise<Result> {
  const amount = amountOf(input, 'fund') ?? (0 as Units)
  if (amount > 0 !== (optional(input, 'from') !== undefined)) throw new UsageFault('--fund and --from must be given together')
  return decided(input, async (ground, link) => {
    const by = await partyOf(ground.store, text(input, 'by'))
    const firm = amount > 0 ? await partyOf(ground.store, text(input, 'from')) : by
    const { terms: now, fund } = await link.ask.optionTerms()
    if (now === null) throw new CommandFault('Second has no terms yet')
    const terms = { ...now, ...changesOf(input), ...(isOpen === undefined ? {} : { isOpen }) }
    const changed = linesOf(terms).filter((line) => !linesOf(now).includes(line))
    if (changed.length === 0 && amount === 0) throw new UsageFault('There is nothing to change: give at least one option')
    const proposal = await propose(ground, { by, reason: reasonOf(input), terms, firm, amount })
    const sumText = `${formatUnits(amount, usdtScale)} USDT`
    const money =
      amount === 0 ? [] : [`house fund receives ${sumText}`, `house fund afterwards:  ${formatUnits(fund + amount, usdtScale)} USDT`]
    const again = amount === 0 ? '' : ` --fund ${formatUnits(amount, usdtScale)}`
    const next = `Another operator must approve it within one day: candor option approve ${proposal} --by EMAIL${again}`
    return {
      json: { proposal, terms, amount: formatUnits(amount, usdtScale) },
      lines: [`Proposal ${proposal}`, ...money, ...changed, next],
    }
  })
}

async function decided(input: Input, work: (ground: Ground, link: Link) => Promise<Result>): Promise<Result> {
  return withExchange(input.settings, async (link, { store }) => {
    try {
      return await work({ store, submit: link.submit, ask: link.ask, clock: Date.now }, link)
    } catch (cause) {
      throw cause instanceof ProposalFault ? new CommandFault(cause.message) : cause
    }
  })
}

async function partyOf(store: Store, email: string): Promise<Party> {
  const { id, user } = await findAccount(store, email)
  return { id, user }
}

function reasonOf(input: Input): string {
  const given = text(input, 'reason')
  if (!/^[\x20-\x7e]{1,120}$/.test(given) || given.trim() === '') throw new UsageFault('--reason must have 1 to 120 ASCII characters')
  return given
}

function amountOf(input: Input, name: string): Units | undefined {
  const given = optional(input, name)
  if (given === undefined) return undefined
  const amount = parseUnits(given, usdtScale)
  if (amount === undefined || amount <= 0) throw new UsageFault(`--${name} must be a positive amount of USDT`)
  return amount
}

function changesOf(input: Input): Partial<OptionTerms> {
  const ppm = (name: string): Ppm | undefined => {
    const given = optional(input, name)
    const value = given === undefined ? undefined : parseUnits(given, percentPpm)
    if (given !== undefined && value === undefined) throw new UsageFault(`--${name} must be a percentage`)
    return value as Ppm | undefined
  }
  const whole = (name: string): number | undefined => {
    const given = optional(input, name)
    if (given !== undefined && !/^[0-9]{1,9}$/.test(given)) throw new UsageFault(`--${name} must be a whole number`)
    return given === undefined ? undefined : Number(given)
  }
  const hours = whole('limit-wait')
  const all = {
    rates: ratesOf(optional(input, 'rates')),
    stakeMin: amountOf(input, 'stake-min'),
    stakeMax: amountOf(input, 'stake-max'),
    openMax: amountOf(input, 'open-max'),
    sideMax: amountOf(input, 'side-max'),
    marketExposurePpm: ppm('market-exposure'),
    totalExposurePpm: ppm('total-exposure'),
    groupExposurePpm: ppm('group-exposure'),
    groupPpm: ppm('group'),
    guardVoidsFree: whole('guard-voids'),
    guardVoidsPpm: ppm('guard-share'),
    houseFloor: amountOf(input, 'house-floor'),
    limitWaitMs: hours === undefined ? undefined : ((hours * hourMs) as Millis),
    gapMaxMs: whole('gap'),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Partial<OptionTerms>
}

function ratesOf(given: string | undefined): readonly OptionRate[] | undefined {
  return given?.split(',').map((pair) => {
    const [, seconds, percent = ''] = /^([0-9]{1,5})=([0-9.]{1,8})$/.exec(pair) ?? []
    const profitPpm = parseUnits(percent, percentPpm)
    if (seconds === undefined || profitPpm === undefined) throw new UsageFault('--rates must have the form 30=80,60=82')
    return { seconds: Number(seconds), profitPpm: profitPpm as number as Ppm }
  })
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
