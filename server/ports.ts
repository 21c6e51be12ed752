import type { UserClass } from '@candor/core/protocol/command/user.ts'
import type { Channel } from '@candor/core/protocol/wire/user.ts'

/** Mail and short messages out. Resolves when the next hop has taken it; throws a fault when it has not. */
export type Messages = {
  send(message: Message): Promise<void>
}

export const templates = ['register-code', 'reset-code', 'new-device', 'password-changed', 'key-widened', 'account-exists'] as const
export type Template = (typeof templates)[number]

/** A text that exists in all seven languages under `server/messages/texts/`. */
export type Message = {
  readonly channel: Channel
  readonly to: string
  readonly lang: string
  readonly template: Template
  readonly values: Readonly<Record<string, string>>
}

/** Wall clock of the server's own rooms (sessions, codes); the core's time comes from the sequencer. */
export type Clock = () => number

/** A logged-in person, as every route sees them. `user` is the core's number. */
export type Session = {
  readonly id: string
  readonly account: string
  readonly user: number
  readonly uid: string
  readonly lang: string
  readonly class: UserClass
  readonly loggedInAt: number
}
