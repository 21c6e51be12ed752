import type { LeverageCeiling } from '@candor/core/protocol/port.ts'
import { type CliCommand, optional, withExchange } from '../command.ts'
import { findAccount } from './user.ts'

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
