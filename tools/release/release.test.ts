import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { changesOf } from './changes.ts'
import { check, privateKeyIn, publicKeyText, signatureText } from './minisign.ts'
import { licences, packagesIn, sbom } from './packages.ts'
import { checkFolder, sumsFile, sumsOf } from './sums.ts'
import { pack, sha256Of } from './tar.ts'

const scratch = mkdtempSync(join(tmpdir(), 'candor-release-test-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const long = `${'folder-with-a-long-name/'.repeat(5)}é.txt`
/** Fits into a header, with letters of more than one byte. */
const short = 'Größe-日本.txt'
const options = { top: 'candor-1', seconds: 1_700_000_000 }

/** The same files, written in another order at another time. */
function tree(name: string, names: readonly string[], at: number): string {
  const folder = join(scratch, name)
  for (const path of names) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), `text of ${path}`)
    utimesSync(join(folder, path), at, at)
  }
  chmodSync(join(folder, 'run'), 0o755)
  symlinkSync(`${'../'.repeat(40)}far`, join(folder, 'link'))
  return folder
}

test('RELEASE-PACK-001: the same files give the same archive, whenever and in whichever order they were written', async () => {
  const names = ['run', 'b/c', 'a.txt', short, long]
  const [one, other] = [tree('one', names, 1_000), tree('other', names.toReversed(), 2_000)]
  await pack(one, join(scratch, 'one.tgz'), options)
  await pack(other, join(scratch, 'other.tgz'), options)
  assert.equal(await sha256Of(join(scratch, 'one.tgz')), await sha256Of(join(scratch, 'other.tgz')))
  writeFileSync(join(other, 'b/c'), 'other text')
  await pack(other, join(scratch, 'other.tgz'), options)
  assert.notEqual(await sha256Of(join(scratch, 'one.tgz')), await sha256Of(join(scratch, 'other.tgz')))
})

test('RELEASE-PACK-002: tar unpacks the archive with long names, links and permissions', () => {
  const to = join(scratch, 'unpacked')
  mkdirSync(to)
  execFileSync('tar', ['-xzf', join(scratch, 'one.tgz'), '-C', to])
  const top = join(to, 'candor-1')
  for (const name of [short, long]) assert.equal(readFileSync(join(top, name), 'utf8'), `text of ${name}`)
  assert.equal(readlinkSync(join(top, 'link')), `${'../'.repeat(40)}far`)
  assert.equal(lstatSync(join(top, 'run')).mode & 0o777, 0o755)
  assert.equal(lstatSync(join(top, 'a.txt')).mode & 0o111, 0)
  assert.equal(lstatSync(join(top, 'a.txt')).mtimeMs, options.seconds * 1_000)
})

const keyOf = () => privateKeyIn(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string)

test('RELEASE-SIGN-001: a signature holds for the file, the comment and the key that it was made with, and for no other', () => {
  const [key, bytes] = [keyOf(), Buffer.from('sums')]
  const [publicText, text] = [publicKeyText(key), signatureText(key, bytes, 'candor 1')]
  assert.equal(check(publicText, text, bytes), 'candor 1')
  assert.throws(() => check(publicText, text, Buffer.from('sumz')), /does not fit/)
  assert.throws(() => check(publicText, text.replace('candor 1', 'candor 2'), bytes), /comment/)
  assert.throws(() => check(publicKeyText(keyOf()), text, bytes), /another key/)
  assert.throws(() => check('nonsense', text, bytes), /public key/)
  assert.throws(() => check(publicText, 'nonsense', bytes), /not one of minisign/)
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  assert.throws(() => privateKeyIn(rsa), /Ed25519/)
})

test('RELEASE-SIGN-002: the check of a release names a file that was changed, is missing, or is not of it', async () => {
  const folder = join(scratch, 'release')
  mkdirSync(folder)
  for (const name of ['candor.tar.gz', 'CHANGES.md']) writeFileSync(join(folder, name), name)
  const key = keyOf()
  const sums = await sumsOf(folder)
  writeFileSync(join(folder, sumsFile), sums)
  writeFileSync(join(folder, `${sumsFile}.minisig`), signatureText(key, Buffer.from(sums), 'candor 1'))
  const publicText = publicKeyText(key)
  assert.equal(await checkFolder(folder, publicText), 'candor 1')
  writeFileSync(join(folder, 'more'), '')
  await assert.rejects(checkFolder(folder, publicText), /not of this release: more/)
  rmSync(join(folder, 'more'))
  writeFileSync(join(folder, `${sumsFile}.sh`), '')
  await assert.rejects(checkFolder(folder, publicText), /not of this release: SHA256SUMS.sh/)
  rmSync(join(folder, `${sumsFile}.sh`))
  writeFileSync(join(folder, 'CHANGES.md'), 'other')
  await assert.rejects(checkFolder(folder, publicText), /missing or changed: CHANGES.md/)
  rmSync(join(folder, 'candor.tar.gz'))
  await assert.rejects(checkFolder(folder, publicText), /missing or changed: CHANGES.md, candor.tar.gz/)
})

/** A folder with installed packages, as npm leaves it. */
function installed(packages: Readonly<Record<string, object>>): string {
  const folder = mkdtempSync(join(scratch, 'packages-'))
  for (const path of Object.keys(packages)) {
    mkdirSync(join(folder, path), { recursive: true })
    writeFileSync(join(folder, path, 'package.json'), '{}')
  }
  writeFileSync(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }))
  return folder
}

const integrity = `sha512-${Buffer.alloc(64, 7).toString('base64')}`
const product = { version: '1.2.3', commit: 'c'.repeat(40), seconds: 1_700_000_000 }

test('RELEASE-SBOM-001: the bill of materials names each package once, with its version, hash and licence, and is the same each time', () => {
  const folder = installed({
    'node_modules/b': { version: '2.0.0', integrity, license: 'MIT' },
    'node_modules/@x/a': { version: '1.0.0', integrity, license: '(MIT OR Apache-2.0)' },
    'node_modules/b/node_modules/@x/a': { version: '1.0.0', integrity, license: '(MIT OR Apache-2.0)' },
    'node_modules/own': { link: true },
  })
  const text = sbom(packagesIn(folder), product)
  const { components, metadata, serialNumber, specVersion, bomFormat } = JSON.parse(text)
  assert.deepEqual([bomFormat, specVersion, metadata.timestamp], ['CycloneDX', '1.5', '2023-11-14T22:13:20.000Z'])
  assert.match(serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const hashes = [{ alg: 'SHA-512', content: '07'.repeat(64) }]
  assert.deepEqual(components, [
    {
      ...{ type: 'library', 'bom-ref': 'pkg:npm/%40x/a@1.0.0', name: '@x/a', version: '1.0.0', purl: 'pkg:npm/%40x/a@1.0.0', hashes },
      licenses: [{ expression: '(MIT OR Apache-2.0)' }],
    },
    {
      ...{ type: 'library', 'bom-ref': 'pkg:npm/b@2.0.0', name: 'b', version: '2.0.0', purl: 'pkg:npm/b@2.0.0', hashes },
      licenses: [{ license: { name: 'MIT' } }],
    },
  ])
  assert.equal(sbom(packagesIn(folder), product), text)
})

test('RELEASE-LICENCE-001: the file of licences has the text of each package; a package without a licence stops the release', () => {
  const folder = installed({
    'node_modules/a': { version: '1.0.0', license: 'MIT' },
    'node_modules/b': { version: '1.0.0', license: 'ISC' },
  })
  writeFileSync(join(folder, 'node_modules', 'a', 'LICENSE.md'), 'Do what you like.')
  const text = licences(folder, packagesIn(folder))
  assert.match(text, /a 1\.0\.0 \(MIT\)\n+Do what you like\./)
  assert.match(text, /b 1\.0\.0 \(ISC\)\n+The package has no text/)
  const without = installed({ 'node_modules/a': { version: '1.0.0' } })
  assert.throws(() => licences(without, packagesIn(without)), /no licence: a/)
})

test('RELEASE-CHANGES-001: a version with a section in the changelog is released by its name, one without is a preview of its commit', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- new\n\n## 1.2.0 (2026-01-02)\n\n- old\n'
  assert.deepEqual(changesOf(changelog, '1.2.0', 'abc'), { name: '1.2.0', text: '# Candor 1.2.0\n\n- old\n' })
  assert.deepEqual(changesOf(changelog, '1.3.0', '0123456789abcdef'), {
    name: '1.3.0-preview.0123456789ab',
    text: '# Candor 1.3.0-preview.0123456789ab\n\n- new\n',
  })
  assert.equal(changesOf(changelog, '1.2', 'abc').name, '1.2-preview.abc')
})
