/** The logged-in user. Scripts can't read the cookie; a note in local storage says whether it makes sense to ask. */
import type { WireMe } from '@candor/core/protocol/wire/user.ts'
import { create } from 'zustand'

export type Session = {
  readonly me: WireMe | undefined
  /** The exchange no longer knows the session that this page was logged in with. */
  readonly isExpired: boolean
  /** Another number for each login and logout. */
  readonly login: number
}

const listeners = new Set<() => void>()

export const useSession = create<Session>(() => ({ me: read(), isExpired: false, login: 0 }))

/** The person that is logged in, or undefined for a visitor. */
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

/** The exchange refused a request that was sent in the session of `login`. About a session that began since, it says nothing. */
export function sessionEnded(login: number): void {
  const now = useSession.getState()
  if (now.me !== undefined && now.login === login) useSession.setState({ isExpired: true })
}

/** Called when another person, nobody, or the same one with a new session is logged in from now on. */
export function onSessionChange(listener: () => void): void {
  listeners.add(listener)
}

/** Called when another person, or nobody, is logged in from now on: what was said to the one before is none of theirs. */
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
