/** Checks that subjects of the newest commits fit on one line of a log: at most 72 characters, without a period at the end. */
import { spawnSync } from 'node:child_process'
import { root } from './files.ts'

const subjectMax = 72
/** More commits than any branch has. Older ones are not checked. */
const newest = 100

/** Commits older than the rule. */
const excused: ReadonlySet<string> = new Set([
  'Walk once for all who reach half of their ring, and keep order behind a look-up',
  'Draw all bits of a seen id from the secret, and look in all its spans at once',
])

/** One sentence for each subject that is too long or ends with a period. A copy without history has none. */
export function commitFaults(): readonly string[] {
  const log = spawnSync('git', ['log', `-${newest}`, '--no-merges', '--format=%h %s'], { cwd: root, encoding: 'utf8' })
  return log.status === 0 ? log.stdout.split('\n').flatMap(subjectFaults) : []
}

/** line  short hash, a space, and the subject */
export function subjectFaults(line: string): readonly string[] {
  const subject = line.slice(line.indexOf(' ') + 1)
  if (excused.has(subject)) return []
  const length = [...subject].length
  return [
    ...(length > subjectMax ? [`commit ${line}: a subject of ${length} characters, more than ${subjectMax}`] : []),
    ...(/[.…]$/.test(subject) ? [`commit ${line}: a subject ends without a period`] : []),
  ]
}
