import type {
  WireAccesses,
  WireAuthenticator,
  WireFactorAdded,
  WireFactors,
  WireNewPasskey,
  WirePasskeyOptions,
  WirePasskeyResponse,
  WireProof,
  WireProven,
  WireRecoveryCodes,
} from '@candor/core/protocol/wire/factors.ts'
import type { WireCodeSent, WireMe } from '@candor/core/protocol/wire/user.ts'
import { segment, type CallOptions, type Http } from '../http.ts'

/** The user's second factors, and until when this session may make sensitive changes. */
export function list(http: Http, options?: CallOptions): Promise<WireFactors> {
  return http('GET', '/auth/factors', options)
}

/** Finishes a login that was refused with `SECOND_FACTOR_NEEDED` or `PASSKEY_NEEDED`, by a code. */
export function loginByCode(http: Http, code: string, options?: CallOptions): Promise<WireMe> {
  return http('POST', '/auth/login/code', { ...options, body: { code } })
}

/** The options with which a passkey signs for a login. */
export function loginOptions(http: Http, options?: CallOptions): Promise<WirePasskeyOptions> {
  return http('POST', '/auth/passkey/options', options)
}

export function loginByPasskey(http: Http, body: WirePasskeyResponse, options?: CallOptions): Promise<WireMe> {
  return http('POST', '/auth/passkey', { ...options, body })
}

/** A new secret for an authenticator app; it counts once confirmed. */
export function newAuthenticator(http: Http, options?: CallOptions): Promise<WireAuthenticator> {
  return http('POST', '/auth/authenticator', options)
}

export function confirmAuthenticator(http: Http, code: string, options?: CallOptions): Promise<WireFactorAdded> {
  return http('POST', '/auth/authenticator/confirm', { ...options, body: { code } })
}

export function removeAuthenticator(http: Http, options?: CallOptions): Promise<void> {
  return http('DELETE', '/auth/authenticator', options)
}

/** Replaces the recovery codes. Only this answer has them. */
export function renewRecoveryCodes(http: Http, options?: CallOptions): Promise<WireRecoveryCodes> {
  return http('POST', '/auth/recovery-codes', options)
}

/** The options with which a device creates a passkey. */
export function newPasskeyOptions(http: Http, options?: CallOptions): Promise<WirePasskeyOptions> {
  return http('POST', '/auth/passkeys/options', options)
}

export function addPasskey(http: Http, body: WireNewPasskey, options?: CallOptions): Promise<WireFactorAdded> {
  return http('POST', '/auth/passkeys', { ...options, body })
}

export function removePasskey(http: Http, id: string, options?: CallOptions): Promise<void> {
  return http('DELETE', `/auth/passkeys/${segment(id)}`, options)
}

/** Sends the code for the proof of an account without a second factor. */
export function sendProofCode(http: Http, options?: CallOptions): Promise<WireCodeSent> {
  return http('POST', '/auth/proof/code', options)
}

/** The options with which a passkey signs for a proof. */
export function proofOptions(http: Http, options?: CallOptions): Promise<WirePasskeyOptions> {
  return http('POST', '/auth/proof/passkey', options)
}

/** Proves who the user is; sensitive changes are then open for 15 minutes. */
export function prove(http: Http, body: WireProof, options?: CallOptions): Promise<WireProven> {
  return http('POST', '/auth/proof', { ...options, body })
}

/** Sets the words with which every mail to the user begins; nobody can read them back. */
export function setPhrase(http: Http, phrase: string, options?: CallOptions): Promise<void> {
  return http('PUT', '/auth/phrase', { ...options, body: { phrase } })
}

export function removePhrase(http: Http, options?: CallOptions): Promise<void> {
  return http('DELETE', '/auth/phrase', options)
}

/** Logins and security changes, newest first, from before this entry. */
export function accesses(http: Http, before?: number, options?: CallOptions): Promise<WireAccesses> {
  return http('GET', '/auth/accesses', { ...options, ...(before === undefined ? {} : { query: { before: String(before) } }) })
}
