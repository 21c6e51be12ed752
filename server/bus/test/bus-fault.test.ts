import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const at = (...names: string[]): string => JSON.stringify(join(import.meta.dirname, ...names))

test('a fault of a listener ends the process, instead of a message that nobody misses', () => {
  const code = `import { openBus } from ${at('..', 'bus.ts')}
    import { NatsNode } from ${at('nats-node.ts')}
    const node = await NatsNode.start()
    const [one, two] = await Promise.all(['one', 'two'].map((name) => openBus({ url: node.url, name })))
    one.hear('news', () => { throw new Error('a listener failed') })
    setInterval(() => two.send('news', Buffer.from('x')), 20)`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', timeout: 60_000 })
  assert.equal(status, 1)
  assert.match(stderr, /a listener failed/)
})
