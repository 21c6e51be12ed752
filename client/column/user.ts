import type {
  WireCodeRequest,
  WireCodeSent,
  WireInvitation,
  WireLogin,
  WireMe,
  WirePasswordChange,
  WireRegister,
  WireReset,
  WireResetCode,
  WireResetToken,
  WireResidence,
  WireSession,
} from '@candor/core/protocol/wire/user.ts'
import { segment, type CallOptions, type Http } from '../http.ts'

/** Sends a code by mail or message. The answer is the same whether or not an account exists. */
export function requestCode(http: Http, body: WireCodeRequest, options?: CallOptions): Promise<WireCodeSent> {
  return http('POST', '/auth/code', { ...options, body })
}

/** Opens an account and logs in. */
export function register(http: Http, body: WireRegister, options?: CallOptions): Promise<WireMe> {
  return http('POST', '/auth/register', { ...options, body })
}

export function login(http: Http, body: WireLogin, options?: CallOptions): Promise<WireMe> {
  return http('POST', '/auth/login', { ...options, body })
}

export function logout(http: Http, options?: CallOptions): Promise<void> {
  return http('POST', '/auth/logout', options)
}

/** Step 1 of a password reset: exchanges the code for a token. */
export function resetCode(http: Http, body: WireResetCode, options?: CallOptions): Promise<WireResetToken> {
  return http('POST', '/auth/reset/code', { ...options, body })
}

/** Step 2: the token sets the password and ends all sessions. */
export function reset(http: Http, body: WireReset, options?: CallOptions): Promise<void> {
  return http('POST', '/auth/reset', { ...options, body })
}

/** Changes the password. Needs a recent login. */
export function changePassword(http: Http, body: WirePasswordChange, options?: CallOptions): Promise<void> {
  return http('POST', '/auth/password', { ...options, body })
}

/** The inviter of this code. */
export function invitation(http: Http, code: string, options?: CallOptions): Promise<WireInvitation> {
  return http('GET', '/auth/invitation', { ...options, query: { code } })
}

export async function sessions(http: Http, options?: CallOptions): Promise<readonly WireSession[]> {
  return (await http<{ readonly sessions: readonly WireSession[] }>('GET', '/auth/sessions', options)).sessions
}

export function endSession(http: Http, id: string, options?: CallOptions): Promise<void> {
  return http('DELETE', `/auth/sessions/${segment(id)}`, options)
}

/** Ends all sessions except this one. */
export function endOtherSessions(http: Http, options?: CallOptions): Promise<void> {
  return http('DELETE', '/auth/sessions', options)
}

export function me(http: Http, options?: CallOptions): Promise<WireMe> {
  return http('GET', '/me', options)
}

/** Sets the language of mails and messages to the user. */
export function setLang(http: Http, lang: string, options?: CallOptions): Promise<WireMe> {
  return http('PATCH', '/me', { ...options, body: { lang } })
}

/** Declares where the user lives, for an account that has not yet done so. */
export function declareResidence(http: Http, body: WireResidence, options?: CallOptions): Promise<WireMe> {
  return http('PUT', '/me/residence', { ...options, body })
}

/** Accepts the present version of the user agreement. */
export function acceptAgreement(http: Http, version: string, options?: CallOptions): Promise<WireMe> {
  return http('POST', '/me/agreement', { ...options, body: { version } })
}

/** Passes the identity check without one; sandbox only. */
export function certify(http: Http, options?: CallOptions): Promise<WireMe> {
  return http('POST', '/sandbox/certify', options)
}
