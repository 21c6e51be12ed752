import { chainCommands } from './chain-commands.ts'
import { convertCommands } from './convert-cases.ts'
import { presaleCommands } from './presale-cases.ts'

/** Commands of deposits, withdrawals, conversions and presales with any values. */
export const deskCommands = { ...chainCommands, ...convertCommands, ...presaleCommands }
