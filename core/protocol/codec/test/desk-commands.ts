import { chainCommands } from './chain-commands.ts'
import { convertCommands } from './convert-cases.ts'
import { orderListCommands } from './order-list-cases.ts'
import { presaleCommands } from './presale-cases.ts'

/** Commands of deposits, withdrawals, conversions, presales and lists of orders with any values. */
export const deskCommands = { ...chainCommands, ...convertCommands, ...orderListCommands, ...presaleCommands }
