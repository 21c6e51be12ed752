import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Draft, emptyDraft, problemsOf, requestOf, toggled } from './form.ts'

const draft = (part: Partial<Draft>): Draft => ({ url: 'https://hooks.example.com/a', kinds: ['spot.fill'], password: 'p', ...part })

test('UI-WEBHOOKS-001: the sheet has an error for each missing field, and its request matches the input', () => {
  assert.deepEqual([...problemsOf(emptyDraft, false)], ['url', 'password'])
  assert.deepEqual([...problemsOf(draft({}), false)], [])
  assert.deepEqual([...problemsOf(draft({ kinds: [] }), false)], ['kinds'])
  for (const url of ['', 'hooks.example.com', 'ftp://a.example/', 'http://hooks.example.com/', 'javascript:alert(1)'])
    assert.deepEqual([...problemsOf(draft({ url }), false)], ['url'], url)
  assert.deepEqual([...problemsOf(draft({ url: 'http://127.0.0.1:8080/' }), true)], [])
  assert.deepEqual(requestOf(draft({ url: ' https://a.example/ ' })), { url: 'https://a.example/', kinds: ['spot.fill'], password: 'p' })
  assert.deepEqual(toggled(['spot.fill'], 'perp.fill', true), ['spot.fill', 'perp.fill'])
  assert.deepEqual(toggled(['spot.fill', 'perp.fill'], 'spot.fill', false), ['perp.fill'])
  assert.deepEqual(toggled(['spot.fill'], 'spot.fill', true), ['spot.fill'])
})
