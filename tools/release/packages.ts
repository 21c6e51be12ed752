/** The packages of others that a release has in it: their bill of materials (CycloneDX) and their licences. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export type Package = {
  readonly name: string
  readonly version: string
  readonly licence: string
  /** SHA-512 of its archive in the registry, in hexadecimal; undefined where the lock has none. */
  readonly sha512: string | undefined
  /** Its folder, relative to the release. */
  readonly path: string
}

type Locked = { readonly version?: string; readonly integrity?: string; readonly license?: string; readonly link?: boolean }
type Manifest = { readonly license?: string | { readonly type?: string }; readonly licenses?: readonly { readonly type?: string }[] }

/** The packages in `node_modules` of a folder, by name and version, as npm wrote them down; those that were removed don't count. */
export function packagesIn(folder: string): readonly Package[] {
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
  return Object.entries(lock.packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true && existsSync(join(folder, path)))
    .map(([path, { version = '', integrity = '', license }]): Package => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      const sha512 = /^sha512-(.+)$/.exec(integrity)?.[1]
      const licence = license ?? licenceIn(join(folder, path))
      return { name, version, licence, sha512: sha512 && Buffer.from(sha512, 'base64').toString('hex'), path }
    })
    .toSorted((one, other) => order(`${one.name}@${one.version} ${one.path}`, `${other.name}@${other.version} ${other.path}`))
}

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

function licenceIn(folder: string): string {
  const { license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  if (typeof license === 'string') return license
  return license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? ''
}

export type Product = { readonly version: string; readonly commit: string; readonly seconds: number }

/** A bill of materials in CycloneDX 1.5, the same for the same packages. */
export function sbom(packages: readonly Package[], { version, commit, seconds }: Product): string {
  const purl = ({ name, version }: Pick<Package, 'name' | 'version'>): string => `pkg:npm/${name.replace('@', '%40')}@${version}`
  const unique = [...new Map(packages.map((one) => [purl(one), one])).values()]
  const components = unique.map((one) => ({
    ...{ type: 'library', 'bom-ref': purl(one), name: one.name, version: one.version, purl: purl(one) },
    ...(one.sha512 === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: one.sha512 }] }),
    licenses: [/ (OR|AND|WITH) /.test(one.licence) ? { expression: one.licence } : { license: { name: one.licence } }],
  }))
  const bom = {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.5', serialNumber: `urn:uuid:${uuidOf(`${commit} ${version}`)}`, version: 1 },
    metadata: {
      timestamp: new Date(seconds * 1_000).toISOString(),
      component: {
        ...{ type: 'application', 'bom-ref': `candor@${version}`, name: 'candor', version },
        licenses: [{ license: { id: 'Apache-2.0' } }],
        properties: [{ name: 'candor:commit', value: commit }],
      },
    },
    components,
    dependencies: [{ ref: `candor@${version}`, dependsOn: components.map((one) => one['bom-ref']) }],
  }
  return `${JSON.stringify(bom, null, 2)}\n`
}

/** A name-based UUID (version 8 of RFC 9562, with SHA-256). */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const licenceFile = /^(licen[cs]e|copying|notice)([-.].*)?$/i

/**
 * Names and texts of all licences.
 *
 * throws  Error for a package that names none
 */
export function licences(folder: string, packages: readonly Package[]): string {
  const unnamed = packages.filter(({ licence }) => licence === '')
  if (unnamed.length > 0) throw new Error(`no licence: ${unnamed.map(({ name }) => name).join(', ')}`)
  const list = packages.map(({ name, version, licence }) => `${name} ${version}: ${licence}`)
  const texts = packages.map(({ name, version, licence, path }) => {
    const own = join(folder, path)
    const found = existsSync(own) ? readdirSync(own).filter((file) => licenceFile.test(file) && statSync(join(own, file)).isFile()) : []
    const text = found.toSorted().map((file) => readFileSync(join(own, file), 'utf8').trim())
    return [
      `${'='.repeat(80)}\n${name} ${version} (${licence})\n`,
      ...(text.length > 0 ? text : ['The package has no text of its licence.']),
    ].join('\n')
  })
  return `Packages of others in this release.\n\n${[...new Set(list)].join('\n')}\n\n${texts.join('\n\n')}\n`
}
