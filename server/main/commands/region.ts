import type { LeverageCeiling } from '@candor/core/protocol/port.ts'
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
import { type Party, ProposalFault } from '../option-decisions.ts'
import { approveRegion, closeRegion, proposeRegion, type RegionGround, type RegionWish } from '../region-decisions.ts'
import { findAccount } from './user.ts'

const person = (about: string): Option => ({ type: 'string', value: 'EMAIL', about, isRequired: true })
const reason: Option = {
  type: 'string',
  value: 'TEXT',
  about: 'reason, stored in the journal: at most 120 ASCII characters',
  isRequired: true,
}
const onOff = (about: string): Option => ({ type: 'string', value: 'on|off', about, isRequired: true })
const what: Readonly<Record<string, Option>> = {
  reason,
  leverage: onOff('leverage above 2 in Futures and Margin'),
  second: onOff('Second'),
}

export const openRegion: CliCommand = {
  name: 'region open',
  about: 'Propose which products are open in a region (two letters, or * for all others); another operator must approve',
  operands: ['REGION'],
  options: { by: person('the proposing operator'), ...what },
  run: (input) =>
    decided(input, async (ground, by) => {
      const proposal = await proposeRegion(ground, by, wishOf(input))
      const next = `Another operator must approve it within one day: candor region approve ${proposal} --by EMAIL`
      return { json: { proposal }, lines: [`Proposal ${proposal}`, next] }
    }),
}

export const approveRegionCommand: CliCommand = {
  name: 'region approve',
  about: 'Approve a proposal of another operator for a region; the journaled command names both',
  operands: ['NUMBER'],
  options: { by: person('the approving operator, who must not be the one who proposed') },
  run: (input) =>
    decided(input, async (ground, by) => {
      const [given = ''] = input.operands
      if (!/^[0-9]{1,15}$/.test(given)) throw new UsageFault('NUMBER must be the number of a proposal')
      const seq = await approveRegion(ground, Number(given), by)
      return { json: { proposal: Number(given), seq }, lines: [`Executed with command ${seq}`] }
    }),
}

export const closeRegionCommand: CliCommand = {
  name: 'region close',
  about: 'Close products in a region at once, by one operator; running orders and positions continue',
  operands: ['REGION'],
  options: { by: person('the operator who closes the products'), ...what },
  run: (input) =>
    decided(input, async (ground, by) => {
      const seq = await closeRegion(ground, by, wishOf(input))
      return { json: { seq }, lines: [`Closed with command ${seq}`] }
    }),
}

export const showRegions: CliCommand = {
  name: 'region show',
  about: 'Show which products are open in each region; with --email also the leverage ceiling of a customer',
  operands: [],
  options: { email: { type: 'string', value: 'E', about: 'email address of the customer' } },
  run: (input) =>
    withExchange(input.settings, async (link, { store }) => {
      const rows = await link.ask.regions()
      const email = optional(input, 'email')
      const regions = rows.map(
        ({ region, isLeverageOpen, isSecondOpen }) =>
          `${region.padEnd(2)}  leverage above 2: ${wordOf(isLeverageOpen)}, Second: ${wordOf(isSecondOpen)}`,
      )
      if (email === undefined) return { json: { regions: rows }, lines: regions }
      const { ceiling } = await link.ask.perpAccount((await findAccount(store, email)).user)
      return { json: { regions: rows, ceiling }, lines: [...regions, `${email}: ${ceilingText(ceiling)}`] }
    }),
}

const wordOf = (isOpen: boolean): string => (isOpen ? 'on' : 'off')

function ceilingText(ceiling: LeverageCeiling | null): string {
  if (ceiling === null) return 'leverage up to the maximum of each market'
  const { leverage, until } = ceiling
  return until === null
    ? `leverage up to ${leverage}, because of the region`
    : `leverage up to ${leverage} until ${new Date(until).toISOString()}, because the account is new`
}

function wishOf(input: Input): RegionWish {
  const [region = ''] = input.operands
  if (!/^([A-Z]{2}|\*)$/.test(region)) throw new UsageFault('REGION must be two capital letters, or *')
  const given = text(input, 'reason')
  if (!/^[\x20-\x7e]{1,120}$/.test(given) || given.trim() === '') throw new UsageFault('--reason must have 1 to 120 ASCII characters')
  return { region, isLeverageOpen: isOn(input, 'leverage'), isSecondOpen: isOn(input, 'second'), reason: given }
}

function isOn(input: Input, name: string): boolean {
  const given = optional(input, name)
  if (given !== 'on' && given !== 'off') throw new UsageFault(`--${name} must be on or off`)
  return given === 'on'
}

function decided(input: Input, work: (ground: RegionGround, by: Party) => Promise<Result>): Promise<Result> {
  return withExchange(input.settings, async (link, { store }) => {
    try {
      const { id, user } = await findAccount(store, text(input, 'by'))
      return await work({ store, submit: link.submit, clock: Date.now }, { id, user })
    } catch (cause) {
      throw cause instanceof ProposalFault ? new CommandFault(cause.message) : cause
    }
  })
}
