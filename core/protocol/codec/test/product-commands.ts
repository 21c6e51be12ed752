import { chainCommands } from './chain-commands.ts'
import { convertCommands } from './convert-cases.ts'
import { firmCommands } from './firm-cases.ts'
import { referralCommands } from './referral-cases.ts'

/** Commands of products with any values. */
export const productCommands = { ...chainCommands, ...convertCommands, ...referralCommands, ...firmCommands }
