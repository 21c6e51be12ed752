/** Which columns of a table are hidden: kept with the terminal's preference. */
import { type TerminalColumn, terminalColumns, type TerminalTable } from '@candor/core/protocol/wire/own/terminal-columns.ts'
import type { Terminal } from '@candor/core/protocol/wire/own/preferences.ts'
import { usePreference } from '../../../app/preferences/preferences.ts'
import type { Translate } from '../../../app/translate.ts'
import { toggled } from '../../../app/preferences/ordering.ts'
import { terminalRules } from '../use-terminal.ts'

export type Columns = {
  readonly hidden: readonly TerminalColumn[]
  readonly toggle: (column: TerminalColumn) => void
}

export function useColumns(table: TerminalTable): Columns {
  const [{ hiddenColumns }, change] = usePreference('terminal', terminalRules)
  return {
    hidden: hiddenColumns?.[table] ?? [],
    toggle: (column) => void change((now) => withToggled(now, table, column)),
  }
}

function withToggled(terminal: Terminal, table: TerminalTable, column: TerminalColumn): Terminal {
  const before: readonly TerminalColumn[] = terminal.hiddenColumns?.[table] ?? []
  const next = toggled(before, column).filter((one) => (terminalColumns[table] as readonly TerminalColumn[]).includes(one))
  return { ...terminal, hiddenColumns: { ...terminal.hiddenColumns, [table]: next } }
}

/** A column's name, without its unit. */
export function columnName(column: TerminalColumn, t: Translate): string {
  return t(names[column])
}

const names = {
  size: 'trade.size',
  entry: 'positions.entry',
  mark: 'perp.mark',
  liquidation: 'perp.liquidation',
  margin: 'positions.margin',
  profit: 'positions.unrealised',
  funding: 'positions.fundingTitle',
  exits: 'perp.exits',
  side: 'trade.order',
  kind: 'trade.orderType',
  price: 'trade.price',
  filled: 'orders.filledOf',
  trigger: 'trade.trigger',
  time: 'trade.time',
  average: 'orders.average',
  status: 'orders.status',
  role: 'orders.role',
  quantity: 'trade.quantity',
  value: 'trade.value',
  fee: 'trade.fee',
  available: 'trade.available',
  held: 'margin.held',
  borrowed: 'margin.borrowed',
  interest: 'margin.interest',
  borrowable: 'margin.borrowable',
  rate: 'loans.hourlyRate',
} as const satisfies Readonly<Record<TerminalColumn, string>>
