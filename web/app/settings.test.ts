import assert from 'node:assert/strict'
import { test } from 'node:test'

test('settings stored under their old names and places are kept', async () => {
  const old = { lastContract: 'ETHUSDTPERP', textSize: 112, confirmLimit: true, confirmMarket: true, confirmCancelAll: false }
  const stored = new Map([['settings', JSON.stringify({ ...old, favourites: ['ETHUSDT'] })]])
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  }
  Object.defineProperty(globalThis, 'localStorage', { value: localStorage, configurable: true })
  const { set, useSettings } = await import('./settings.ts')
  assert.equal(useSettings.getState().lastPerp, 'ETHUSDTPERP')
  set({ haptics: false })
  const kept = JSON.parse(stored.get('settings') ?? '{}') as Record<string, unknown>
  assert.deepEqual(
    [kept.lastPerp, kept.lastContract, kept.textSize, kept.confirmCancelAll],
    ['ETHUSDTPERP', undefined, undefined, undefined],
  )
  const value = { book: 'right', charts: [], unasked: ['cancel-all'], desk: null, textSize: 'large' }
  assert.deepEqual(kept.kept, { favourites: { owner: null, value: { symbols: ['ETHUSDT'] } }, layout: { owner: null, value } })
})
