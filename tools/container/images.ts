/** Images from nothing but Debian's packages and a release. */
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { root } from '../tidy/files.ts'
import type { Podman } from './podman.ts'

export const images = {
  debian: 'localhost/candor-debian',
  candor: 'localhost/candor',
  database: 'localhost/candor-database',
  prometheus: 'localhost/candor-prometheus',
  units: 'localhost/candor-units',
} as const

const here = join(import.meta.dirname, 'images')

/** A minimal Debian 12 from the mirror that this machine uses. */
export function makeDebian(podman: Podman, folder: string): void {
  const made = join(folder, 'debian')
  const mirror = execFileSync(
    'sh',
    ['-c', "apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' | head -n 1"],
    {
      encoding: 'utf8',
    },
  ).trim()
  rmSync(made, { recursive: true, force: true })
  execFileSync('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', made, mirror], { stdio: ['ignore', 2, 2] })
  execFileSync('sh', ['-c', 'tar -C "$1" -c . | podman import --quiet - "$2"', 'sh', made, images.debian], {
    env: podman.environment,
    stdio: ['ignore', 2, 2],
  })
  rmSync(made, { recursive: true })
}

export const hasDebian = (podman: Podman): boolean => podman.ask('image', 'exists', images.debian).status === 0

/** The image of the exchange, as docs/operate.md says, with another base. */
export function makeCandor(podman: Podman, archive: string): void {
  build(podman, images.candor, {
    file: join(root, 'deploy', 'container', 'Containerfile'),
    context: dirname(archive),
    given: { BASE: images.debian, ARCHIVE: basename(archive) },
  })
}

export function makeOther(podman: Podman, name: 'database' | 'prometheus' | 'units'): void {
  const given = { BASE: images.debian, ...(name === 'prometheus' ? {} : { CANDOR: images.candor }) }
  build(podman, images[name], { file: join(here, `${name}.Containerfile`), context: here, given })
}

type Build = { readonly file: string; readonly context: string; readonly given: Readonly<Record<string, string>> }

function build(podman: Podman, image: string, { file, context, given }: Build): void {
  if (!existsSync(file)) throw new Error(`${file} is missing`)
  const words = Object.entries(given).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`])
  // The packages come from the mirror that this machine reaches, by its own network.
  execFileSync(
    'podman',
    ['build', '--format=docker', '--network=host', '--isolation=oci', '--file', file, ...words, '--tag', image, context],
    {
      env: podman.environment,
      stdio: ['ignore', 2, 2],
    },
  )
}
