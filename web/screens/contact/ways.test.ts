import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waysOf } from './ways.ts'

test('UI-SITE-002: customer service is the app’s own desk where there is one, then the operator’s address', () => {
  assert.deepEqual(waysOf(['/', '/me'], undefined), [])
  assert.deepEqual(waysOf(['/'], 'help@exchange.example'), [
    { kind: 'outside', href: 'mailto:help@exchange.example', text: 'help@exchange.example' },
  ])
  assert.deepEqual(
    waysOf(['/', '/support'], 'https://help.example/').map((way) => (way.kind === 'desk' ? way.to : way.href)),
    ['/support', 'https://help.example/'],
  )
  for (const wrong of ['javascript:alert(1)', 'http://help.example', 'nobody', 'a@b@c']) assert.deepEqual(waysOf(['/'], wrong), [])
})
