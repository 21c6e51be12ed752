import assert from 'node:assert/strict'
import { test } from 'node:test'

test('the last futures market is kept from settings stored under its old name', async () => {
  const stored = new Map([['settings', JSON.stringify({ lastContract: 'ETHUSDTPERP', textSize: 112 })]])
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  }
  Object.defineProperty(globalThis, 'localStorage', { value: localStorage, configurable: true })
  const { set, useSettings } = await import('./settings.ts')
  assert.equal(useSettings.getState().lastPerp, 'ETHUSDTPERP')
  set({ haptics: false })
  const kept = JSON.parse(stored.get('settings') ?? '{}') as Record<string, unknown>
  assert.deepEqual([kept.lastPerp, kept.lastContract, kept.textSize], ['ETHUSDTPERP', undefined, 112])
})
