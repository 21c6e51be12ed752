/**
 * `npm run container -- [image] [compose] [units] [--archive FILE] [--folder F] [--install] [--keep]`: builds the image of a release from
 * nothing but Debian's packages, and tries it, the compose file, and the units of systemd in a machine of their own. See docs/operate.md.
 *
 *   --archive FILE  of `npm run release`; without it, a release of the present commit is made
 *   --folder F      for images and logs (default: candor-container in the temporary folder)
 *   --install       installs what is missing of Debian's packages
 *   --keep          keeps the folder, so that the next run need not make the Debian again
 *
 * Needs root. Everything runs in namespaces of its own for mounts, processes and the network, and ends with them.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { installPackages } from '../cluster/machines/packages.ts'
import { root } from '../tidy/files.ts'
import { hasDebian, makeCandor, makeDebian, makeOther } from './images.ts'
import { forget, missingPackages, Podman } from './podman.ts'
import { Report } from './report.ts'
import { tryCompose } from './trial/compose.ts'
import { tryImage } from './trial/image.ts'
import { tryUnits } from './trial/units.ts'

const trials = { image: tryImage, compose: tryCompose, units: tryUnits } as const
type Trial = keyof typeof trials
const names = Object.keys(trials) as readonly Trial[]
/** What each needs besides the image of the exchange. */
const needs: Readonly<Record<Trial, readonly ('database' | 'prometheus' | 'units')[]>> = {
  image: [],
  compose: ['database', 'prometheus'],
  units: ['units'],
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    archive: { type: 'string' },
    folder: { type: 'string', default: join(tmpdir(), 'candor-container') },
    install: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    /** The two parts inside the namespaces: the first one still has the network of the machine, for packages. */
    inside: { type: 'string' },
  },
})
const folder = resolve(values.folder)
const chosen = names.filter((name) => positionals.length === 0 || positionals.includes(name))
const say = (line: string): void => void process.stderr.write(`${line}\n`)

if (positionals.some((word) => !(word in trials))) {
  say('npm run container -- [image] [compose] [units] [--archive FILE] [--folder F] [--install] [--keep]')
  process.exitCode = 2
} else if (values.inside === 'build') build(values.archive!)
else if (values.inside === 'try') process.exitCode = await tryAll()
else process.exitCode = outside()

/** Outside of all namespaces. */
function outside(): number {
  if (userInfo().uid !== 0) throw new Error('containers with systemd in them need root')
  if (values.install && missingPackages().length > 0) installPackages(missingPackages(), say)
  if (missingPackages().length > 0) throw new Error(`missing: ${missingPackages().join(', ')}. With --install they are installed`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  forget(join(folder, 'podman'))
  const archive = values.archive === undefined ? released() : resolve(values.archive)
  const inside = (part: string): readonly string[] => [
    ...[process.execPath, import.meta.filename, ...chosen, `--folder=${folder}`, `--archive=${archive}`, `--inside=${part}`],
  ]
  try {
    return inNamespaces(inside('build'), inside('try'))
  } finally {
    if (!values.keep) rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Runs two commands in namespaces, the second one without the network of the machine. What they leave running ends with the namespaces.
 * A second hierarchy of control groups beside the old ones is hidden, because crun refuses the mixture.
 */
function inNamespaces(first: readonly string[], second: readonly string[]): number {
  const quoted = (words: readonly string[]): string => words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const script = [
    'if mountpoint -q /sys/fs/cgroup/unified; then umount /sys/fs/cgroup/unified; fi',
    'for own in /run/netns /run/crun; do mkdir -p $own && mount -t tmpfs tmpfs $own; done',
    `${quoted(first)} && unshare --net sh -c 'ip link set lo up && "$@"' sh ${quoted(second)}`,
  ].join('\n')
  const spaces = ['--mount', '--propagation=private', '--pid', '--ipc', '--fork', '--kill-child', '--mount-proc']
  // They end, too, when this process is killed.
  const { status } = spawnSync('setpriv', ['--pdeathsig=KILL', 'unshare', ...spaces, 'sh', '-c', script], { stdio: 'inherit' })
  // Control groups outlive their processes.
  const groups = "find /sys/fs/cgroup -depth -type d \\( -path '*/libpod_parent*' -o -name 'buildah-*' \\) -exec rmdir {} +"
  spawnSync('sh', ['-c', groups], { stdio: 'ignore' })
  return status ?? 1
}

/** A release of the present commit. */
function released(): string {
  const to = join(folder, 'made')
  rmSync(to, { recursive: true, force: true })
  execFileSync(process.execPath, [join(root, 'tools', 'release.ts'), '--to', to], { stdio: ['ignore', 2, 2] })
  const name = readdirSync(to).find((file) => file.endsWith('.tar.gz'))
  if (name === undefined) throw new Error('the release has no archive')
  return join(to, name)
}

function build(archive: string): void {
  const podman = new Podman(join(folder, 'podman'))
  if (!hasDebian(podman)) makeDebian(podman, folder)
  makeCandor(podman, archive)
  for (const image of new Set(chosen.flatMap((name) => needs[name]))) makeOther(podman, image)
  const to = join(folder, 'release')
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to)
  execFileSync('tar', ['-xzf', archive, '-C', to, '--strip-components=1', '--wildcards', '*/deploy/*'])
}

async function tryAll(): Promise<number> {
  const podman = new Podman(join(folder, 'podman'))
  const report = new Report()
  const clear = (): void => {
    podman.ask('rm', '--all', '--force', '--time=10')
    podman.ask('volume', 'rm', '--all', '--force')
  }
  // What a run that was killed has left in a folder that is kept.
  clear()
  for (const name of chosen) {
    // Its failure is in the report; the others don't need it.
    await trials[name](podman, report, folder).catch(() => undefined)
    clear()
  }
  process.stdout.write(report.failed === 0 ? '\nAll of it passed.\n' : `\n${report.failed} failed.\n`)
  return report.failed === 0 ? 0 : 1
}
