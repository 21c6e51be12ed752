/** Who is logged in. The cookie itself is out of reach; a note in local storage says whether asking makes sense. */
import type { WireMe } from '@candor/core/protocol/wire/user.ts'
import { create } from 'zustand'

export type Session = {
  readonly me: WireMe | undefined
  /** The exchange no longer knows the session that this page was logged in with. */
  readonly isExpired: boolean
}

const listeners = new Set<() => void>()

export const useSession = create<Session>(() => ({ me: read(), isExpired: false }))

/** The person that is logged in, or undefined for a visitor. */
export function useMe(): WireMe | undefined {
  return useSession((session) => session.me)
}

export function signedIn(me: WireMe): void {
  const before = useSession.getState()
  const isOther = before.me?.uid !== me.uid || before.isExpired
  useSession.setState({ me, isExpired: false })
  write(me)
  if (isOther) for (const listener of listeners) listener()
}

export function signedOut(): void {
  useSession.setState({ me: undefined, isExpired: false })
  write(undefined)
  for (const listener of listeners) listener()
}

/** The exchange said that nobody is logged in, although this page thought so. */
export function sessionEnded(): void {
  if (useSession.getState().me === undefined) return
  useSession.setState({ isExpired: true })
}

/** Called when another person, nobody, or the same one with a new session is logged in from now on. */
export function onSessionChange(listener: () => void): void {
  listeners.add(listener)
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
