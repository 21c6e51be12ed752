import { createInterface } from 'node:readline'
import { CommandFault, type Input, optional, UsageFault } from './command.ts'
import type { Settings } from './settings.ts'

/** The password for a command: its argument, otherwise the first line of standard input. throws  UsageFault when there is none */
export async function passwordOf(input: Input): Promise<string> {
  const given = optional(input, 'password')
  if (given !== undefined && given !== '') return given
  if (process.stdin.isTTY) process.stderr.write('Password (one line): ')
  for await (const line of createInterface({ input: process.stdin, terminal: false })) {
    if (line !== '') return line
    break
  }
  throw new UsageFault('the password is missing: give it on standard input')
}

/**
 * Refuses a password as an argument, because every user of the machine can read arguments and shells store them. throws
 * CommandFault in production
 */
export function refuseArgument(input: Input, mode: Settings['mode']): void {
  if (mode === 'production' && optional(input, 'password') !== undefined)
    throw new CommandFault('--password is for sandboxes: in production give the password on standard input')
}
