import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const server = '/usr/sbin/nats-server'
const isThere = existsSync(server) && spawnSync('openssl', ['version']).status === 0

/** Makes a key and a certificate that is its own authority. */
function certify(folder: string, names: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', join(folder, 'key')]
  const what = ['-out', join(folder, 'crt'), '-subj', '/CN=bus', '-days', '2', '-addext', `subjectAltName=${names}`]
  assert.equal(spawnSync('openssl', ['req', '-x509', ...key, ...what]).status, 0)
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Opens the bus in a process that trusts the certificate, and tells whether it could. */
async function opens(url: string, folder: string): Promise<string> {
  const code = `import { openBus } from ${JSON.stringify(join(import.meta.dirname, '..', 'bus.ts'))}
    const bus = await openBus({ url: ${JSON.stringify(url)}, name: 'test' }).then(() => 'open', (cause) => 'refused ' + cause)
    process.stdout.write(bus, () => process.exit())`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'crt') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let told = ''
  for await (const chunk of child.stdout) told += String(chunk)
  return told
}

test('a server that is named by its IP address is known by its certificate, with user and password', {
  skip: !isThere && 'nats-server is not installed',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-bus-'))
  certify(folder, 'IP:127.0.0.1')
  const port = await freePort()
  const conf = join(folder, 'conf')
  writeFileSync(
    conf,
    `listen: "127.0.0.1:${port}"
authorization { user: "candor", password: "secret" }
tls { cert_file: "${join(folder, 'crt')}", key_file: "${join(folder, 'key')}" }
`,
  )
  const child = spawn(server, ['-c', conf], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    assert.equal(await opens(`tls://candor:secret@127.0.0.1:${port}`, folder), 'open')
    assert.match(await opens(`tls://candor:wrong@127.0.0.1:${port}`, folder), /^refused .*uthoriz/)
  } finally {
    child.kill()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
})
