/** Checksums of the files of a release, in the format of `sha256sum`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from './minisign.ts'
import { sha256Of } from './tar.ts'

export const sumsFile = 'SHA256SUMS'

/** The files that checksums are about: all but these themselves, their signature and the key. */
const isSummed = (name: string): boolean => ![sumsFile, `${sumsFile}.minisig`, 'candor.pub'].includes(name)

export async function sumsOf(folder: string): Promise<string> {
  const lines: string[] = []
  for (const name of readdirSync(folder).filter(isSummed).toSorted()) lines.push(`${await sha256Of(join(folder, name))}  ${name}\n`)
  return lines.join('')
}

/**
 * Checks the signature of the checksums, and every file against them; returns the signed comment.
 *
 * throws  Error that names what is wrong
 */
export async function checkFolder(folder: string, publicKey: string): Promise<string> {
  const sums = readFileSync(join(folder, sumsFile))
  const said = check(publicKey, readFileSync(join(folder, `${sumsFile}.minisig`), 'utf8'), sums)
  const expected = sums.toString('utf8').split('\n').filter(Boolean)
  const found = new Set((await sumsOf(folder)).split('\n').filter(Boolean))
  const wrong = expected.filter((line) => !found.has(line)).map((line) => line.slice(66))
  if (wrong.length > 0) throw new Error(`missing or changed: ${wrong.join(', ')}`)
  const named = new Set(expected.map((line) => line.slice(66)))
  const strange = readdirSync(folder).filter((name) => isSummed(name) && !named.has(name))
  if (strange.length > 0) throw new Error(`not of this release: ${strange.join(', ')}`)
  return said
}
