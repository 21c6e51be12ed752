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

export type PreferenceRules<Name extends PreferenceName> = {
  /** The value until something was chosen. */
  readonly fallback: Preferences[Name]
  /** What the account has after the login of a visitor. Default: its own value, if it has one. */
  readonly merged?: (own: Preferences[Name] | undefined, visitors: Preferences[Name]) => Preferences[Name]
}
export type Change<Value> = (value: Value) => Value

const triesMax = 3

/** By user and name: what the exchange last answered. */
const confirmed = new Map<string, WirePreference>()
/** By user and name: changes are sent one after the other. */
const sending = new Map<string, Promise<void>>()

/** A setting and a way to change it. `rules` must be the same object each time. */
export function usePreference<Name extends PreferenceName>(
  name: Name,
  rules: PreferenceRules<Name>,
): readonly [value: Preferences[Name], change: (next: Change<Preferences[Name]>) => void] {
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
  const onDevice = kept !== undefined && (kept.owner === uid || kept.owner === null) ? kept.value : undefined
  const value = (uid === null ? undefined : query.data?.value) ?? onDevice ?? rules.fallback

  const change = useCallback(
    (next: Change<Preferences[Name]>) => {
      const changed = next(value)
      keep(name, uid, changed)
      if (uid === null) return
      queries.setQueryData<WirePreference<Name>>(['own', 'preference', name], (old) => ({ revision: old?.revision ?? 0, value: changed }))
      store(uid, name, next, rules)
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

/** Sends a change after those before it. If it can't be stored, the account's own value is shown again. */
function store<Name extends PreferenceName>(uid: string, name: Name, next: Change<Preferences[Name]>, rules: PreferenceRules<Name>): void {
  const key = `${uid} ${name}`
  const queryKey = ['own', 'preference', name]
  const before = sending.get(key) ?? Promise.resolve()
  const sent = before
    .then(() => send(key, name, next, rules))
    .then(
      (answer) => {
        if (sending.get(key) === sent && useSession.getState().me?.uid === uid) queries.setQueryData(queryKey, answer)
      },
      () => void queries.invalidateQueries({ queryKey }),
    )
    .finally(() => {
      if (sending.get(key) === sent) sending.delete(key)
    })
  sending.set(key, sent)
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
