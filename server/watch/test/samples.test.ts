import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ToldReports } from '../process.ts'
import { exposition, sample, Spread } from '../samples.ts'

test('WATCH-METRICS-004: metrics are printed in the text format of Prometheus, with cumulative buckets and escaped labels', () => {
  const spread = new Spread([1, 2])
  for (const value of [0.5, 1, 1.5, 9]) spread.add(value)
  const text = exposition([
    spread.sample('candor_engine_batch_commands'),
    sample('candor_feed_up', 1, { venue: 'a "b"\\\n' }),
    sample('candor_feed_up', 0, { venue: 'c' }),
    sample('candor_engine_seq', Number.NaN),
  ])
  assert.equal(
    text,
    [
      '# HELP candor_engine_batch_commands Commands in a batch',
      '# TYPE candor_engine_batch_commands histogram',
      'candor_engine_batch_commands_bucket{le="1"} 2',
      'candor_engine_batch_commands_bucket{le="2"} 3',
      'candor_engine_batch_commands_bucket{le="+Inf"} 4',
      'candor_engine_batch_commands_sum 12',
      'candor_engine_batch_commands_count 4',
      '# HELP candor_feed_up 1 while a price venue is up',
      '# TYPE candor_feed_up gauge',
      'candor_feed_up{venue="a \\"b\\"\\\\\\n"} 1',
      'candor_feed_up{venue="c"} 0',
      '',
    ].join('\n'),
  )
})

test('WATCH-METRICS-006: the last metrics of a process that is silent stay, and its age grows', () => {
  let now = 1_000
  const reports = new ToldReports(() => now)
  reports.hear({ process: 'engine', samples: [sample('candor_engine_seq', 7)] })
  now = 13_500
  assert.deepEqual(reports.samples(), [
    sample('candor_process_heard_age_seconds', 12.5, { process: 'engine' }),
    sample('candor_engine_seq', 7),
  ])
})
