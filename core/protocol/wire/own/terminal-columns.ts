/** Columns of the terminal's tables that can be hidden. The first column and the actions of a row always stay. */
export const terminalColumns = {
  positions: ['size', 'entry', 'mark', 'liquidation', 'margin', 'profit', 'funding', 'exits'],
  orders: ['side', 'kind', 'price', 'filled', 'trigger', 'time'],
  history: ['side', 'kind', 'filled', 'average', 'status', 'time'],
  fills: ['side', 'role', 'price', 'quantity', 'value', 'fee', 'time'],
  assets: ['available', 'held', 'borrowed', 'interest', 'borrowable', 'rate'],
} as const

export type TerminalTable = keyof typeof terminalColumns
export type TerminalColumn = (typeof terminalColumns)[TerminalTable][number]
/** The hidden columns of each table. */
export type HiddenColumns = { readonly [Table in TerminalTable]?: readonly (typeof terminalColumns)[Table][number][] }
