/**
 * `npm run release -- --to FOLDER [--key FILE]`: makes a release of the present commit: an archive of all that runs on this kind of
 * machine, its bill of materials, the licences of its packages, what changed, checksums, and with a key their signature. The same commit
 * gives the same bytes.
 *
 * `npm run release -- verify FOLDER --key FILE.pub`: checks checksums and signature.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { changesOf } from './release/changes.ts'
import { checkFolder, sumsFile, sumsOf } from './release/sums.ts'
import { privateKeyIn, publicKeyText, signatureText } from './release/minisign.ts'
import { licences, packagesIn, sbom } from './release/packages.ts'
import { stage } from './release/stage.ts'
import { pack } from './release/tar.ts'
import { root } from './tidy/files.ts'

const usage = 'npm run release -- --to FOLDER [--key FILE.pem]\nnpm run release -- verify FOLDER --key FILE.pub'
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const { values, positionals } = parseArgs({ allowPositionals: true, options: { to: { type: 'string' }, key: { type: 'string' } } })
if (positionals[0] === 'verify' && positionals[1] !== undefined && values.key !== undefined) {
  const said = await checkFolder(positionals[1], readFileSync(values.key, 'utf8'))
  say(`right: ${said}`)
} else if (positionals.length === 0 && values.to !== undefined) {
  await release(resolve(values.to), values.key)
} else {
  process.stderr.write(`${usage}\n`)
  process.exit(2)
}

async function release(to: string, keyFile: string | undefined): Promise<void> {
  const key = keyFile === undefined ? undefined : privateKeyIn(readFileSync(keyFile, 'utf8'))
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
  if (git('status', '--porcelain', '--untracked-files=no') !== '')
    throw new Error('there are changes that are not committed: a release is made of a commit')
  const commit = git('rev-parse', 'HEAD')
  const seconds = Number(git('log', '-1', '--format=%ct'))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const { name, text } = changesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, commit)

  const built = spawnSync(process.execPath, [join(root, 'tools', 'build-web.ts'), '--force'], { cwd: root, stdio: ['ignore', 2, 2] })
  if (built.status !== 0) throw new Error('the apps could not be built')
  mkdirSync(to, { recursive: true })
  if (readdirSync(to).length > 0) throw new Error(`${to} is not empty`)
  const folder = mkdtempSync(join(tmpdir(), 'candor-release-'))
  try {
    stage(root, folder, { commit, version: name })
    const packages = packagesIn(folder)
    const product = { version: name, commit, seconds }
    const terms = licences(folder, packages)
    writeFileSync(join(folder, 'THIRD-PARTY.txt'), terms)
    writeFileSync(join(to, 'THIRD-PARTY.txt'), terms)
    writeFileSync(join(to, 'sbom.cdx.json'), sbom(packages, product))
    writeFileSync(join(to, 'CHANGES.md'), text)
    const top = `candor-${name}`
    await pack(folder, join(to, `${top}-${process.platform}-${process.arch}.tar.gz`), { top, seconds })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const sums = await sumsOf(to)
  writeFileSync(join(to, sumsFile), sums)
  if (key !== undefined) {
    writeFileSync(join(to, `${sumsFile}.minisig`), signatureText(key, Buffer.from(sums), `candor ${name} of commit ${commit}`))
    writeFileSync(join(to, 'candor.pub'), publicKeyText(key))
  }
  say(sums.trimEnd())
  say(key === undefined ? 'not signed: no --key was given' : `signed: ${sumsFile}.minisig`)
}
