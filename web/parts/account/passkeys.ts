/** Passkeys of this browser. The library is loaded with the first use, so that no first load carries it. */
import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { isOfFile } from '../../app/files.ts'
import { factors } from './factors.ts'

type Options = Awaited<ReturnType<typeof factors.loginOptions>>['options']
type Response = Parameters<typeof factors.loginByPasskey>[0]['response']

const library = () => import('@simplewebauthn/browser')

/** The browser gave no passkey: the user cancelled, there is none, or the time was over. */
export class PasskeyUnused extends Error {
  override readonly name = 'PasskeyUnused'
}

/** The device has a passkey of this account already. */
export class PasskeyKnown extends Error {
  override readonly name = 'PasskeyKnown'
}

/** Whether this page can use passkeys: the browser knows them, the page is secure, and its host is a name, as passkeys require. */
export function canUsePasskeys(): boolean {
  const isNumber = /^[\d.]+$|^\[/.test(location.hostname)
  return globalThis.isSecureContext && typeof globalThis.PublicKeyCredential === 'function' && !isNumber
}

/** Lets the user sign with a passkey. throws  PasskeyUnused */
export async function signWithPasskey(options: Options): Promise<Response> {
  const { startAuthentication } = await library()
  const response = await startAuthentication({ optionsJSON: requestOf(options) }).catch(refuse)
  return plain(response)
}

/** Creates a passkey on a device of the user. throws  PasskeyUnused, PasskeyKnown */
export async function createPasskey(options: Options): Promise<Response> {
  const { startRegistration } = await library()
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON']
  const response = await startRegistration({ optionsJSON }).catch(refuse)
  return { ...response }
}

/**
 * Offers passkeys in the autofill of the field with `autocomplete="… webauthn"`. Resolves to what the user chose, or to undefined
 * when the browser can't do this or another request took over. `isWanted`: asked again once everything is loaded.
 */
export async function passkeyOfAutofill(isWanted: () => boolean): Promise<Response | undefined> {
  const isAvailable = await globalThis.PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false)
  if (isAvailable !== true) return undefined
  const [{ startAuthentication }, { options }] = await Promise.all([library(), factors.loginOptions()])
  if (!isWanted()) return undefined
  const response = await startAuthentication({ optionsJSON: requestOf(options), useBrowserAutofill: true }).catch(() => undefined)
  return response && plain(response)
}

/** Ends the offer in the autofill. */
export function endAutofill(): void {
  void library().then(
    ({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony(),
    () => undefined,
  )
}

const requestOf = (options: Options): PublicKeyCredentialRequestOptionsJSON => options as unknown as PublicKeyCredentialRequestOptionsJSON
const plain = (response: AuthenticationResponseJSON): Response => ({ ...response })

function refuse(error: unknown): never {
  if (isOfFile(error)) throw error
  const isKnown = error instanceof Error && 'code' in error && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
  throw isKnown
    ? new PasskeyKnown('this device has a passkey already', { cause: error })
    : new PasskeyUnused('no passkey', { cause: error })
}
