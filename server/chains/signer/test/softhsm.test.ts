import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { addressOfKey, checked } from '../chain-signer.ts'
import { type Pkcs11Session, pkcs11Signer } from '../pkcs11.ts'
import { ask, Custody, softSigner } from './custody.ts'

const pin = '1234'
const module = [
  process.env['SOFTHSM2_MODULE'],
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so',
  '/usr/lib64/pkcs11/libsofthsm2.so',
].find((path) => path !== undefined && existsSync(path))
const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined
const isThere = module !== undefined && has('softhsm2-util') && has('pkcs11-tool')

/** A software module with one key of secp256k1 that it never gives out, reached through OpenSC's tool. */
function softHsm(folder: string): Pkcs11Session {
  const tokens = join(folder, 'tokens')
  const settings = join(folder, 'softhsm2.conf')
  mkdirSync(tokens)
  writeFileSync(settings, `directories.tokendir = ${tokens}\nobjectstore.backend = file\n`)
  const run = (program: string, ...args: string[]): void => {
    const done = spawnSync(program, args, { env: { ...process.env, SOFTHSM2_CONF: settings }, encoding: 'utf8' })
    assert.equal(done.status, 0, done.stderr)
  }
  const tool = (...args: string[]): void => run('pkcs11-tool', '--module', module ?? '', '--login', '--pin', pin, ...args)
  run('softhsm2-util', '--module', module ?? '', '--init-token', '--free', '--label', 'candor', '--pin', pin, '--so-pin', pin)
  tool('--keypairgen', '--key-type', 'EC:secp256k1', '--label', 'hot', '--sensitive')
  const [input, output] = [join(folder, 'in'), join(folder, 'out')]
  return {
    async ecPoint(label) {
      tool('--read-object', '--type', 'pubkey', '--label', label, '--output-file', output)
      return readFileSync(output).subarray(-65)
    },
    async signEcdsa(label, digest) {
      writeFileSync(input, digest)
      tool('--sign', '--mechanism', 'ECDSA', '--label', label, '--input-file', input, '--output-file', output)
      return readFileSync(output)
    },
    close: () => undefined,
  }
}

test('SIGNER-KEY-009: a key that a PKCS#11 module made and keeps signs payments, with the low s each time', {
  skip: !isThere && 'SoftHSM2 and pkcs11-tool are not installed',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-hsm-'))
  try {
    using key = await pkcs11Signer(softHsm(folder), 'hot')
    for (let i = 0; i < 8; i++) {
      const digest = createHash('sha256').update(`${i}`).digest()
      checked(digest, await key.sign({ bytes: digest, digest }), key.publicKey)
    }
    using custody = new Custody((policy) => Object.assign(policy.networks[0] ?? {}, { from: addressOfKey('evm', key.publicKey) }))
    using signer = await custody.ready({
      keys: new Map([
        ['ethereum', key],
        ['tron', softSigner(custody.tronKey)],
      ]),
    })
    assert.equal((await ask(signer, custody.request())).ok, true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
