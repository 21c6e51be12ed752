import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireMe } from '@candor/core/protocol/wire/user.ts'
import { followOtherPages, isPresent, onPersonChange, sessionEnded, signedIn, signedOut, useSession } from './session.ts'

const ann = { uid: '1' } as WireMe
const isExpired = (): boolean => useSession.getState().isExpired
const login = (): number => useSession.getState().login

test('UI-SESSION-002: a refusal ends the session in which the request was sent, and no later one', () => {
  signedIn(ann)
  const first = login()
  sessionEnded(first)
  assert.equal(isExpired(), true)

  signedIn(ann)
  assert.equal(isExpired(), false)
  sessionEnded(first)
  assert.equal(isExpired(), false)
  sessionEnded(login())
  assert.equal(isExpired(), true)
})

test('reloading the user keeps the session; after a logout nobody is asked to log in', () => {
  signedIn(ann)
  const before = login()
  signedIn({ ...ann })
  assert.equal(login(), before)
  signedOut()
  sessionEnded(login())
  assert.equal(isExpired(), false)
})

test('a new login of the same user keeps the person; a logout or another user does not', () => {
  signedIn(ann)
  let changes = 0
  onPersonChange(() => changes++)
  sessionEnded(login())
  signedIn(ann)
  assert.equal(changes, 0)
  signedOut()
  assert.equal(changes, 1)
  signedIn({ uid: '2' } as WireMe)
  assert.equal(changes, 2)
})

test('UI-SESSION-003: a login or logout in another page of the app counts here at once', () => {
  const storage = new Map<string, string>()
  const page = new EventTarget()
  const names = ['localStorage', 'addEventListener'] as const
  const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name))
  Object.defineProperty(globalThis, 'localStorage', {
    ...{ configurable: true, writable: true },
    value: {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, text: string) => void storage.set(key, text),
      removeItem: (key: string) => void storage.delete(key),
    },
  })
  Object.defineProperty(globalThis, 'addEventListener', { configurable: true, writable: true, value: page.addEventListener.bind(page) })
  try {
    const uid = (): string | undefined => useSession.getState().me?.uid
    const elsewhere = (me: WireMe | undefined, key: string | null = 'session'): void => {
      if (me === undefined) storage.delete('session')
      else storage.set('session', JSON.stringify(me))
      page.dispatchEvent(Object.assign(new Event('storage'), { key }))
    }
    followOtherPages()
    signedIn(ann)
    let changes = 0
    onPersonChange(() => changes++)
    elsewhere(ann)
    assert.deepEqual([uid(), changes, isPresent()], ['1', 0, true])
    elsewhere({ uid: '2' } as WireMe, 'settings')
    assert.deepEqual([uid(), changes, isPresent()], ['1', 0, false], 'its event has not come yet')
    elsewhere({ uid: '2' } as WireMe)
    assert.deepEqual([uid(), changes, isPresent()], ['2', 1, true])
    sessionEnded(login())
    elsewhere(undefined)
    assert.deepEqual([uid(), changes, isPresent()], ['2', 1, false], 'what was typed stays while the login is asked for')
    signedIn({ uid: '2' } as WireMe)
    elsewhere(undefined, null)
    assert.deepEqual([uid(), changes, isPresent()], [undefined, 2, false])
    assert.equal(storage.has('session'), false)
  } finally {
    for (const [at, name] of names.entries()) {
      const kept = before[at]
      if (kept === undefined) Reflect.deleteProperty(globalThis, name)
      else Object.defineProperty(globalThis, name, kept)
    }
  }
})
