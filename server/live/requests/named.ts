import type { Command } from '@candor/core/protocol/command/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'

export type OfUser = Extract<Command, { readonly user: UserId }>
/** A command with a client id, whose repeat gets the first outcome. */
export type Named = OfUser & { readonly clientId: string }

export function isOfUser(command: Command): command is OfUser {
  return 'user' in command
}

export function isNamed(command: OfUser): command is Named {
  return 'clientId' in command && command.clientId !== ''
}
