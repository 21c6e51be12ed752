import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireMe } from '@candor/core/protocol/wire/user.ts'
import { onPersonChange, sessionEnded, signedIn, signedOut, useSession } from './session.ts'

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
