import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { locales } from '@candor/core/protocol/locales.ts'
import { deskNames } from '@candor/core/protocol/wire/own/preferences.ts'
import { cardPlace, lightOf } from './place.ts'
import { tourSteps } from './steps.ts'

const folder = resolve(import.meta.dirname, '../../locales')
type Desks = Readonly<Record<string, Readonly<Record<string, { readonly title: string; readonly text: string }>>>>

test('UI-TOUR-001: a tour has four to six steps, each with a title and a short text in every language', () => {
  for (const { code } of locales) {
    const texts = JSON.parse(readFileSync(join(folder, code, 'tour.json'), 'utf8')) as Desks
    for (const desk of deskNames) {
      const steps = tourSteps[desk]
      assert.ok(steps.length >= 4 && steps.length <= 6)
      assert.deepEqual(Object.keys(texts[desk] ?? {}).toSorted(), [...steps].toSorted(), `${code} ${desk}`)
      for (const [step, { title, text }] of Object.entries(texts[desk] ?? {})) {
        assert.ok(title.length > 0 && title.length <= 45, `${code} ${desk} ${step}: ${title}`)
        assert.ok(text.length > 0 && text.length <= 200, `${code} ${desk} ${step}: ${text}`)
      }
    }
  }
})

test('UI-TOUR-002: the light stays within the window, and the card stands where there is room for it', () => {
  const window = { width: 320, height: 640 }
  const wide = lightOf({ top: -40, left: 0, width: 320, height: 100 }, window)
  assert.deepEqual(wide, { top: 4, left: 4, width: 312, height: 64 })
  const low = lightOf({ top: 500, left: 20, width: 100, height: 300 }, window)
  assert.equal(low.top + low.height, 636)
  assert.deepEqual(cardPlace(wide, window.height), { top: 76 })
  assert.deepEqual(cardPlace(low, window.height), { bottom: 156 })
  assert.deepEqual(cardPlace({ top: 250, left: 0, width: 10, height: 140 }, window.height), { top: 398 }, 'enough room below')
  assert.deepEqual(cardPlace({ top: 100, left: 0, width: 10, height: 400 }, window.height), { bottom: 8 }, 'over the part')
  assert.deepEqual(cardPlace({ top: 200, left: 0, width: 10, height: 400 }, window.height), { top: 8 })
})
