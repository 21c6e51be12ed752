/** Passkeys of this browser. */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { change, changeOnce } from './client.ts'
import type { Me } from './wire.ts'

/** Data of WebAuthn in JSON, as the exchange sends it. */
export type Options = Readonly<Record<string, unknown>>
type Response = Readonly<Record<string, unknown>>

/** The browser gave no passkey: the member cancelled, there is none, or the time was over. */
export class PasskeyUnused extends Error {
  override readonly name = 'PasskeyUnused'
}

/** Whether this page can use passkeys: the browser knows them, the page is secure, and its host is a name, as passkeys require. */
export function canUsePasskeys(): boolean {
  const isNumber = /^[\d.]+$|^\[/.test(location.hostname)
  return globalThis.isSecureContext && typeof globalThis.PublicKeyCredential === 'function' && !isNumber
}

/** Lets the device create a passkey. throws  PasskeyUnused */
export async function createPasskey(options: Options): Promise<Response> {
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON']
  return { ...(await startRegistration({ optionsJSON }).catch(refuse)) }
}

/** Logs in with a passkey of this device. throws  PasskeyUnused, Problem */
export async function logInByPasskey(): Promise<Me> {
  const { options } = await changeOnce<{ readonly options: Options }>('POST', '/auth/passkey/options')
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON']
  const response = await startAuthentication({ optionsJSON }).catch(refuse)
  return changeOnce<Me>('POST', '/auth/passkey', { response })
}

/** Adds a passkey to the member’s own login. throws  PasskeyUnused, Problem */
export async function addPasskey(label: string): Promise<void> {
  const { options } = await change<{ readonly options: Options }>('POST', '/auth/passkeys/options')
  await change('POST', '/auth/passkeys', { label, response: await createPasskey(options) })
}

/** Signs a payment as an operator: the device says what the passkey signed. throws  PasskeyUnused, Problem */
export async function signPayment(withdrawal: number): Promise<void> {
  const { options } = await change<{ readonly options: Options }>('POST', `/withdrawals/${withdrawal}/sign/options`)
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON']
  const response = await startAuthentication({ optionsJSON }).catch(refuse)
  await change('POST', `/withdrawals/${withdrawal}/sign`, { response })
}

function refuse(cause: unknown): never {
  throw new PasskeyUnused('no passkey', { cause })
}
