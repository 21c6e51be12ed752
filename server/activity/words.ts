import { commandCodes } from '@candor/core/protocol/codec/layout.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { ActivityKind } from '@candor/core/protocol/wire/activity.ts'

type CommandName = Command['type']

/** The commands of customers. All others are of the exchange, or stand in the account's log. */
const kinds: { readonly [Name in CommandName]?: ActivityKind } = {
  ...({ 'spot.place': 'order', 'spot.placeOco': 'order', 'spot.amend': 'order', 'spot.cancel': 'order' } as const),
  ...({ 'spot.cancelAll': 'order', 'perp.place': 'order', 'perp.amend': 'order', 'perp.cancel': 'order' } as const),
  ...({
    'spot.placeList': 'order',
    'perp.reverse': 'order',
    'option.open': 'order',
    'algo.place': 'order',
    'algo.cancel': 'order',
  } as const),
  ...({ 'perp.setLeverage': 'change', 'perp.setMarginMode': 'change', 'perp.setHedgeMode': 'change' } as const),
  ...({ 'option.admit': 'change', 'option.setLimits': 'change' } as const),
  ...({ 'funds.faucet': 'funds', 'funds.transfer': 'funds', 'perp.adjustMargin': 'funds' } as const),
  ...({ 'margin.borrow': 'funds', 'margin.repay': 'funds' } as const),
  ...({ 'withdraw.request': 'funds', 'withdraw.cancel': 'funds', 'chain.repay': 'funds' } as const),
  ...({ 'lend.supply': 'funds', 'lend.withdraw': 'funds', 'lend.cancelWithdraw': 'funds' } as const),
}

const names = new Map<number, CommandName>(Object.entries(commandCodes).map(([name, code]) => [code, name as CommandName]))

/** The number under which a command of a customer is kept; undefined for other commands. */
export function codeOf(name: CommandName): number | undefined {
  return kinds[name] === undefined ? undefined : commandCodes[name]
}

export const nameOf = (code: number): CommandName => names.get(code)!

export const kindOf = (name: CommandName): ActivityKind => kinds[name] ?? 'change'

export function codesOf(kind: ActivityKind | undefined): readonly number[] {
  const chosen = Object.entries(kinds).filter(([, one]) => kind === undefined || one === kind)
  return chosen.map(([name]) => commandCodes[name as CommandName])
}

const accesses: ReadonlySet<string> = new Set([
  ...[
    'register',
    'login',
    'login-failed',
    'second-factor-asked',
    'second-factor-failed',
    'logout',
    'session-ended',
    'other-sessions-ended',
  ],
  ...['proven', 'reset-allowed'],
])

/** The kind of an entry of the account's log. */
export const kindOfEntry = (action: string): ActivityKind => (accesses.has(action) ? 'access' : 'change')
