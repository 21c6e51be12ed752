import assert from 'node:assert/strict'
import { test } from 'node:test'
import { supportLink } from '../../parts/ui/support-link.ts'
import { aboutOf } from './about.ts'

test('SUPPORT-SCREEN-002: a link names a record and its topic, and nothing else comes out of an address', () => {
  const about = new URLSearchParams(supportLink('withdrawal', '123').split('?')[1]).get('about')
  assert.deepEqual(aboutOf(about), { about: { kind: 'withdrawal', id: '123' }, topic: 'withdrawal' })
  assert.deepEqual(aboutOf('order:a:b')?.about.id, 'a:b')
  for (const text of [null, '', 'withdrawal', 'withdrawal:', 'password:1', 'order:<b>', `order:${'x'.repeat(65)}`])
    assert.equal(aboutOf(text), undefined)
})
