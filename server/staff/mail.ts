import { deviceOf, type Visitor } from '../identity/device.ts'
import { Outgoing } from '../identity/outgoing.ts'
import type { Clock, Messages, Template } from '../ports.ts'

export type StaffMailParts = {
  readonly messages: Messages
  /** The address of the console's pages begins with it. */
  readonly publicUrl: string
  readonly clock: Clock
  readonly onFault: (cause: unknown) => void
}

/** The page on which a member enrols. The token stands behind `#`, so that no server receives it with the address of a page. */
export function enrolmentLink(publicUrl: string, token: string): string {
  return `${publicUrl}/console/enrol#token=${token}`
}

/** Mail to members of the staff, sent after the decision that it is about. */
export class StaffMail implements AsyncDisposable {
  readonly #parts: StaffMailParts
  readonly #outgoing: Outgoing

  constructor(parts: StaffMailParts) {
    this.#parts = parts
    this.#outgoing = new Outgoing(parts.messages, parts.onFault)
  }

  /** The only way of a token to its member: whoever else saw it could enrol in the member's place. */
  enrolment(to: string, token: string): void {
    this.#send(to, 'staff-enrolment', { link: enrolmentLink(this.#parts.publicUrl, token) })
  }

  /** To the address that was given up: its reader may not know of the change. */
  addressChanged(to: string): void {
    this.#send(to, 'staff-address', { time: String(this.#parts.clock()) })
  }

  /** After a change of the member's own login. */
  loginChanged(to: string, { ip, userAgent }: Visitor): void {
    this.#send(to, 'staff-login', { device: deviceOf(userAgent), ip, time: String(this.#parts.clock()) })
  }

  /** Resolves when no message is pending. */
  settled(): Promise<void> {
    return this.#outgoing.settled()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#outgoing[Symbol.asyncDispose]()
  }

  /** The console is in English first; a member has no language yet. */
  #send(to: string, template: Template, values: Readonly<Record<string, string>>): void {
    this.#outgoing.send({ channel: 'email', to, lang: 'en', template, values })
  }
}
