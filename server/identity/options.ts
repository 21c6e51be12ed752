import type { Ask, Submit } from '@candor/core/protocol/port.ts'
import type { Clock, Messages } from '../ports.ts'
import type { Store } from '../store/open.ts'
import type { Argon } from './argon.ts'
import type { ServerKeys } from './server-keys.ts'

export type IdentityOptions = {
  readonly store: Store
  readonly submit: Submit
  readonly openOrders: Ask['openOrders']
  readonly messages: Messages
  readonly mode: 'sandbox' | 'production'
  /** Encrypts secrets that must be readable again. */
  readonly serverKeys: ServerKeys
  readonly clock?: Clock
  /** Hashes passwords and codes. */
  readonly argon?: Argon
  /** Countries that text messages may go to (ISO 3166, upper case). Default: all. */
  readonly phoneCountries?: readonly string[]
  /** Countries whose residents are not served (ISO 3166, upper case). Default: none. */
  readonly unservedCountries?: readonly string[] | undefined
  /** The country of an account's certified document, from the room that keeps it. */
  readonly documentOf?: (account: string) => Promise<string | undefined>
  /** The public URL of the exchange, for links in mails. */
  readonly publicUrl?: string
  /** Called for messages that could not be sent. */
  readonly onFault?: (cause: unknown) => void
}
