/** The files that belong to the repository, as git sees them: tracked, or new and not ignored. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..', '..')

export function files(pattern: RegExp): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root, maxBuffer: 1 << 26 })
  return listed
    .toString('utf8')
    .split('\0')
    .filter((path) => pattern.test(path) && existsSync(join(root, path)))
    .sort()
}

export function text(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
