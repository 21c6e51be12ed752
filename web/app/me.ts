import { ApiError } from '@candor/client/errors.ts'
import { client } from './client.ts'
import { signedIn, signedOut, useSession } from './session.ts'

/** Loads the logged-in user if this browser has a session. A session that ended in the meantime does not ask for a login. */
export async function refreshMe(): Promise<void> {
  const { me, login } = useSession.getState()
  if (me === undefined) return
  try {
    const answer = await client.user.me()
    if (useSession.getState().login === login) signedIn(answer)
  } catch (error) {
    const isEnded = error instanceof ApiError && error.code === 'UNAUTHENTICATED'
    if (isEnded && useSession.getState().login === login) signedOut()
  }
}

export async function logout(): Promise<void> {
  try {
    await client.user.logout()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'UNAUTHENTICATED') throw error
  }
  signedOut()
}
