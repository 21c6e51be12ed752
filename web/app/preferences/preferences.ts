/**
 * Small settings that the exchange keeps with the account, and the device for visitors. What a visitor chose is merged into the
 * account at login. A change is a function of the value, so that it can be made again on what another device stored meanwhile.
 */
import { ApiError } from '@candor/client/errors.ts'
import type { PreferenceName, Preferences, WirePreference } from '@candor/core/protocol/wire/own/preferences.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { client, queries } from '../client.ts'
import { useMe, useSession } from '../session.ts'
import { set, useSettings } from '../settings.ts'
import { isOnDevice } from './layout.ts'

export type PreferenceRules<Name extends PreferenceName> = {
  /** The value until something was chosen. */
  readonly fallback: Preferences[Name]
  /** What the account has after the login of a visitor. Default: its own value, if it has one. */
  readonly merged?: (own: Preferences[Name] | undefined, visitors: Preferences[Name]) => Preferences[Name]
  /** Whether the device still shows it after its owner has logged out. */
  readonly stays?: boolean
}
export type Change<Value> = (value: Value) => Value

const triesMax = 3

/** By user and name: what the exchange last answered, unless a change failed after it. */
const confirmed = new Map<string, WirePreference>()
/** By user and name: changes are sent one after the other. */
const sending = new Map<string, Promise<void>>()

/** A setting and a way to change it, which says what went wrong. `rules` must be the same object each time. */
export function usePreference<Name extends PreferenceName>(
  name: Name,
  rules: PreferenceRules<Name>,
): readonly [value: Preferences[Name], change: (next: Change<Preferences[Name]>) => Promise<Error | undefined>] {
  const uid = useMe()?.uid ?? null
  const kept = useSettings((settings) => settings.kept[name]) as
    | { readonly owner: string | null; readonly value: Preferences[Name] }
    | undefined
  const query = useQuery({
    queryKey: ['own', 'preference', name],
    queryFn: () => load(name, rules),
    enabled: uid !== null,
    staleTime: 60_000,
  })
  // Until the account's own value is here, the device shows what it knows.
  const onDevice = kept !== undefined && isOnDevice(kept.owner, uid, rules.stays === true) ? kept.value : undefined
  const value = (uid === null ? undefined : query.data?.value) ?? onDevice ?? rules.fallback

  const change = useCallback(
    async (next: Change<Preferences[Name]>) => {
      const changed = next(value)
      keep(name, uid, changed)
      if (uid === null) return undefined
      queries.setQueryData<WirePreference<Name>>(['own', 'preference', name], (old) => ({ revision: old?.revision ?? 0, value: changed }))
      return store({ uid, name, next, before: value, rules })
    },
    [name, rules, uid, value],
  )
  return [value, change]
}

async function load<Name extends PreferenceName>(name: Name, rules: PreferenceRules<Name>): Promise<WirePreference<Name>> {
  const uid = useSession.getState().me?.uid ?? ''
  // A read that overtakes a change would show the old value again.
  await sending.get(`${uid} ${name}`)
  let found = (await client.preferences.preference(name)) as WirePreference<Name>
  const kept = useSettings.getState().kept[name] as { readonly owner: string | null; readonly value: Preferences[Name] } | undefined
  if (kept?.owner === null) {
    const value = rules.merged?.(found.value, kept.value) ?? found.value ?? kept.value
    if (JSON.stringify(value) !== JSON.stringify(found.value))
      found = (await client.preferences.setPreference(name, { revision: found.revision, value })) as WirePreference<Name>
  }
  confirmed.set(`${uid} ${name}`, found as WirePreference)
  if (found.value !== undefined) keep(name, uid, found.value)
  return found
}

type Stored<Name extends PreferenceName> = {
  readonly uid: string
  readonly name: Name
  readonly next: Change<Preferences[Name]>
  /** What was shown before the change. */
  readonly before: Preferences[Name]
  readonly rules: PreferenceRules<Name>
}

/** Sends a change after those before it. If it can't be stored, the account's own value is shown again at once. */
function store<Name extends PreferenceName>({ uid, name, next, before, rules }: Stored<Name>): Promise<Error | undefined> {
  const key = `${uid} ${name}`
  const queryKey = ['own', 'preference', name]
  const known = confirmed.get(key)?.value as Preferences[Name] | undefined
  const earlier = sending.get(key) ?? Promise.resolve()
  const isLast = (): boolean => sending.get(key) === settled && useSession.getState().me?.uid === uid
  const sent = earlier
    .then(() => send(key, name, next, rules))
    .then(
      (answer) => {
        if (isLast()) queries.setQueryData(queryKey, answer)
        return undefined
      },
      (error: Error) => {
        if (isLast()) {
          const value = known ?? before
          keep(name, uid, value)
          queries.setQueryData<WirePreference<Name>>(queryKey, (old) => ({ revision: old?.revision ?? 0, value }))
        }
        void queries.invalidateQueries({ queryKey })
        return error
      },
    )
  const settled: Promise<void> = sent.then(() => {
    if (sending.get(key) === settled) sending.delete(key)
  })
  sending.set(key, settled)
  return sent
}

async function send<Name extends PreferenceName>(
  key: string,
  name: Name,
  next: Change<Preferences[Name]>,
  { fallback }: PreferenceRules<Name>,
): Promise<WirePreference<Name>> {
  for (let tries = 1; ; tries += 1) {
    const known = tries === 1 ? (confirmed.get(key) as WirePreference<Name> | undefined) : undefined
    const base = known ?? ((await client.preferences.preference(name)) as WirePreference<Name>)
    try {
      const change = { revision: base.revision, value: next(base.value ?? fallback) }
      const answer = (await client.preferences.setPreference(name, change)) as WirePreference<Name>
      confirmed.set(key, answer as WirePreference)
      return answer
    } catch (error) {
      const isStale = error instanceof ApiError && error.code === 'PREFERENCE_STALE'
      if (!isStale) confirmed.delete(key)
      if (!isStale || tries === triesMax) throw error
    }
  }
}

function keep<Name extends PreferenceName>(name: Name, owner: string | null, value: Preferences[Name]): void {
  set({ kept: { ...useSettings.getState().kept, [name]: { owner, value } } })
}
