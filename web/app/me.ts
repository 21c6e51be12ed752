import { ApiError } from '@candor/client/errors.ts'
import type { WireMe } from '@candor/core/protocol/wire/user.ts'
import { client } from './client.ts'
import { signedIn, signedOut, useSession } from './session.ts'

/** Asks who is logged in, when this browser believes that somebody is. An end of the session while away is no surprise: no question. */
export async function refreshMe(): Promise<void> {
  if (useSession.getState().me === undefined) return
  try {
    signedIn(await client.user.me())
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') signedOut()
  }
}

/** After a login or a registration. Mails follow the language that is shown. */
export function welcome(me: WireMe): void {
  signedIn(me)
}

export async function logout(): Promise<void> {
  try {
    await client.user.logout()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'UNAUTHENTICATED') throw error
  }
  signedOut()
}
