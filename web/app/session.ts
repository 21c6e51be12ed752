/** The logged-in user. Scripts can't read the cookie; a note in local storage says whether it makes sense to ask. */
import type { WireMe } from '@candor/core/protocol/wire/user.ts'
import { create } from 'zustand'

export type Session = {
  readonly me: WireMe | undefined
  /** Whether the exchange no longer knows the session of this page. */
  readonly isExpired: boolean
  /** Changes with each login and logout. */
  readonly login: number
}

const listeners = new Set<() => void>()

export const useSession = create<Session>(() => ({ me: read(), isExpired: false, login: 0 }))

/** The logged-in user, or undefined for a visitor. */
export function useMe(): WireMe | undefined {
  return useSession((session) => session.me)
}

export function signedIn(me: WireMe): void {
  const before = useSession.getState()
  const isOther = before.me?.uid !== me.uid || before.isExpired
  useSession.setState({ me, isExpired: false, login: before.login + (isOther ? 1 : 0) })
  write(me)
  if (isOther) for (const listener of listeners) listener()
}

export function signedOut(): void {
  useSession.setState(({ login }) => ({ me: undefined, isExpired: false, login: login + 1 }))
  write(undefined)
  for (const listener of listeners) listener()
}

/**
 * Follows the logins and logouts of the app's other pages, which have the same cookie: what the exchange answers here is no longer the
 * data of the person that this page shows.
 */
export function followOtherPages(): void {
  addEventListener('storage', ({ key }) => {
    if (key !== 'session' && key !== null) return
    const me = read()
    const before = useSession.getState()
    if (me?.uid === before.me?.uid) return
    // This page asks for the login already, and keeps what was typed.
    if (me === undefined && before.isExpired) return
    useSession.setState({ me, isExpired: false, login: before.login + 1 })
    for (const listener of listeners) listener()
  })
}

/** Whether this browser still keeps the person of this page, and the exchange still knows the session. */
export function isPresent(): boolean {
  const { me, isExpired } = useSession.getState()
  return me !== undefined && !isExpired && read()?.uid === me.uid
}

/** Marks the session as expired after a refused request, unless a new session has begun since `login`. */
export function sessionEnded(login: number): void {
  const now = useSession.getState()
  if (now.me !== undefined && now.login === login) useSession.setState({ isExpired: true })
}

/** Calls the listener after each login and logout. */
export function onSessionChange(listener: () => void): void {
  listeners.add(listener)
}

/** Calls the listener when another user, or nobody, is logged in, who must not see the data of the last user. */
export function onPersonChange(listener: () => void): void {
  let uid = useSession.getState().me?.uid
  onSessionChange(() => {
    const now = useSession.getState().me?.uid
    if (now === uid) return
    uid = now
    listener()
  })
}

function read(): WireMe | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem('session') ?? 'null')
    return typeof kept === 'object' && kept !== null && 'uid' in kept ? (kept as WireMe) : undefined
  } catch {
    return undefined
  }
}

function write(me: WireMe | undefined): void {
  try {
    if (me === undefined) localStorage.removeItem('session')
    else localStorage.setItem('session', JSON.stringify(me))
  } catch {}
}
